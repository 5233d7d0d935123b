import { Injectable } from '@nestjs/common';
import { sql, type SqlStatement } from '../../../foundation/database/sql.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { InstallationId } from '../../../kernel/ids.js';
import type { Message } from '../../../kernel/message.js';
import { toIssue, type Issue } from '../../bookkeeping/item/issues.js';
import { companyDay } from '../../erp/company-day.js';
import type { IssueHandling } from './issue-handling.repository.js';

/** Newest jobs that are listed with an issue. */
const MAX_JOBS = 10;
/** Issues that are shown with one entry. */
const MAX_BLOCKING = 20;

export interface FailedAmount {
  /** Null with entries whose amount could not be read. */
  readonly currency: string | null;
  /** Decimal text, minor units. */
  readonly minor: string | null;
  readonly entries: number;
}

/**
 * `snoozed`: postponed until a day · `left`: its entries were booked by hand, and no other has failed since · `closed`: it
 * blocks no entry.
 */
export type IssueState = 'open' | 'snoozed' | 'left' | 'closed';
const NOT_CLOSED: readonly IssueState[] = ['open', 'snoozed', 'left'];

export const ISSUE_SORTS = ['entries', 'amount', 'age'] as const;

/** Absent properties do not narrow the list. */
export interface IssueFilter {
  readonly kind?: string | undefined;
  readonly assignee?: string | undefined;
  /** Part of key, name or reason. */
  readonly search?: string | undefined;
  /** Most entries, the greatest sum (of minor units in any currency), or the oldest first. */
  readonly sort?: (typeof ISSUE_SORTS)[number] | undefined;
}

/** An issue with the entries that fail because of it or, once closed, with those that did. */
export interface InboxRow {
  readonly key: string;
  readonly issue: Issue;
  /** It is about a rule of the mapping that was deleted since. */
  readonly isRuleGone: boolean;
  readonly failureType: string;
  /** Why the last of its items failed, in English, as the platform received it. */
  readonly reason: string;
  /** The reason as messages; null: it is known in English only. */
  readonly reasonMessages: readonly Message[] | null;
  readonly state: IssueState;
  readonly entries: number;
  readonly amounts: readonly FailedAmount[];
  /** The entry, where it is one. */
  readonly onlyEntry: EntryLabel | null;
  readonly jobs: number;
  /** The newest ones. */
  readonly jobIds: readonly string[];
  readonly firstSeen: Date;
  readonly lastSeen: Date;
  readonly closedAt: Date | null;
  readonly handling: IssueHandling;
  /** Its position in the order of the list. */
  readonly rank: string;
}

/** By what people know an entry. */
export interface EntryLabel {
  readonly accountingEntryId: string;
  /** 'YYYY-MM-DD'; null where the item could not be read. */
  readonly date: string | null;
  /** Null where the platform names none, and once the item is cleared. */
  readonly supplier: string | null;
}

export interface IssueTotals {
  readonly total: number;
  readonly amounts: readonly FailedAmount[];
}

/** The last row of a page. */
export interface InboxPosition {
  readonly rank: string;
  readonly key: string;
}

interface Row extends Omit<InboxRow, 'issue' | 'amounts' | 'jobIds' | 'handling'> {
  readonly assignee: string | null;
  readonly note: string | null;
  readonly snoozed_until: string | null;
  readonly kind: Issue['kind'];
  readonly reference: string;
  readonly reference_group: string | null;
  readonly name: string | null;
  readonly amounts: readonly FailedAmount[] | null;
  readonly job_ids: readonly string[] | null;
}

interface Selection {
  readonly states: readonly IssueState[];
  readonly after?: InboxPosition | undefined;
  readonly limit: number;
  /** Only these issues. */
  readonly keys?: readonly string[];
  readonly filter?: IssueFilter;
}

/** Issues to resolve, each with what its entries come to. */
@Injectable()
export class InboxReader {
  constructor(private readonly tenantDatabase: TenantDatabase) {}

  /** Those in one state, in the order of the filter. */
  async list(
    installationId: InstallationId,
    state: InboxRow['state'],
    after: InboxPosition | undefined,
    limit: number,
    filter: IssueFilter = {},
  ): Promise<readonly InboxRow[]> {
    return this.tenantDatabase.readOnce('list issues', installationId, (tx) =>
      this.select(tx, installationId, { states: [state], after, limit, filter }),
    );
  }

