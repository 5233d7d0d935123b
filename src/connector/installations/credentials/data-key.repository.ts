import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { toInstallationId, type InstallationId } from '../../../kernel/ids.js';
import { DataKey } from './data-key.js';
import { KeyRingService, type SealedColumn } from './key-ring.service.js';

const KEY_BYTES = 32;
const SEALED_BY_RING = 'v1.';

/** How many data keys one key of the ring wraps: the progress of a rotation. */
export interface WrappedBy {
  readonly keyId: string;
  readonly installations: number;
}

/** The data keys of installations, wrapped by the key ring, which is never in the database (S25, S26). */
@Injectable()
export class DataKeyRepository {
  constructor(private readonly keyRingService: KeyRingService) {}

  /** For reading. Without a key only values from before data keys can be decrypted. */
  async find(tx: Tx, installationId: InstallationId): Promise<DataKey> {
    const row = await tx.maybeOne<{ wrapped_key: string }>(
      sql`SELECT wrapped_key FROM data_key WHERE installation_id = ${installationId}`,
    );
    return this.opened(installationId, row?.wrapped_key ?? null);
  }

  /** @param wrapped as it is stored, where a statement has read it together with what it seals; null: there is none */
  opened(installationId: InstallationId, wrapped: string | null): DataKey {
    const key = wrapped === null ? undefined : this.unwrap(installationId, wrapped);
    return new DataKey(installationId, key, this.keyRingService);
  }

  /** For writing: creates the key of a new or newly reinstalled installation. */
  async findOrCreate(tx: Tx, installationId: InstallationId): Promise<DataKey> {
    const created = await tx.execute(sql`
      INSERT INTO data_key (installation_id, wrapped_key, ring_key_id, wrapped_at)
      VALUES (${installationId}, ${this.wrap(installationId, randomBytes(KEY_BYTES))}, ${this.keyRingService.primary},
        clock_timestamp())
      ON CONFLICT (installation_id) DO NOTHING`);
    const keys = await this.find(tx, installationId);
    if (created === 1) {
      await resealWithDataKey(tx, installationId, keys);
    }
    return keys;
  }

  /** Wraps the same key with the ring's first key: the values it encrypts stay as they are. */
  async rewrap(tx: Tx, installationId: InstallationId): Promise<void> {
    const row = await tx.maybeOne<{ wrapped_key: string }>(
      sql`SELECT wrapped_key FROM data_key WHERE installation_id = ${installationId} FOR UPDATE`,
    );
    if (row !== undefined) {
      const key = this.unwrap(installationId, row.wrapped_key);
      await tx.execute(sql`
        UPDATE data_key SET wrapped_key = ${this.wrap(installationId, key)}, ring_key_id = ${this.keyRingService.primary},
          wrapped_at = clock_timestamp()
        WHERE installation_id = ${installationId}`);
    }
  }

  /**
   * Deletes the key of an uninstalled installation: no secret of it can be decrypted any more (I32). An installation that
   * was reinstalled meanwhile keeps its key: reinstalling locks the same row until the new secrets are stored.
   */
  async destroy(tx: Tx, installationId: InstallationId): Promise<void> {
    await tx.execute(sql`
      WITH uninstalled AS (SELECT id FROM installation WHERE id = ${installationId} AND state = 'uninstalled' FOR UPDATE)
      DELETE FROM data_key USING uninstalled WHERE installation_id = uninstalled.id`);
  }

  /** Over all tenants: up to `limit` installations whose data key is missing or not wrapped by the ring's first key. */
  async findStale(tx: Tx, limit: number): Promise<readonly InstallationId[]> {
    const rows = await tx.rows<{ id: string }>(sql`
      SELECT installation.id FROM installation LEFT JOIN data_key ON data_key.installation_id = installation.id
      WHERE state <> 'uninstalled' AND ring_key_id IS DISTINCT FROM ${this.keyRingService.primary}
      ORDER BY installation.id LIMIT ${limit}`);
    return rows.map(({ id }) => toInstallationId(id));
  }

  /**
   * Over all tenants: installations whose uninstall was interrupted before it destroyed the key.
   * @param seconds minimum age of the uninstall; before, its own process may still be at work
   */
  async findUndestroyed(tx: Tx, seconds: number, limit: number): Promise<readonly InstallationId[]> {
    const rows = await tx.rows<{ id: string }>(sql`
      SELECT installation.id FROM installation JOIN data_key ON data_key.installation_id = installation.id
      WHERE state = 'uninstalled'
        AND coalesce(uninstalled_at, '-infinity') <= clock_timestamp() - make_interval(secs => ${seconds})
      ORDER BY uninstalled_at NULLS FIRST, installation.id LIMIT ${limit}`);
    return rows.map(({ id }) => toInstallationId(id));
  }

  /** Over all tenants: for each key of the ring that is in use, one installation whose data key it wraps. */
  async findSamplePerRingKey(
    tx: Tx,
  ): Promise<readonly { readonly installationId: InstallationId; readonly keyId: string }[]> {
    const rows = await tx.rows<{ id: string; key_id: string }>(sql`
      SELECT DISTINCT ON (ring_key_id) installation_id AS id, ring_key_id AS key_id FROM data_key
      ORDER BY ring_key_id, installation_id DESC`);
    return rows.map(({ id, key_id }) => ({ installationId: toInstallationId(id), keyId: key_id }));
  }

  /** Over all tenants. */
  async countByRingKey(tx: Tx): Promise<readonly WrappedBy[]> {
    return tx.rows<WrappedBy>(sql`
      SELECT ring_key_id AS "keyId", count(*)::int AS installations FROM data_key GROUP BY 1 ORDER BY 1`);
  }

  private wrap(installationId: InstallationId, key: Buffer): string {
    return this.keyRingService.seal('data_key.wrapped_key', installationId, key.toString('base64'));
  }

  private unwrap(installationId: InstallationId, wrapped: string): Buffer {
    return Buffer.from(this.keyRingService.unseal('data_key.wrapped_key', installationId, wrapped), 'base64');
  }
}

/** Encrypts again what the key ring itself encrypted before installations had data keys. */
async function resealWithDataKey(tx: Tx, installationId: InstallationId, keys: DataKey): Promise<void> {
  const reseal = (column: SealedColumn, sealed: string | null) =>
    sealed?.startsWith(SEALED_BY_RING) === true ? keys.seal(column, keys.unseal(column, sealed)) : sealed;
  const credential = await tx.maybeOne<{ access: string; refresh: string | null }>(sql`
    SELECT access_token AS access, refresh_token AS refresh FROM credential
    WHERE installation_id = ${installationId} AND erp_generation = 0 FOR UPDATE`);
  if (credential !== undefined) {
    await tx.execute(sql`
      UPDATE credential SET access_token = ${reseal('credential.access_token', credential.access)},
        refresh_token = ${reseal('credential.refresh_token', credential.refresh)}
      WHERE installation_id = ${installationId} AND erp_generation = 0`);
  }
  const subscription = await tx.maybeOne<{ endpoint: string; secret: string | null }>(sql`
    SELECT endpoint_token AS endpoint, secret FROM subscription
    WHERE installation_id = ${installationId} FOR UPDATE`);
  if (subscription !== undefined) {
    await tx.execute(sql`
      UPDATE subscription SET endpoint_token = ${reseal('subscription.endpoint_token', subscription.endpoint)},
        secret = ${reseal('subscription.secret', subscription.secret)}
      WHERE installation_id = ${installationId}`);
  }
}
