import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { toInstallationId, type InstallationId } from '../../../kernel/ids.js';
import { DataKey } from './data-key.js';
import { KeyRingService, type SealedColumn } from './key-ring.service.js';

const KEY_BYTES = 32;
const SEALED_BY_RING = 'v1.';

/** How many data keys each key of the ring wraps: what a rotation of the ring has still to do. */
export interface WrappedBy {
  readonly keyId: string;
  readonly installations: number;
}

/** The installations' own keys, wrapped by the key ring, which is never in the database. */
@Injectable()
export class DataKeyRepository {
  constructor(private readonly keyRingService: KeyRingService) {}

  /** For reading; without a key nothing but values from before data keys opens. */
  async find(tx: Tx, installationId: InstallationId): Promise<DataKey> {
    const row = await tx.maybeOne<{ wrapped_key: string }>(
      sql`SELECT wrapped_key FROM data_key WHERE installation_id = ${installationId}`,
    );
    const key = row && this.unwrap(installationId, row.wrapped_key);
    return new DataKey(installationId, key, this.keyRingService);
  }

  /** For writing: makes the key of a new installation, or of one that was installed again. */
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

  /** Wraps the same key with the ring's first key: nothing it sealed changes. */
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
   * From here on every secret of an uninstalled installation is dead, in this database. One that was installed again
   * meanwhile keeps its key: whoever does that holds the row that is locked here, until its new secrets are stored.
   */
  async destroy(tx: Tx, installationId: InstallationId): Promise<void> {
    await tx.execute(sql`
      WITH gone AS (SELECT id FROM installation WHERE id = ${installationId} AND state = 'uninstalled' FOR UPDATE)
      DELETE FROM data_key USING gone WHERE installation_id = gone.id`);
  }

  /** Over all tenants: up to `limit` living installations whose key is missing or wrapped by another key than the first. */
  async findStale(tx: Tx, limit: number): Promise<readonly InstallationId[]> {
    const rows = await tx.rows<{ id: string }>(sql`
      SELECT installation.id FROM installation LEFT JOIN data_key ON data_key.installation_id = installation.id
      WHERE state <> 'uninstalled' AND ring_key_id IS DISTINCT FROM ${this.keyRingService.primary}
      ORDER BY installation.id LIMIT ${limit}`);
    return rows.map(({ id }) => toInstallationId(id));
  }

  /**
   * Over all tenants: uninstalled, and yet with a key: the process that uninstalled died before it destroyed it.
   * @param seconds how long the uninstalling may have been at it
   */
  async findUndestroyed(tx: Tx, seconds: number, limit: number): Promise<readonly InstallationId[]> {
    const rows = await tx.rows<{ id: string }>(sql`
      SELECT installation.id FROM installation JOIN data_key ON data_key.installation_id = installation.id
      WHERE state = 'uninstalled'
        AND coalesce(uninstalled_at, '-infinity') <= clock_timestamp() - make_interval(secs => ${seconds})
      ORDER BY uninstalled_at NULLS FIRST, installation.id LIMIT ${limit}`);
    return rows.map(({ id }) => toInstallationId(id));
  }

  /** Over all tenants: for each key of the ring that has wrapped something, one installation whose key it wraps. */
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

/** Takes over what the key ring itself has sealed, from before installations had keys of their own. */
async function resealWithDataKey(tx: Tx, installationId: InstallationId, keys: DataKey): Promise<void> {
  const anew = (column: SealedColumn, sealed: string | null) =>
    sealed?.startsWith(SEALED_BY_RING) === true ? keys.seal(column, keys.unseal(column, sealed)) : sealed;
  const credential = await tx.maybeOne<{ access: string; refresh: string | null }>(sql`
    SELECT access_token AS access, refresh_token AS refresh FROM credential
    WHERE installation_id = ${installationId} FOR UPDATE`);
  if (credential !== undefined) {
    await tx.execute(sql`
      UPDATE credential SET access_token = ${anew('credential.access_token', credential.access)},
        refresh_token = ${anew('credential.refresh_token', credential.refresh)}
      WHERE installation_id = ${installationId}`);
  }
  const subscription = await tx.maybeOne<{ endpoint: string; secret: string | null }>(sql`
    SELECT endpoint_token AS endpoint, secret FROM subscription
    WHERE installation_id = ${installationId} FOR UPDATE`);
  if (subscription !== undefined) {
    await tx.execute(sql`
      UPDATE subscription SET endpoint_token = ${anew('subscription.endpoint_token', subscription.endpoint)},
        secret = ${anew('subscription.secret', subscription.secret)}
      WHERE installation_id = ${installationId}`);
  }
}
