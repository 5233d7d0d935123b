import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { AccountingEntryId, InstallationId } from '../../../kernel/ids.js';
import type { Message } from '../../../kernel/message.js';
import type { ExportItem, WireMoney } from '../../bookkeeping/item/export-item.js';
import type { Issue, IssueKind } from '../../bookkeeping/item/issues.js';
import type { IntentState } from '../domain/intent-states.js';
import { listedFactsOf, type ListedFacts } from '../domain/search/listed-facts.js';
import type { ExportItemState } from '../domain/state-transitions.js';
import { readStored, type StorageLocation } from '../stores/stored-contents.js';
import { namedIssues } from './named-issues.js';

/** An export that had the entry as an item. */
export interface EntryExport {
  readonly exportJobId: string;
  readonly position: number;
  readonly detectedAt: Date;
  /** The member who requested it here; null: it was started on the platform. */
  readonly requestedBy: string | null;
  readonly state: ExportItemState;
  readonly amount: WireMoney | null;
  readonly externalId: string | null;
  readonly externalUrl: string | null;
  readonly exportedAt: Date | null;
  readonly failureType: string | null;
  readonly failureReason: string | null;
  /** The reason as messages; null: it was recorded in English only. */
  readonly failureMessages: readonly Message[] | null;
  readonly issues: readonly Issue[];
  readonly warnings: readonly string[];
  /** Number of the certificate that proves the export; null: there is none yet. */
  readonly certificate: string | null;
}

/** A revision that was sent to the ERP, with the manual resolutions of its doubt. */
export interface EntryPosting {
  readonly revision: number;
  readonly exportJobId: string;
  readonly erpCompanyId: string;
  readonly mappingVersion: number;
  readonly state: IntentState;
  readonly externalId: string | null;
  readonly externalUrl: string | null;
  readonly firstSentAt: Date;
  readonly postedAt: Date | null;
  readonly reversalSentAt: Date | null;
  /** When the ERP was first seen not to have it, as a person has confirmed. */
  readonly lostAt: Date | null;
  readonly decisions: readonly EntryDecision[];
}

interface EntryDecision {
  readonly outcome: 'in-the-books' | 'not-in-the-books';
  readonly note: string | null;
  readonly by: string;
  /** ISO 8601. */
  readonly at: string;
}

/** An issue that it failed because of. */
export interface EntryIssue {
  readonly issueKey: string;
  readonly kind: IssueKind;
  readonly reference: string;
  readonly group: string | null;
  readonly name: string | null;
  readonly reason: string;
  readonly firstSeenAt: Date;
  readonly clearedAt: Date | null;
  readonly clearedByJobId: string | null;
}

/** A discrepancy of reconciliation, and how it was settled. */
export interface EntryDiscrepancy {
  readonly id: string;
  readonly class: string;
  readonly state: 'open' | 'accepted' | 'repaired';
  readonly firstSeenAt: Date;
  readonly settledAt: Date | null;
  readonly settledBy: string | null;
  readonly settledAs: string | null;
  readonly note: string | null;
  readonly evidence: unknown;
}

export interface EntryHistory extends ListedFacts {
  readonly accountingEntryId: string;
  /** Each newest first. */
  readonly exports: readonly EntryExport[];
  readonly postings: readonly EntryPosting[];
  readonly issues: readonly EntryIssue[];
  readonly discrepancies: readonly EntryDiscrepancy[];
}

/** Of each list: an entry that is exported again and again can still be shown. */
const MAX_ROWS = 200;

/** Everything that is recorded of one accounting entry. */
@Injectable()
export class EntryHistoryReader {
  constructor(private readonly tenantDatabase: TenantDatabase) {}