  /** How many issues a list has on all its pages, and what they block: each entry once, by currency. */
  async totals(installationId: InstallationId, state: IssueState, filter: IssueFilter): Promise<IssueTotals> {
    const isOpen = state !== 'closed';
    return this.tenantDatabase.inInstallation('add up issues', installationId, async (tx) => {
      const [found] = await tx.rows<IssueTotals & { readonly amounts: readonly FailedAmount[] | null }>(sql`
        WITH counted AS (${countedIssues(installationId, isOpen, undefined, filter)}), known AS (${knownIssues(installationId, isOpen, 'entries')}),
        matching AS MATERIALIZED (SELECT issue_key FROM known WHERE ${matches({ states: [state], filter })}),
        blocked AS (
          SELECT accounting_entry_id, min(currency) AS currency, min(amount_minor) AS amount_minor FROM failed_entry
          WHERE installation_id = ${installationId} AND (cleared_at IS NULL) = ${isOpen}
            AND issue_key IN (SELECT issue_key FROM matching)
          GROUP BY accounting_entry_id)
        SELECT (SELECT count(*)::int FROM matching) AS total, (SELECT jsonb_agg(sums) FROM (
          SELECT currency, sum(amount_minor)::text AS minor, count(*)::int AS entries FROM blocked
          GROUP BY currency ORDER BY currency) sums) AS amounts`);
      return { total: found?.total ?? 0, amounts: found?.amounts ?? [] };
    });
  }

  /** @param key of the issue, as the list has it */
  async find(installationId: InstallationId, key: string): Promise<InboxRow | undefined> {
    return this.tenantDatabase.inInstallation('read issue', installationId, async (tx) => {
      const [found] = await this.select(tx, installationId, { states: NOT_CLOSED, limit: 1, keys: [key] });
      return found ?? (await this.select(tx, installationId, { states: ['closed'], limit: 1, keys: [key] }))[0];
    });
  }

  /** Open issues that an entry fails because of, as the list has them. */
  async blocking(installationId: InstallationId, entryId: string): Promise<readonly InboxRow[]> {
    return this.tenantDatabase.inInstallation('read issues of an entry', installationId, async (tx) => {
      const found = await tx.rows<{ key: string }>(sql`
        SELECT issue_key AS key FROM failed_entry
        WHERE installation_id = ${installationId} AND accounting_entry_id = ${entryId} AND cleared_at IS NULL
        ORDER BY issue_key LIMIT ${MAX_BLOCKING}`);
      const keys = found.map(({ key }) => key);
      const rows = await this.select(tx, installationId, { states: NOT_CLOSED, limit: keys.length, keys });
      return keys.flatMap((key) => rows.find((row) => row.key === key) ?? []);
    });
  }

  /** Those of the given ones that are open, the greatest sum first. */
  async openAmong(installationId: InstallationId, keys: readonly string[]): Promise<readonly InboxRow[]> {
    const selection: Selection = { states: ['open'], limit: keys.length, keys, filter: { sort: 'amount' } };
    return this.tenantDatabase.readOnce('read issues', installationId, (tx) =>
      this.select(tx, installationId, selection),
    );
  }

  private async select(
    tx: Tx,
    installationId: InstallationId,
    { states, after, limit, keys, filter = {} }: Selection,
  ): Promise<readonly InboxRow[]> {
    const { sort = 'entries' } = filter;
    const isOpen = !states.includes('closed');
    // Details are read only for the issues of the page: there may be ten thousand others.
    const rows = await tx.rows<Row>(sql`
      WITH counted AS (${countedIssues(installationId, isOpen, keys, filter)}), known AS (${knownIssues(installationId, isOpen, sort)}),
      page AS (
        SELECT * FROM known
        WHERE ${matches({ states, filter })}
          AND (${after === undefined} OR (rank, issue_key) > (${after?.rank ?? null}::numeric, ${after?.key ?? ''}))
        ORDER BY rank, issue_key LIMIT ${limit}
      )
      SELECT page.issue_key AS key, kind, reference, reference_group, name,
        kind = 'rule' AND NOT EXISTS (SELECT FROM mapping_rule rule WHERE rule.installation_id = ${installationId}
          AND rule.id = substring(reference FROM '^[0-9]{1,9}$')::int AND until_version IS NULL) AS "isRuleGone",
        failure_type AS "failureType", reason,
        reason_messages AS "reasonMessages", state,
        page.entries, of_jobs.jobs, first_seen AS "firstSeen", last_seen AS "lastSeen", of_jobs.closed_at AS "closedAt",
        rank::text AS rank, assignee, note, snoozed_until::text AS snoozed_until,
        (SELECT jsonb_agg(sums) FROM (
          SELECT currency, sum(amount_minor)::text AS minor, count(*)::int AS entries FROM failed_entry entry
          WHERE entry.installation_id = ${installationId} AND entry.issue_key = page.issue_key
            AND (cleared_at IS NULL) = ${isOpen} GROUP BY currency ORDER BY currency
        ) sums) AS amounts,
        (SELECT jsonb_build_object('accountingEntryId', accounting_entry_id, 'date', item_date, 'supplier', supplier) FROM failed_entry entry
          WHERE page.entries = 1 AND entry.installation_id = ${installationId} AND entry.issue_key = page.issue_key
            AND (cleared_at IS NULL) = ${isOpen}) AS "onlyEntry",
        (SELECT array_agg(id::text) FROM (
          SELECT export_job_id AS id FROM failed_entry entry
          WHERE entry.installation_id = ${installationId} AND entry.issue_key = page.issue_key
            AND (cleared_at IS NULL) = ${isOpen} GROUP BY export_job_id ORDER BY max(last_seen_at) DESC, id LIMIT ${MAX_JOBS}
        ) newest) AS job_ids
      FROM page JOIN issue ON issue.installation_id = ${installationId} AND issue.issue_key = page.issue_key
      CROSS JOIN LATERAL (
        SELECT count(DISTINCT export_job_id)::int AS jobs, max(cleared_at) AS closed_at FROM failed_entry entry
        WHERE entry.installation_id = ${installationId} AND entry.issue_key = page.issue_key
          AND (cleared_at IS NULL) = ${isOpen}) AS of_jobs
      ORDER BY page.rank, page.issue_key`);
    return rows.map(toRow);
  }
}

