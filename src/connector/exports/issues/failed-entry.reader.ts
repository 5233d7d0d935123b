import { Injectable } from '@nestjs/common';
import { prepared, sql } from '../../../foundation/database/sql.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { InstallationId } from '../../../kernel/ids.js';

/** Sorts before every entry's id, so that the first page starts after it. */
const LOWEST_ENTRY_ID = '00000000-0000-0000-0000-000000000000';

/** More than a company books by hand before the platform forgets them. */
const MAX_BOOKED_BY_HAND = 50_000;

/** One accounting entry in one issue. */
export interface FailedEntry {
  readonly accountingEntryId: string;
  readonly exportJobId: string;
  readonly itemType: string | null;
  readonly currency: string | null;
  /** Decimal text, minor units; null where it could not be read. */
  readonly amountMinor: string | null;
  readonly firstSeen: Date;
  readonly lastSeen: Date;
  readonly clearedAt: Date | null;
  readonly clearedByJobId: string | null;
}

/** Failed entries by the issues they fail because of. */
@Injectable()
export class FailedEntryReader {
  constructor(private readonly tenantDatabase: TenantDatabase) {}

  /** Entries that fail because of an issue or, once it is closed, did; in the order of their ids. */
  async ofIssue(
    installationId: InstallationId,
    key: string,
    afterId: string | undefined,
    limit: number,
  ): Promise<readonly FailedEntry[]> {
    const page = { openOnly: false, afterId: afterId ?? LOWEST_ENTRY_ID, limit };
    return this.tenantDatabase.readOnce('list failed entries', installationId, (tx) =>
      this.selectEntries(tx, installationId, key, page),
    );
  }

  /**
   * Entries that fail now and were not booked by hand, newest failures first, each with its issues. An issue that was left is open
   * again with all its entries once one of them, or another, has failed since.
   */
  async newest(
    installationId: InstallationId,
    limit: number,
  ): Promise<readonly { readonly accountingEntryId: string; readonly issueKeys: readonly string[] }[]> {
    return this.tenantDatabase.readOnce('read failed entries', installationId, (tx) =>
      tx.rows(sql`
        WITH failed AS (
          SELECT accounting_entry_id, issue_key, last_seen_at, max(last_seen_at) OVER (PARTITION BY issue_key) AS issue_seen_at
          FROM failed_entry WHERE installation_id = ${installationId} AND cleared_at IS NULL)
        SELECT accounting_entry_id AS "accountingEntryId", array_agg(failed.issue_key) AS "issueKeys"
        FROM failed LEFT JOIN issue_handling handling
          ON handling.installation_id = ${installationId} AND handling.issue_key = failed.issue_key
        WHERE left_at IS NULL OR left_at < issue_seen_at
        GROUP BY accounting_entry_id ORDER BY max(last_seen_at) DESC, accounting_entry_id LIMIT ${limit}`),
    );
  }

  /** Entries that fail, and were booked by hand since they last did, as a person noted at an issue of theirs; the newest of very many. */
  async bookedByHand(installationId: InstallationId): Promise<ReadonlySet<string>> {
    const rows = await this.tenantDatabase.readOnce('entries booked by hand', installationId, (tx) =>
      tx.rows<{ readonly id: string }>(
        prepared(sql`
        SELECT accounting_entry_id AS id FROM issue_handling handling JOIN failed_entry USING (installation_id, issue_key)
        WHERE installation_id = ${installationId} AND cleared_at IS NULL AND left_at >= last_seen_at
        ORDER BY left_at DESC LIMIT ${MAX_BOOKED_BY_HAND}`),
      ),
    );
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * At most `limit` entries that fail because of an issue now.
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
}
