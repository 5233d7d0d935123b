import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { InstallationId } from '../../../kernel/ids.js';
import type { Issue } from '../../bookkeeping/item/issues.js';

/** Sorts before every entry's id: the first page starts after it. */
const LOWEST_ENTRY_ID = '00000000-0000-0000-0000-000000000000';
/** Newest jobs that are named with a row. */
const MAX_JOBS = 10;

export interface FailedAmount {
  /** Null with entries whose amount could not be read. */
  readonly currency: string | null;
  /** Decimal text, minor units. */
  readonly minor: string | null;
  readonly entries: number;
}

/** An issue with the entries that fail because of it or, once closed, with those that did. */
export interface InboxRow {
  readonly key: string;
  readonly issue: Issue;
  readonly failureType: string;
  /** Why the last of its items failed. */
  readonly reason: string;
  readonly state: 'open' | 'closed';
  readonly entries: number;
  readonly amounts: readonly FailedAmount[];
  readonly jobs: number;
  /** The newest ones. */
  readonly jobIds: readonly string[];
  readonly firstSeen: Date;
  readonly lastSeen: Date;
  readonly closedAt: Date | null;
}

export interface FailedEntry {
  readonly accountingEntryId: string;
  readonly exportJobId: string;
  readonly itemType: string | null;
  readonly currency: string | null;
  readonly amountMinor: string | null;
  readonly firstSeen: Date;
  readonly lastSeen: Date;
  readonly clearedAt: Date | null;
  readonly clearedByJobId: string | null;
}

/** The last row of a page: most entries first. */
export interface InboxPosition {
  readonly entries: number;
  readonly key: string;
}

interface Row extends Omit<InboxRow, 'issue' | 'amounts' | 'jobIds'> {
  readonly kind: Issue['kind'];
  readonly reference: string;
  readonly reference_group: string | null;
  readonly name: string | null;
  readonly amounts: readonly FailedAmount[] | null;
  readonly job_ids: readonly string[] | null;
}

/** Failed entries by the issue to resolve. */
@Injectable()
export class InboxReader {
  constructor(private readonly tenantDatabase: TenantDatabase) {}

  /** Open issues, or those that the system has closed; those with the most entries first. */
  async list(
    installationId: InstallationId,
    state: InboxRow['state'],
    after: InboxPosition | undefined,
    limit: number,
  ): Promise<readonly InboxRow[]> {
    return this.tenantDatabase.inInstallation('list issues', installationId, (tx) =>
      this.select(tx, installationId, { state, after, limit }),
    );
  }

  /** @param key of the issue, as the list has it */
  async find(installationId: InstallationId, key: string): Promise<InboxRow | undefined> {
    return this.tenantDatabase.inInstallation('read issue', installationId, async (tx) => {
      const [open] = await this.select(tx, installationId, { state: 'open', limit: 1, key });
      return open ?? (await this.select(tx, installationId, { state: 'closed', limit: 1, key }))[0];
    });
  }

  /** In the order of their ids. */
  async entries(
    installationId: InstallationId,
    key: string,
    afterId: string | undefined,
    limit: number,
  ): Promise<readonly FailedEntry[]> {
    const page = { openOnly: false, afterId: afterId ?? LOWEST_ENTRY_ID, limit };
    return this.tenantDatabase.inInstallation('list failed entries', installationId, (tx) =>
      this.selectEntries(tx, installationId, key, page),
    );
  }

  /**
   * What an issue keeps from being exported now, at most `limit` entries.
   * @param tx of the change that exports them again
   */
  async failedBecauseOf(
    tx: Tx,
    installationId: InstallationId,
    key: string,
    limit: number,
  ): Promise<readonly FailedEntry[]> {
    return this.selectEntries(tx, installationId, key, { openOnly: true, afterId: LOWEST_ENTRY_ID, limit });
  }

