import { html, type Html } from '../../../foundation/http/html.js';
import { parseCurrency } from '../../../kernel/currency.js';
import { formatMinor } from '../../../kernel/money.js';
import { actionsOf } from '../../reconciliation/domain/discrepancy-class.js';
import type { RunView } from '../../reconciliation/domain/reconciliation-run.js';
import type {
  DifferenceView,
  OpenClass,
  ReconciliationStatus,
} from '../../reconciliation/reconciliation.service.js';
import { MAX_NOTE_LENGTH } from '../reconciliation/reconciliation.dto.js';
import { settingsForm, shownTime } from './settings-layout.js';

const DAY_MS = 86_400_000;

export interface ReconciliationView {
  readonly status: Pick<ReconciliationStatus, 'nextRunAt' | 'alertAfterDays' | 'overdueDiscrepancies'>;
  readonly lastRun: RunView | undefined;
  readonly classes: readonly OpenClass[];
  /** The oldest open ones. */
  readonly discrepancies: readonly DifferenceView[];
  readonly hasMore: boolean;
  /** `YYYY-MM`, of which a close report may be wanted. */
  readonly months: readonly string[];
  readonly now: Date;
}

/**
 * Whether platform, connector and ERP agree, and what is to be done where they do not.
 * @param csrfToken undefined for who may only read
 */
export function reconciliationSection(view: ReconciliationView, csrfToken: string | undefined): Html {
  const { status, lastRun, classes, discrepancies, hasMore, months } = view;
  return html`<section id="reconciliation">
    <h2>Reconciliation</h2>
    <dl>
      <dt>Last comparison</dt>
      <dd>${lastRun === undefined ? 'none yet' : runText(lastRun)}</dd>
      <dt>Next one by itself</dt>
      <dd>${status.nextRunAt === null ? 'not planned yet' : shownTime(status.nextRunAt)}</dd>
      <dt>Close report</dt>
      <dd>
        ${months.map((month) => html`<a href="/api/v1/close-reports/${month}?format=html">${month}</a> `)}
      </dd>
    </dl>
    ${
      classes.length === 0
        ? html`<p><span class="mark done">empty</span> No discrepancy is open.</p>`
        : html`${classTable(view)}
          ${discrepancies.map((discrepancy) => discrepancyRow(discrepancy, view.now, csrfToken))}`
    }
    ${
      hasMore
        ? html`<p class="soft">There are more: <code>GET /api/v1/discrepancies</code> lists them all.</p>`
        : null
    }
  </section>`;
}

function runText({
  kind,
  state,
  finishedAt,
  requestedAt,
  items,
  discrepancies,
  repaired,
  failure,
}: RunView): Html {
  const what = kind === 'job' ? 'of one job' : 'of all jobs';
  return html`${shownTime(finishedAt ?? requestedAt)}, ${what}:
    <span class="mark ${state === 'failed' ? 'open' : state === 'completed' ? 'done' : ''}">${state}</span>
    ${items.toString()} entries, ${discrepancies.toString()} discrepancies, ${repaired.toString()} mended.
    ${failure === null ? null : html`<span class="soft">${failure}</span>`}`;
}

function classTable({ classes, status, now }: ReconciliationView): Html {
  return html`<table>
      <tr>
        <th>Open discrepancies</th>
        <th>How many</th>
        <th>Oldest</th>
      </tr>
      ${classes.map(
        (each) =>
          html`<tr>
            <td><a href="/api/v1/discrepancies?class=${each.class}">${words(each.class)}</a></td>
            <td class="number">${each.count.toString()}</td>
            <td>${ageText(each.oldestSeenAt, now)}</td>
          </tr>`,
      )}
    </table>
    ${
      status.overdueDiscrepancies === 0
        ? null
        : html`<p class="notice">
            ${status.overdueDiscrepancies.toString()} have been open for more than
            ${status.alertAfterDays.toString()} days.
          </p>`
    }`;
}

function discrepancyRow(discrepancy: DifferenceView, now: Date, csrfToken: string | undefined): Html {
  const { id, class: discrepancyClass, subject, firstSeenAt, evidence, note, reexportId } = discrepancy;
  return html`<article>
    <p>
      <strong>${words(discrepancyClass)}</strong> <code>${subject}</code> ${amountText(discrepancy)}
      <span class="soft">${ageText(firstSeenAt, now)}</span>
    </p>
    ${evidence.refusal === undefined ? null : html`<p class="notice">${evidence.refusal}</p>`}
    ${reexportId === null ? null : html`<p class="soft">Another export was asked for: ${note ?? ''}</p>`}
    ${
      csrfToken === undefined
        ? null
        : settingsForm(csrfToken, `discrepancies/${id}/actions`, actionForm(actionsOf(discrepancyClass)))
    }
  </article>`;
}

function actionForm(actions: readonly string[]): Html {
  return html`<label>Why <input name="note" required maxlength="${MAX_NOTE_LENGTH}" /></label>
    ${actions.map((action) => html`<button name="action" value="${action}">${words(action)}</button> `)}`;
}

function amountText({ amountMinor, currency: code }: DifferenceView): string {
  const currency = code === null ? undefined : parseCurrency(code);
  return amountMinor === null || currency === undefined
    ? ''
    : `${formatMinor(BigInt(amountMinor), currency)} ${currency}`;
}

function ageText(since: Date, now: Date): string {
  const days = Math.max(0, Math.floor((now.getTime() - since.getTime()) / DAY_MS));
  return days === 0 ? 'since today' : days === 1 ? 'for a day' : `for ${days.toString()} days`;
}

function words(name: string): string {
  return name === 're-export' ? 'export again' : name.replaceAll('-', ' ');
}
