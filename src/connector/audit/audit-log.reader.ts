import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import type { AuditEntry, AuditFilter } from './domain/audit-entry.js';

@Injectable()
export class AuditLogReader {
  constructor(private readonly tenantDatabase: TenantDatabase) {}

  /** Entries that match a filter, newest first. */
  async list(
    installationId: InstallationId,
    { object, objectId, actor, from, to, below, limit }: AuditFilter,
  ): Promise<readonly AuditEntry[]> {
    return this.tenantDatabase.inInstallation('list audit entries', installationId, (tx) =>
      tx.rows<AuditEntry>(sql`
        SELECT position, occurred_at AS "occurredAt", actor, request_id AS "requestId", object, object_id AS "objectId",
          action, before, after, encode(hash, 'hex') AS hash
        FROM audit_entry
        WHERE installation_id = ${installationId}
          AND (${object ?? null}::text IS NULL OR object = ${object ?? null})
          AND (${objectId ?? null}::text IS NULL OR object_id = ${objectId ?? null})
          AND (${actor ?? null}::text IS NULL OR actor = ${actor ?? null})
          AND occurred_at >= coalesce(${from ?? null}::timestamptz, '-infinity')
          AND occurred_at < coalesce(${to ?? null}::timestamptz, 'infinity')
          AND position < coalesce(${below?.toString() ?? null}::bigint, 9223372036854775807)
        ORDER BY position DESC LIMIT ${limit}`),
    );
  }
}