  /** @returns undefined for an entry that no export had */
  async history(installationId: InstallationId, id: AccountingEntryId): Promise<EntryHistory | undefined> {
    return this.tenantDatabase.inInstallation('read entry history', installationId, async (tx) => {
      const listed = await tx.rows<EntryExport & StorageLocation>(sql`
        SELECT accounting_entry_id AS "accountingEntryId", export_job_id AS "exportJobId", item_chunk_id AS "storedIn", position,
          job.detected_at AS "detectedAt", item.state, amount, external_id AS "externalId", external_url AS "externalUrl",
          exported_at AS "exportedAt", item.failure_type AS "failureType", item.failure_reason AS "failureReason",
          item.failure_messages AS "failureMessages", warnings,
          ${namedIssues(installationId, sql`item`)} AS issues,
          (SELECT requested_by FROM reexport WHERE reexport.installation_id = ${installationId}
            AND reexport.export_job_id = job.id ORDER BY created_at LIMIT 1) AS "requestedBy",
          (SELECT sequence::text FROM certificate WHERE certificate.installation_id = ${installationId}
            AND certificate.export_job_id = job.id) AS certificate
        FROM export_item item JOIN export_job job ON job.installation_id = item.installation_id AND job.id = export_job_id
        WHERE item.installation_id = ${installationId} AND accounting_entry_id = ${id}
        ORDER BY job.detected_at DESC, job.id LIMIT ${MAX_ROWS}`);
      if (listed.length === 0) {
        return undefined;
      }
      const jobs = listed.map(({ exportJobId }) => exportJobId);
      const postings = await tx.rows<EntryPosting>(sql`
        SELECT revision, export_job_id AS "exportJobId", erp_company_id AS "erpCompanyId", mapping_version AS "mappingVersion",
          state, external_id AS "externalId", external_url AS "externalUrl", first_sent_at AS "firstSentAt",
          posted_at AS "postedAt", reversal_sent_at AS "reversalSentAt", lost_at AS "lostAt",
          coalesce((SELECT jsonb_agg(jsonb_build_object('outcome', outcome, 'note', note, 'by', resolved_by, 'at', resolved_at)
            ORDER BY resolved_at DESC) FROM posting_resolution resolution
            WHERE resolution.installation_id = ${installationId} AND resolution.erp_company_id = intent.erp_company_id
              AND resolution.accounting_entry_id = ${id} AND resolution.revision = intent.revision), '[]') AS decisions
        FROM posting_intent intent
        WHERE installation_id = ${installationId} AND accounting_entry_id = ${id} AND export_job_id = ANY(${jobs}::uuid[])
        ORDER BY first_sent_at DESC, revision DESC LIMIT ${MAX_ROWS}`);
      const issues = await tx.rows<EntryIssue>(sql`
        SELECT issue_key AS "issueKey", kind, reference, reference_group AS "group", name, reason, entry.first_seen_at AS "firstSeenAt", cleared_at AS "clearedAt",
          cleared_by_job_id AS "clearedByJobId"
        FROM failed_entry entry JOIN issue USING (installation_id, issue_key)
        WHERE installation_id = ${installationId} AND accounting_entry_id = ${id}
        ORDER BY entry.first_seen_at DESC, issue_key LIMIT ${MAX_ROWS}`);
      const discrepancies = await tx.rows<EntryDiscrepancy>(sql`
        SELECT id, class, state, first_seen_at AS "firstSeenAt", settled_at AS "settledAt", settled_by AS "settledBy",
          settled_as AS "settledAs", note, evidence
        FROM discrepancy
        WHERE installation_id = ${installationId} AND export_job_id = ANY(${jobs}::uuid[]) AND accounting_entry_id = ${id}
        ORDER BY first_seen_at DESC, id LIMIT ${MAX_ROWS}`);
      const itemAt = await readStored<ExportItem>(tx, 'items', installationId, listed);
      const item = listed.map(itemAt).find((stored) => stored !== undefined);
      return { accountingEntryId: id, ...listedFactsOf(item), exports: listed, postings, issues, discrepancies };
    });
  }
}
