import { html, type Html } from '../../../foundation/http/html.js';
import type { SetupStep } from '../../mapping/domain/setup-step.js';
import type { IssueResponse } from '../issues/issues.dto.js';
import type { ConnectionProgress } from '../connection/read-connection.js';

const STATES: Readonly<
  Record<ConnectionProgress['installation']['state'], readonly [text: string, mark: string]>
> = {
  authorized: ['connecting', ''],
  active: ['connected', 'done'],
  needs_reauthorization: ['has to be connected again', 'open'],
  uninstalled: ['uninstalled', 'open'],
};

/** How the company is connected. */
export function connectionSection({ installation, steps }: ConnectionProgress, role: string): Html {
  const { companyName, companyId, state, problem } = installation;
  const [text, mark] = STATES[state];
  return html`<section>
    <h2>Connection</h2>
    <dl>
      <dt>Company</dt>
      <dd>${companyName} <span class="soft">${companyId}</span></dd>
      <dt>Status</dt>
      <dd>
        <span class="mark ${mark}">${text}</span>${
          state === 'needs_reauthorization' ? html` <a href="/connect">Connect again</a>` : null
        }
      </dd>
      <dt>Your role</dt>
      <dd>${role}</dd>
    </dl>
    ${problem === undefined ? null : html`<p class="notice">${problem.text}</p>`}
    <ul>
      ${steps.map(({ done, detail }) => html`<li>${statusMarkOf(done)} ${detail}</li>`)}
    </ul>
  </section>`;
}

/** What exports still lack. */
export function setupSection(steps: readonly SetupStep[]): Html {
  const open = steps.filter(({ state }) => state !== 'done');
  return html`<section>
    <h2>Set-up</h2>
    ${
      open.length === 0
        ? html`<p><span class="mark done">complete</span> Nothing is missing.</p>`
        : html`<table>
            ${open.map(
              ({ state, blocks, detail, resolvedBy }) =>
                html`<tr>
                  <td><span class="mark ${blocks === 'nothing' ? '' : 'open'}">${state}</span></td>
                  <td>${detail}</td>
                  <td>${resolvedBy === undefined ? null : html`<code>${resolvedBy}</code>`}</td>
                </tr>`,
            )}
          </table>`
    }
    <p class="soft">
      ${(steps.length - open.length).toString()} of ${steps.length.toString()} checks are done.
    </p>
  </section>`;
}

/** What keeps entries from being exported. */
export function issuesSection(issues: readonly IssueResponse[], hasMore: boolean): Html {
  return html`<section>
    <h2>To be mended</h2>
    ${
      issues.length === 0
        ? html`<p><span class="mark done">empty</span> No entry is held up.</p>`
        : html`<table>
            <tr>
              <th>What</th>
              <th>Entries</th>
              <th>What helps</th>
            </tr>
            ${issues.map(
              ({ kind, reference, entries, suggestedResolution }) =>
                html`<tr>
                  <td>${kind} ${reference}</td>
                  <td class="number">${entries}</td>
                  <td>${suggestedResolution.text}</td>
                </tr>`,
            )}
          </table>`
    }
    ${hasMore ? html`<p class="soft">There are more: <code>GET /api/v1/issues</code> lists them all.</p>` : null}
  </section>`;
}

function statusMarkOf(done: boolean): Html {
  return done ? html`<span class="mark done">done</span>` : html`<span class="mark open">open</span>`;
}
