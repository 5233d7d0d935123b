import { Table } from '../../../foundation/pages/table.js';
import { englishText } from '../../messages/texts.js';
import type { SetupStep } from '../../mapping/domain/setup-step.js';
import type { IssueResponse } from '../issues/issues.dto.js';
import type { ConnectionProgress } from '../connection/read-connection.js';
import { MoreNote } from './settings-layout.js';

const STATES: Readonly<Record<ConnectionProgress['installation']['state'], readonly [text: string, mark: string]>> = {
  authorized: ['connecting', ''],
  active: ['connected', 'done'],
  needs_reauthorization: ['has to be connected again', 'open'],
  uninstalled: ['uninstalled', 'open'],
};

export interface ConnectionSectionProps {
  readonly connection: ConnectionProgress;
  /** Of the person who looks at the page. */
  readonly role: string;
}

/** How the company is connected. */
export function ConnectionSection({ connection, role }: ConnectionSectionProps) {
  const { companyName, companyId, state, problem, pause } = connection.installation;
  const [text, mark] = STATES[state];
  return (
    <section>
      <h2>Connection</h2>
      <dl>
        <dt>Company</dt>
        <dd>
          {companyName} <span className="soft">{companyId}</span>
        </dd>
        <dt>Status</dt>
        <dd>
          <span className={`mark ${mark}`}>{text}</span>{' '}
          {state === 'needs_reauthorization' && <a href="/connect">Connect again</a>}
        </dd>
        <dt>Your role</dt>
        <dd>{role}</dd>
      </dl>
      {pause !== undefined && (
        <p className="notice">
          The operator of this service has paused exports since {pause.at.toISOString().slice(0, 16).replace('T', ' ')}{' '}
          UTC: {pause.reason}
        </p>
      )}
      {problem !== undefined && <p className="notice">{englishText(problem.detail)}</p>}
      <ul>
        {connection.steps.map(({ done, detail }) => (
          <li key={detail.code}>
            <span className={done ? 'mark done' : 'mark open'}>{done ? 'done' : 'open'}</span> {englishText(detail)}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What is still missing before exports can start. */
export function SetupSection({ steps }: { readonly steps: readonly SetupStep[] }) {
  const open = steps.filter(({ state }) => state !== 'done');
  return (
    <section>
      <h2>Set-up</h2>
      {open.length === 0 ? (
        <p>
          <span className="mark done">complete</span> Nothing is missing.
        </p>
      ) : (
        <table>
          <tbody>
            {open.map(({ check, state, blocks, detail, resolvedBy }) => (
              <tr key={check}>
                <td>
                  <span className={blocks === 'nothing' ? 'mark' : 'mark open'}>{state}</span>
                </td>
                <td>{englishText(detail)}</td>
                <td>{resolvedBy !== undefined && <code>{resolvedBy}</code>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className="soft">
        {steps.length - open.length} of {steps.length} checks are done.
      </p>
    </section>
  );
}

export interface IssuesSectionProps {
  readonly issues: readonly IssueResponse[];
  /** More issues are open than are shown. */
  readonly hasMore: boolean;
}

/** The issues that keep entries from being exported. */
export function IssuesSection({ issues, hasMore }: IssuesSectionProps) {
  return (
    <section>
      <h2>Needs attention</h2>
      {issues.length === 0 ? (
        <p>
          <span className="mark done">empty</span> No entry is held up.
        </p>
      ) : (
        <Table columns={['Issue', 'Entries', 'How to resolve it']}>
          {issues.map(({ kind, reference, entries, suggestedResolution }) => (
            <tr key={`${kind} ${reference}`}>
              <td>
                {kind} {reference}
              </td>
              <td className="number">{entries}</td>
              <td>{suggestedResolution.text}</td>
            </tr>
          ))}
        </Table>
      )}
      {hasMore && <MoreNote request="GET /api/v1/issues" />}
    </section>
  );
}
