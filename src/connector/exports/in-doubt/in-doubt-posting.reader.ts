import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../../kernel/ids.js';
import type { InDoubtPosting } from './in-doubt-posting.repository.js';

/** Position of the last posting of a page, oldest first. */
export type InDoubtPosition = Pick<InDoubtPosting, 'createdAt' | 'accountingEntryId' | 'erpCompanyId'>;

/** Postings that may be in the books, as people read them. */
@Injectable()
export class InDoubtPostingReader {
  constructor(private readonly tenantDatabase: TenantDatabase) {}

  /** Oldest first. */
  async list(
    installationId: InstallationId,
    after: InDoubtPosition | undefined,
    limit: number,
  ): Promise<readonly InDoubtPosting[]> {
    return this.tenantDatabase.inInstallation('list in-doubt postings', installationId, (tx) =>
      tx.rows<InDoubtPosting>(sql`
        SELECT accounting_entry_id AS "accountingEntryId", export_job_id AS "exportJobId",
          intent.erp_company_id AS "erpCompanyId", revision, created_at AS "createdAt", sent_at AS "sentAt", plan AS entries
        FROM posting_intent intent
        JOIN export_job job ON job.installation_id = intent.installation_id AND job.id = export_job_id
        WHERE intent.installation_id = ${installationId} AND intent.state IN ('sent', 'uncertain')
          AND (intent.state = 'uncertain' OR job.state NOT IN ('detected', 'running', 'verdict_decided'))
          AND (${after === undefined} OR (created_at, accounting_entry_id, intent.erp_company_id) > (
            ${after?.createdAt ?? null}::timestamptz, ${after?.accountingEntryId ?? null}::uuid, ${after?.erpCompanyId ?? null}))
        ORDER BY created_at, accounting_entry_id, intent.erp_company_id LIMIT ${limit}`),
    );
  }
}
