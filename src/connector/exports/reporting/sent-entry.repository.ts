import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { InstallationId } from '../../../kernel/ids.js';
import type { ExportItem } from '../../bookkeeping/item/export-item.js';
import type { IntentState } from '../domain/intent-states.js';

/** The newest thing we have sent under an accounting entry. */
export interface SentEntry {
  readonly accountingEntryId: string;
  readonly erpCompanyId: string;
  readonly revision: number;
  readonly state: IntentState;
  readonly exportJobId: string;
  readonly mappingVersion: number;
  readonly contentDigest: string;
  /** The planned entries as they were written down; amounts are texts. */
  readonly plan: readonly unknown[];
  readonly externalId: string | null;
  readonly externalUrl: string | null;
  readonly sentAt: Date;
  readonly postedAt: Date | null;
}

export interface StoredItem {
  readonly accountingEntryId: string;
  /** Null where the item could not be read, or came before items were kept. */
  readonly item: ExportItem | null;
}

/** What is on record of accounting entries, over all jobs; writes nothing. */
@Injectable()
export class SentEntryRepository {
  /** @param erpCompanyId undefined: in whichever company it was sent last */
  async find(
    tx: Tx,
    installationId: InstallationId,
    ids: readonly string[],
    erpCompanyId?: string,
  ): Promise<readonly SentEntry[]> {
    return tx.rows<SentEntry>(sql`
      SELECT DISTINCT ON (accounting_entry_id) accounting_entry_id AS "accountingEntryId", erp_company_id AS "erpCompanyId",
        revision, state, export_job_id AS "exportJobId", mapping_version AS "mappingVersion",
        content_digest AS "contentDigest", plan, external_id AS "externalId", external_url AS "externalUrl",
        sent_at AS "sentAt", posted_at AS "postedAt"
      FROM posting_intent
      WHERE installation_id = ${installationId} AND accounting_entry_id = ANY(${ids}::uuid[])
        AND (${erpCompanyId ?? null}::text IS NULL OR erp_company_id = ${erpCompanyId ?? null})
      ORDER BY accounting_entry_id, sent_at DESC, revision DESC`);
  }

  /** In the job's order. */
  async itemsOfJob(
    tx: Tx,
    installationId: InstallationId,
    jobId: string,
    skip: number,
    limit: number,
  ): Promise<readonly StoredItem[]> {
    return tx.rows<StoredItem>(sql`
      SELECT accounting_entry_id AS "accountingEntryId", item FROM export_item
      WHERE installation_id = ${installationId} AND export_job_id = ${jobId}
      ORDER BY position LIMIT ${limit} OFFSET ${skip}`);
  }

  /** As each entry was exported last. */
  async newestItems(tx: Tx, installationId: InstallationId, ids: readonly string[]): Promise<readonly StoredItem[]> {
    return tx.rows<StoredItem>(sql`
      SELECT DISTINCT ON (accounting_entry_id) accounting_entry_id AS "accountingEntryId", item
      FROM export_item JOIN export_job job ON job.installation_id = export_item.installation_id AND job.id = export_job_id
      WHERE export_item.installation_id = ${installationId} AND accounting_entry_id = ANY(${ids}::uuid[])
        AND item IS NOT NULL
      ORDER BY accounting_entry_id, job.detected_at DESC, job.id`);
  }
}
