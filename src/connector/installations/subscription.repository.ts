import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import { toInstallationId, type InstallationId } from '../../kernel/ids.js';
import { KeyRingService } from './key-ring.service.js';

export interface StoredSubscription {
  readonly platformSubscriptionId: string | undefined;
  /** Last part of our webhook address; unguessable. */
  readonly endpointToken: string;
  /** `whsec_…`, undefined until it was fetched: then no message verifies. */
  readonly secret: string | undefined;
  readonly timestampMeaning: 'attempt' | 'generation';
}

interface SubscriptionRow {
  readonly platform_subscription_id: string | null;
  readonly endpoint_token: string;
  readonly secret: string | null;
  readonly timestamp_meaning: 'attempt' | 'generation';
}

@Injectable()
export class SubscriptionRepository {
  constructor(private readonly keys: KeyRingService) {}

  async find(tx: Tx, installationId: InstallationId): Promise<StoredSubscription | undefined> {
    const row = await tx.maybeOne<SubscriptionRow>(sql`
      SELECT platform_subscription_id, endpoint_token, secret, timestamp_meaning
      FROM subscription WHERE installation_id = ${installationId}`);
    return (
      row && {
        platformSubscriptionId: row.platform_subscription_id ?? undefined,
        endpointToken: this.keys.unseal('subscription.endpoint_token', installationId, row.endpoint_token),
        secret:
          row.secret === null
            ? undefined
            : this.keys.unseal('subscription.secret', installationId, row.secret),
        timestampMeaning: row.timestamp_meaning,
      }
    );
  }

  /** Reserves our address before the platform is told of it, so that a crash in between leaves nothing unknown. */
  async reserve(tx: Tx, installationId: InstallationId, endpointToken: string): Promise<void> {
    await tx.execute(sql`
      INSERT INTO subscription (installation_id, endpoint_token, endpoint_token_hash, updated_at)
      VALUES (${installationId}, ${this.keys.seal('subscription.endpoint_token', installationId, endpointToken)},
        ${tokenHash(endpointToken)}, clock_timestamp())
      ON CONFLICT (installation_id) DO NOTHING`);
  }

  async confirm(
    tx: Tx,
    installationId: InstallationId,
    platformSubscriptionId: string,
    secret: string,
  ): Promise<void> {
    await tx.execute(sql`
      UPDATE subscription SET platform_subscription_id = ${platformSubscriptionId},
        secret = ${this.keys.seal('subscription.secret', installationId, secret)}, updated_at = clock_timestamp()
      WHERE installation_id = ${installationId}`);
  }

  /** @returns false when nothing is subscribed yet */
  async setTimestampMeaning(
    tx: Tx,
    installationId: InstallationId,
    meaning: StoredSubscription['timestampMeaning'],
  ): Promise<boolean> {
    const changed = await tx.execute(sql`
      UPDATE subscription SET timestamp_meaning = ${meaning}, updated_at = clock_timestamp()
      WHERE installation_id = ${installationId}`);
    return changed === 1;
  }

  /** Over all tenants: whose webhook address this is. Looked up by hash, so the comparison tells nothing by its time. */
  async findInstallationByEndpoint(tx: Tx, endpointToken: string): Promise<InstallationId | undefined> {
    const row = await tx.maybeOne<{ installation_id: string }>(sql`
      SELECT installation_id FROM subscription WHERE endpoint_token_hash = ${tokenHash(endpointToken)}`);
    return row && toInstallationId(row.installation_id);
  }
}

function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
