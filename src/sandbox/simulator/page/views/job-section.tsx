import type { ReactNode } from 'react';
import { isRunning } from '../../exports/domain/job-state.js';
import type { ExportJob, ExportJobItem, JobItemStatus } from '../../exports/export-job.js';
import { ButtonForm } from './layout.js';
import { countedStatus, StatusBadge, Time, words } from './wording.js';

/** The part of an item that a bookkeeper sees, read from its wire form. */
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
  /** The person who started it; unset when unknown. */
  readonly startedBy: string | undefined;
  readonly counts: ReadonlyMap<JobItemStatus, number>;
  /** The first ones; those that need attention come before the others. */
  readonly results: readonly ShownResult[];
}

/** In the order of a bookkeeper's interest. */
const ORDER = ['failed', 'abandoned', 'in_progress', 'pending', 'successful'] as const;
/** Of a longer list the rest is folded, or all of it when nothing needs attention. */
export const MAX_UNFOLDED = 10;

/** One export: its clock while it runs, the result of each item and the reasons. */
export function JobSection(shown: ShownJob) {
  const { job, startedBy, counts, results } = shown;
  const groups = ORDER.map((status) => ({ status, count: counts.get(status) ?? 0 })).filter(({ count }) => count > 0);
  const summary = groups.map(({ status, count }) => countedStatus(status, count)).join(', ');
  const { failureReason, failureReasonType } = job;
  return (
    <section data-job={job.id}>
      <h2>
        Export of <Time instant={job.createdAt} /> <StatusBadge status={job.status} /> <small>{summary}</small>
      </h2>
      <p className="soft">
        {job.numberOfItems} {job.numberOfItems === 1 ? 'entry' : 'entries'}
        {startedBy === undefined ? '' : `, started by ${startedBy}`}, job <code>{job.id}</code>
      </p>
      {isRunning(job.status) && <JobClock {...shown} />}
      {(failureReason !== null || failureReasonType !== null) && (
        <p className="failed">
          <Reason text={failureReason} type={failureReasonType} />
        </p>
      )}
      {groups.map(({ status, count }) => (
        <ResultGroup
          key={status}
          status={status}
          count={count}
          results={results.filter((result) => result.status === status)}
        />
      ))}
    </section>
  );
}

function JobClock({ job, counts }: ShownJob) {
  const deadline = job.lastUpdatedAt.getTime() + job.expiresIn * 1000;
  const done = (counts.get('successful') ?? 0) + (counts.get('failed') ?? 0);
  return (
    <div className="row" data-running="">
      <span>
        Expires in{' '}
        <span className="clock" data-deadline={deadline}>
          {new Date(deadline).toISOString()}
        </span>
      </span>
      <progress max={job.numberOfItems} value={done}>
        {done}
      </progress>
      <ButtonForm action="/page/cancel" label="Cancel" fields={{ job_id: job.id }} />
    </div>
  );
}

interface ResultGroupProps {
  readonly status: JobItemStatus;
  readonly count: number;
  readonly results: readonly ShownResult[];
}

function ResultGroup({ status, count, results }: ResultGroupProps) {
  const needsAttention = status === 'failed' || status === 'abandoned';
  const table = (
    <ItemTable columns={['Result', needsAttention ? 'Reason' : 'Entry']}>
      {results.map((result) => (
        <ResultRow key={result.accountingEntryId} result={result} needsAttention={needsAttention} />
      ))}
    </ItemTable>
  );
  const heading = shownOf(countedStatus(status, count), results.length, count);
  if (!needsAttention && count > MAX_UNFOLDED) {
    return (
      <details>
        <summary>{heading}</summary>
        {results.length > 0 && table}
      </details>
    );
  }
  return (
    <>
      {results.length < count && <p className="soft">{heading}</p>}
      {results.length > 0 && table}
    </>
  );
}

/** How many there are, and how many of them the page lists where it does not list all: “500 failed, the first 200 shown”. */
export function shownOf(heading: string, shown: number, count: number): string {
  if (shown === count) return heading;
  return shown === 0 ? `${heading}, not shown` : `${heading}, the first ${shown.toString()} shown`;
}

interface ResultRowProps {
  readonly result: ShownResult;
  readonly needsAttention: boolean;
}

function ResultRow({ result, needsAttention }: ResultRowProps) {
  const { item, status, accountingEntryId, failureReason, failureReasonType } = result;
  return (
    <tr className={status}>
      {item === undefined ? (
        <td colSpan={4}>
          <code>{accountingEntryId}</code>
        </td>
      ) : (
        <ItemCells {...item} />
      )}
      <td>
        <StatusBadge status={status} />
      </td>
      <td className="text">
        {needsAttention && (
          <>
            <Reason text={failureReason} type={failureReasonType} />{' '}
          </>
        )}
        <EntryLink {...result} />
      </td>
    </tr>
  );
}

export interface ItemTableProps {
  /** Headings after those of the item. */
  readonly columns: readonly string[];
  readonly children: ReactNode;
}

/** A table whose rows begin with `ItemCells`. */
export function ItemTable({ columns, children }: ItemTableProps) {
  return (
    <table>
      <thead>
        <tr>
          <th>Date</th>
          <th>Type</th>
          <th>Text</th>
          <th className="amount">Amount</th>
          {columns.map((column) => (
            <th key={column}>{column}</th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

export function ItemCells({ date, type, text, amount }: ShownItem) {
  return (
    <>
      <td className="date">{date}</td>
      <td>{words(type)}</td>
      <td className="text">{text}</td>
      <td className="amount">{amount}</td>
    </>
  );
}

/** The kind of reason in words, and what the application wrote about it. */
function Reason({ text, type }: { readonly text: string | null; readonly type: string | null }) {
  return (
    <>
      {type !== null && (
        <strong className="reason" title={type}>
          {words(type)}
        </strong>
      )}
      {text !== null && ` ${text}`}
    </>
  );
}

function EntryLink({ externalId, externalUrl }: ExportJobItem) {
  const isLink = externalUrl !== null && /^https?:\/\//.test(externalUrl);
  return isLink ? (
    <a href={externalUrl} rel="noreferrer">
      {externalId ?? externalUrl}
    </a>
  ) : (
    externalId
  );
}
