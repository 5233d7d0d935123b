import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import type { AuditEntry, AuditFilter } from './domain/audit-entry.js';
import type { AuditRecord, LogChainEnd } from './domain/log-chain.js';

/** Reads the log; only triggers write it. */
@Injectable()
export class AuditLogReader {
  constructor(private readonly tenantDatabase: TenantDatabase) {}

  /** Entries that match a filter, newest first. */
  async list(
    installationId: InstallationId,
    { object, objectId, actor, from, to, below, limit }: AuditFilter,
  ): Promise<readonly AuditEntry[]> {
    return this.tenantDatabase.readOnce('list audit entries', installationId, (tx) =>
      tx.rows<AuditEntry>(sql`
        SELECT position, occurred_at AS "occurredAt", actor, request_id AS "requestId", object, object_id AS "objectId",
          action, before, after, encode(hash, 'hex') AS hash,
          -- By its key: an id of another object need not be a UUID.
          (SELECT from_ip FROM download WHERE installation_id = ${installationId}
            AND id = CASE object WHEN 'download' THEN object_id::uuid END) AS address
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

  /** The recorded end of the chain, and the last position stored; both are 0 for an empty log. */
  async head(installationId: InstallationId): Promise<LogChainEnd & { readonly last: bigint }> {
    return this.tenantDatabase.readOnce('read audit head', installationId, (tx) =>
      tx.one(sql`
        SELECT coalesce(max(head.position), 0) AS position, coalesce(max(encode(head.hash, 'hex')), '') AS hash,
          (SELECT coalesce(max(position), 0) FROM audit_entry WHERE installation_id = ${installationId}) AS last
        FROM audit_head head WHERE installation_id = ${installationId}`),
    );
  }

  /** Entries after one position and up to another, in order. */
  async records(installationId: InstallationId, after: bigint, last: bigint): Promise<readonly AuditRecord[]> {
    return this.tenantDatabase.readOnce('read audit log', installationId, (tx) =>
      tx.rows<AuditRecord>(sql`
        SELECT installation_id AS "installationId", position,
          (extract(epoch FROM occurred_at) * 1000000)::bigint AS "occurredAtMicros", actor, request_id AS "requestId",
          object, object_id AS "objectId", action, before::text AS before, after::text AS after,
          encode(hash, 'hex') AS hash
        FROM audit_entry
        WHERE installation_id = ${installationId} AND position > ${after.toString()} AND position <= ${last.toString()}
        ORDER BY position`),
    );
  }
}
