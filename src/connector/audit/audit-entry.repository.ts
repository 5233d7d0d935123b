import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { InstallationId } from '../../kernel/ids.js';
import type { LogChainEnd, AuditRecord } from './domain/log-chain.js';

/** Reads the log; only triggers write it. */
@Injectable()
export class AuditEntryRepository {
  /** The recorded end of the chain, and the last position stored; both are 0 for an empty log. */
  async head(tx: Tx, installationId: InstallationId): Promise<LogChainEnd & { readonly last: bigint }> {
    return tx.one(sql`
      SELECT coalesce(max(head.position), 0) AS position, coalesce(max(encode(head.hash, 'hex')), '') AS hash,
        (SELECT coalesce(max(position), 0) FROM audit_entry WHERE installation_id = ${installationId}) AS last
      FROM audit_head head WHERE installation_id = ${installationId}`);
  }

  /** Entries after one position and up to another, in order. */
  async records(tx: Tx, installationId: InstallationId, after: bigint, last: bigint): Promise<readonly AuditRecord[]> {
    return tx.rows<AuditRecord>(sql`
      SELECT installation_id AS "installationId", position,
        (extract(epoch FROM occurred_at) * 1000000)::bigint AS "occurredAtMicros", actor, request_id AS "requestId",
        object, object_id AS "objectId", action, before::text AS before, after::text AS after,
        encode(hash, 'hex') AS hash
      FROM audit_entry
      WHERE installation_id = ${installationId} AND position > ${after.toString()} AND position <= ${last.toString()}
      ORDER BY position`);
  }
}
