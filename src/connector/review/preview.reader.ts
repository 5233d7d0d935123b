import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import type { InstallationId } from '../../kernel/ids.js';
import { COMMITTED_ACTIONS, type PreviewAction } from './domain/preview-result.js';
import type { Preview, PreviewEntry } from './preview.repository.js';

/** What a preview has found, in numbers of entries. */
export interface PreviewCounts {
  /** Of each action that there is. */
  readonly actions: readonly { readonly action: PreviewAction; readonly entries: number }[];
  /** What a commit would post. */
  readonly toPost: number;
}

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

  /** @returns numbers of entries; none for an unknown preview, or one of another installation */
  async count(installationId: InstallationId, id: string): Promise<PreviewCounts> {
    return this.tenantDatabase.readOnce('count preview entries', installationId, async (tx) => {
      const rows = await tx.rows<PreviewCounts['actions'][number] & { readonly toPost: number }>(sql`
        SELECT result ->> 'action' AS action, count(*)::int AS entries, (count(plan_digest) FILTER (
          WHERE result ->> 'action' = ANY(${COMMITTED_ACTIONS}::text[])))::int AS "toPost"
        FROM preview_entry WHERE installation_id = ${installationId} AND preview_id = ${id} GROUP BY 1 ORDER BY 1`);
      return {
        actions: rows.map(({ action, entries }) => ({ action, entries })),
        toPost: rows.reduce((sum, { toPost }) => sum + toPost, 0),
      };
    });
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
    action?: PreviewAction,
  ): Promise<readonly PreviewEntry[]> {
    return this.tenantDatabase.readOnce('read preview entries', installationId, (tx) =>
      tx.rows<PreviewEntry>(sql`
        SELECT position, accounting_entry_id AS "accountingEntryId", item, plan_digest AS "planDigest", result
        FROM preview_entry
        WHERE installation_id = ${installationId} AND preview_id = ${id} AND position > ${afterPosition}
          AND (${action ?? null}::text IS NULL OR result ->> 'action' = ${action ?? null})
        ORDER BY position LIMIT ${limit}`),
    );
  }
}
