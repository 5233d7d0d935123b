import { isRunning } from '../exports/domain/job-state.js';
import type { ExportJob, ExportJobItem, JobItemStatus } from '../exports/export-job.js';
import { html, type Html } from '../../../foundation/http/html.js';
import { button } from './layout.js';
import { countedStatus, shownTime, statusBadge, words } from './wording.js';

/** What a bookkeeper sees of an item, read from its wire form. */
export interface ShownItem {
  readonly id: string;
  readonly date: string;
  readonly type: string;
  readonly text: string;
  /** Decimal text with its currency. */
  readonly amount: string;
}

export interface ShownResult extends ExportJobItem {
  readonly item: ShownItem | undefined;
}

export interface ShownJob {
  readonly job: ExportJob;
  /** Who asked for it; unset when nobody knows. */
  readonly startedBy: string | undefined;
  readonly counts: ReadonlyMap<JobItemStatus, number>;
  /** The first ones, those that need somebody before the others. */
  readonly results: readonly ShownResult[];
}

/** In the order in which a bookkeeper wants to see them. */
const ORDER = ['failed', 'abandoned', 'in_progress', 'pending', 'successful'] as const;
/** Of a longer list the rest is folded, or all when nobody needs to look. */
export const MAX_UNFOLDED = 10;

/** One export: its clock while it runs, how each item ended and why. */
export function jobSection(shown: ShownJob): Html {
  const { job, startedBy, counts, results } = shown;
  const by = startedBy === undefined ? html`` : html`, started by ${startedBy}`;
  const summary = ORDER.filter((status) => (counts.get(status) ?? 0) > 0)
    .map((status) => countedStatus(status, counts.get(status) ?? 0))
    .join(', ');
  const groups = ORDER.map((status) =>
    resultGroup(
      status,
      counts.get(status) ?? 0,
      results.filter((result) => result.status === status),
    ),
  );
  return html`<section data-job="${job.id}">
    <h2>Export of ${shownTime(job.createdAt)} ${statusBadge(job.status)} <small>${summary}</small></h2>
    <p class="soft">${job.numberOfItems} entries${by}, job <code>${job.id}</code></p>
    ${jobClock(shown)}${jobReason(job)}${groups}
  </section>`;
}

function jobClock({ job, counts }: ShownJob): Html {
  if (!isRunning(job.status)) {
    return html``;
  }
  const deadline = job.lastUpdatedAt.getTime() + job.expiresIn * 1000;
  const done = (counts.get('successful') ?? 0) + (counts.get('failed') ?? 0);
  return html`<div class="row" data-running>
    <span
      >Expires in
      <span class="clock" data-deadline="${deadline}">${new Date(deadline).toISOString()}</span></span
    >
    <progress max="${job.numberOfItems}" value="${done}">${done}</progress>
    ${button('/page/cancel', 'Cancel', { job_id: job.id })}
  </div>`;
}

function jobReason({ failureReason, failureReasonType }: ExportJob): Html {
  return failureReason === null && failureReasonType === null
    ? html``
    : html`<p class="failed">${reason(failureReason, failureReasonType)}</p>`;
}

function resultGroup(status: JobItemStatus, count: number, results: readonly ShownResult[]): Html {
  if (count === 0) {
    return html``;
  }
  const needsSomebody = status === 'failed' || status === 'abandoned';
  const table = html`<table>
    <tr>
      <th>Date</th>
      <th>Type</th>
      <th>Text</th>
      <th class="amount">Amount</th>
      <th>Result</th>
      <th>${needsSomebody ? 'Reason' : 'Entry'}</th>
    </tr>
    ${results.map((result) => resultRow(result, needsSomebody))}
  </table>`;
  const heading = countedStatus(status, count);
  const shown = results.length < count ? `${heading}, the first ${results.length.toString()} shown` : heading;
  return needsSomebody || count <= MAX_UNFOLDED
    ? table
    : html`<details>
        <summary>${shown}</summary>
        ${table}
      </details>`;
}

function resultRow(result: ShownResult, needsSomebody: boolean): Html {
  const { item, status } = result;
  const cells =
    item === undefined
      ? html`<td colspan="4"><code>${result.accountingEntryId}</code></td>`
      : itemCells(item);
  const last = needsSomebody
    ? html`<td class="text">
        ${reason(result.failureReason, result.failureReasonType)} ${entryLink(result)}
      </td>`
    : html`<td class="text">${entryLink(result)}</td>`;
  return html`<tr class="${status}">
    ${cells}
    <td>${statusBadge(status)}</td>
    ${last}
  </tr>`;
}

export function itemCells({ date, type, text, amount }: ShownItem): Html {
  return html`<td class="date">${date}</td>
    <td>${words(type)}</td>
    <td class="text">${text}</td>
    <td class="amount">${amount}</td>`;
}

/** The kind of reason in words, and what the application wrote about it. */
function reason(text: string | null, type: string | null): Html {
  const kind = type === null ? html`` : html`<strong class="reason" title="${type}">${words(type)}</strong>`;
  return text === null ? kind : html`${kind} ${text}`;
}

function entryLink({ externalId, externalUrl }: ExportJobItem): Html {
  const isLink = externalUrl !== null && /^https?:\/\//.test(externalUrl);
  return isLink
    ? html`<a href="${externalUrl}" rel="noreferrer">${externalId ?? externalUrl}</a>`
    : html`${externalId}`;
}
