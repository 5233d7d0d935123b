import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { readStored, type StorageLocation } from '../stores/stored-contents.js';
import type { InDoubtPosting } from './in-doubt-posting.repository.js';

/** Position of the last posting of a page, oldest first. */
export type InDoubtPosition = Pick<InDoubtPosting, 'createdAt' | 'accountingEntryId' | 'erpCompanyId'>;

/** Postings in doubt, as members see them. */
@Injectable()
export class InDoubtPostingReader {
  constructor(private readonly tenantDatabase: TenantDatabase) {}

  /** Oldest first. */
  async list(
    installationId: InstallationId,
    after: InDoubtPosition | undefined,
    limit: number,
  ): Promise<readonly InDoubtPosting[]> {
    return this.tenantDatabase.inInstallation('list in-doubt postings', installationId, async (tx) => {
      const rows = await tx.rows<Omit<InDoubtPosting, 'entries'> & StorageLocation>(sql`
        SELECT accounting_entry_id AS "accountingEntryId", intent.export_job_id AS "exportJobId",
          erp_company_id AS "erpCompanyId", revision, created_at AS "createdAt", sent_at AS "sentAt", plan_chunk_id AS "storedIn"
        FROM uncertain_posting JOIN posting_intent intent USING (installation_id, erp_company_id, accounting_entry_id, revision)
        WHERE installation_id = ${installationId}
          AND (${after === undefined} OR (created_at, accounting_entry_id, erp_company_id) > (
            ${after?.createdAt ?? null}::timestamptz, ${after?.accountingEntryId ?? null}::uuid, ${after?.erpCompanyId ?? null}))
        ORDER BY created_at, accounting_entry_id, erp_company_id LIMIT ${limit}`);
      const planAt = await readStored<InDoubtPosting['entries']>(tx, 'plans', installationId, rows);
      return rows.map(({ storedIn, ...row }) => ({ ...row, entries: planAt({ ...row, storedIn }) ?? [] }));
    });
  }
}