  private async selectEntries(
    tx: Tx,
    installationId: InstallationId,
    key: string,
    page: { readonly openOnly: boolean; readonly afterId: string; readonly limit: number },
  ): Promise<readonly FailedEntry[]> {
    return tx.rows<FailedEntry>(sql`
      SELECT accounting_entry_id AS "accountingEntryId", export_job_id AS "exportJobId", item_type AS "itemType", currency,
        amount_minor::text AS "amountMinor", first_seen_at AS "firstSeen", last_seen_at AS "lastSeen",
        cleared_at AS "clearedAt", cleared_by_job_id AS "clearedByJobId"
      FROM failed_entry
      WHERE installation_id = ${installationId} AND issue_key = ${key} AND accounting_entry_id > ${page.afterId}
        AND (NOT ${page.openOnly} OR cleared_at IS NULL)
      ORDER BY accounting_entry_id LIMIT ${page.limit}`);
  }

  private async select(
    tx: Tx,
    installationId: InstallationId,
    {
      state,
      after,
      limit,
      key,
    }: {
      readonly state: InboxRow['state'];
      readonly after?: InboxPosition | undefined;
      readonly limit: number;
      readonly key?: string;
    },
  ): Promise<readonly InboxRow[]> {
    const isOpen = state === 'open';
    const rows = await tx.rows<Row>(sql`
      WITH counted AS (
        SELECT issue_key, count(*)::int AS entries, count(DISTINCT export_job_id)::int AS jobs,
          min(first_seen_at) AS first_seen, max(last_seen_at) AS last_seen, max(cleared_at) AS closed_at
        FROM failed_entry entry
        WHERE installation_id = ${installationId} AND (cleared_at IS NULL) = ${isOpen}
          AND (${key ?? null}::text IS NULL OR issue_key = ${key ?? null})
          AND (${isOpen} OR NOT EXISTS (SELECT FROM failed_entry other WHERE other.installation_id = entry.installation_id
            AND other.issue_key = entry.issue_key AND other.cleared_at IS NULL))
        GROUP BY issue_key
      ), page AS (
        SELECT * FROM counted
        WHERE (${after === undefined} OR (-entries, issue_key) > (${-(after?.entries ?? 0)}, ${after?.key ?? ''}))
        ORDER BY -entries, issue_key LIMIT ${limit}
      )
      SELECT issue_key AS key, kind, reference, reference_group, name, failure_type AS "failureType", reason,
        ${state}::text AS state, page.entries, jobs, first_seen AS "firstSeen", last_seen AS "lastSeen",
        closed_at AS "closedAt",
        (SELECT jsonb_agg(sums) FROM (
          SELECT currency, sum(amount_minor)::text AS minor, count(*)::int AS entries FROM failed_entry entry
          WHERE entry.installation_id = ${installationId} AND entry.issue_key = page.issue_key
            AND (cleared_at IS NULL) = ${isOpen} GROUP BY currency ORDER BY currency
        ) sums) AS amounts,
        (SELECT array_agg(id::text) FROM (
          SELECT export_job_id AS id FROM failed_entry entry
          WHERE entry.installation_id = ${installationId} AND entry.issue_key = page.issue_key
            AND (cleared_at IS NULL) = ${isOpen} GROUP BY export_job_id ORDER BY max(last_seen_at) DESC, id LIMIT ${MAX_JOBS}
        ) newest) AS job_ids
      FROM page JOIN issue USING (issue_key)
      WHERE issue.installation_id = ${installationId} ORDER BY -page.entries, issue_key`);
    return rows.map(toRow);
  }
}

function toRow(row: Row): InboxRow {
  const { kind, reference, reference_group, name, amounts, job_ids, ...rest } = row;
  const issue = {
    kind,
    reference,
    ...(reference_group !== null && { group: reference_group }),
    ...(name !== null && { name }),
  };
  return { ...rest, issue, amounts: amounts ?? [], jobIds: job_ids ?? [] };
}