/** Issues with the entries that they block or have blocked. @param keys undefined: all that the filter selects */
function countedIssues(
  installationId: InstallationId,
  isOpen: boolean,
  keys: readonly string[] | undefined,
  { kind, search }: IssueFilter,
): SqlStatement {
  const named = sql`AND issue_key IN (SELECT issue_key FROM issue WHERE installation_id = ${installationId}
            AND (${kind ?? null}::text IS NULL OR kind = ${kind ?? null})
            AND (${search ?? null}::text IS NULL
              OR strpos(lower(concat_ws(' ', issue_key, name, reason)), lower(${search ?? null})) > 0))`;
  return sql`
        SELECT issue_key, count(*)::int AS entries, sum(abs(amount_minor)) AS size,
          min(first_seen_at) AS first_seen, max(last_seen_at) AS last_seen
        FROM failed_entry entry
        WHERE installation_id = ${installationId} AND (cleared_at IS NULL) = ${isOpen}
          ${keys === undefined ? sql`` : sql`AND issue_key = ANY(${[...keys]}::text[])`}
          ${kind === undefined && search === undefined ? sql`` : named}
          AND (${isOpen} OR NOT EXISTS (SELECT FROM failed_entry other WHERE other.installation_id = entry.installation_id
            AND other.issue_key = entry.issue_key AND other.cleared_at IS NULL))
        GROUP BY issue_key`;
}

/** The counts of each issue, with its state and its position in the order. */
function knownIssues(
  installationId: InstallationId,
  isOpen: boolean,
  sort: (typeof ISSUE_SORTS)[number],
): SqlStatement {
  return sql`
        SELECT counted.*, assignee, note, snoozed_until,
          CASE WHEN NOT ${isOpen} THEN 'closed' WHEN left_at >= last_seen THEN 'left'
            WHEN snoozed_until > ${companyDay(installationId)} THEN 'snoozed' ELSE 'open' END AS state,
          CASE ${sort}::text WHEN 'amount' THEN -coalesce(size, 0)
            WHEN 'age' THEN floor(extract(epoch FROM first_seen) * 1000) ELSE -entries END AS rank
        FROM counted
        LEFT JOIN issue_handling handling ON handling.installation_id = ${installationId} AND handling.issue_key = counted.issue_key`;
}

function matches({ states, filter: { assignee } = {} }: Pick<Selection, 'states' | 'filter'>): SqlStatement {
  return sql`state = ANY(${[...states]}::text[]) AND (${assignee ?? null}::text IS NULL OR assignee = ${assignee ?? null})`;
}

function toRow(row: Row): InboxRow {
  const { kind, reference, reference_group, name, amounts, job_ids, assignee, note, snoozed_until, ...rest } = row;
  const handling = { assignee, note, snoozedUntil: snoozed_until, bookedByHand: row.state === 'left' };
  const issue = toIssue({ kind, reference, group: reference_group, name });
  return { ...rest, issue, handling, amounts: amounts ?? [], jobIds: job_ids ?? [] };
}
