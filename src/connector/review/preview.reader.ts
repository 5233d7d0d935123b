import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import type { InstallationId } from '../../kernel/ids.js';
import type { Preview, PreviewEntry } from './preview.repository.js';

/** Reads previews that have not expired. */
@Injectable()
export class PreviewReader {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly clock: Clock,
  ) {}

  /** @returns undefined as well when it has expired */
  async find(installationId: InstallationId, id: string): Promise<Preview | undefined> {
    return this.tenantDatabase.readOnce('read preview', installationId, (tx) =>
      tx.maybeOne<Preview>(sql`
        SELECT id, export_job_id AS "exportJobId", source, erp_company_id AS "erpCompanyId",
          mapping_version AS "mappingVersion", newest_version AS "newestVersion", saved, digest, entries, more,
          made_by AS "madeBy", created_at AS "createdAt", expires_at AS "expiresAt"
        FROM preview WHERE installation_id = ${installationId} AND id = ${id} AND expires_at > ${this.clock.now()}`),
    );
  }

  /**
   * In the preview's order.
   * @param afterPosition 0 for the first page; the first entry has position 1
   */
  async listEntries(
    installationId: InstallationId,
    id: string,
    afterPosition: number,
    limit: number,
  ): Promise<readonly PreviewEntry[]> {
    return this.tenantDatabase.readOnce('read preview entries', installationId, (tx) =>
      tx.rows<PreviewEntry>(sql`
        SELECT position, accounting_entry_id AS "accountingEntryId", item, plan_digest AS "planDigest", result
        FROM preview_entry
        WHERE installation_id = ${installationId} AND preview_id = ${id} AND position > ${afterPosition}
        ORDER BY position LIMIT ${limit}`),
    );
  }
}
