import { Injectable } from '@nestjs/common';
import { sha256 } from '../../../foundation/crypto/sha256.js';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { toInstallationId, type InstallationId } from '../../../kernel/ids.js';
import type { DataKey } from '../credentials/data-key.js';
import { DataKeyRepository } from '../credentials/data-key.repository.js';

export type SubscriptionStatus = 'ACTIVE' | 'INACTIVE';

export interface StoredSubscription {
  readonly platformSubscriptionId: string | undefined;
  /** Last part of our webhook address; unguessable. */
  readonly endpointToken: string;
  /** `whsec_…`, undefined until it was fetched: then no message verifies. */
  readonly secret: string | undefined;
  /** The secret before a rotation, while it is still accepted. */
  readonly previousSecret: string | undefined;
  /** What each message must bring in our own header; undefined until we made one. */
  readonly headerValue: string | undefined;
  /** Whether the platform has said that it sends the header. */
  readonly headerConfirmed: boolean;
  readonly timestampMeaning: 'attempt' | 'generation';
  readonly wantedStatus: SubscriptionStatus;
  readonly rotationRequested: boolean;
}

/** What may be told of a subscription. */
export interface SubscriptionSummary {
  readonly platformSubscriptionId: string | null;
  readonly wantedStatus: SubscriptionStatus;
  /** In the platform's words, when it was last told what we want. */
  readonly confirmedStatus: string | null;
  readonly confirmedAt: Date | null;
  readonly secretSince: Date | null;
  readonly previousSecretUntil: Date | null;
  readonly rotationRequestedAt: Date | null;
}

interface SubscriptionRow {
  readonly platform_subscription_id: string | null;
  readonly endpoint_token: string;
  readonly secret: string | null;
  readonly previous_secret: string | null;
  readonly header_value: string | null;
  readonly header_confirmed: boolean;
  readonly timestamp_meaning: 'attempt' | 'generation';
  readonly wanted_status: SubscriptionStatus;
  readonly rotation_requested: boolean;
}

/** How long a message signed with the secret before is accepted (S15). */
const OVERLAP_HOURS = 24;
const MAINTENANCE_HOURS = 24;

@Injectable()
export class SubscriptionRepository {
  constructor(private readonly dataKeyRepository: DataKeyRepository) {}

  async find(tx: Tx, installationId: InstallationId): Promise<StoredSubscription | undefined> {
    const row = await tx.maybeOne<SubscriptionRow>(sql`
      SELECT platform_subscription_id, endpoint_token, secret, header_value, header_confirmed, timestamp_meaning,
        wanted_status, rotation_requested_at IS NOT NULL AS rotation_requested,
        CASE WHEN previous_secret_until > clock_timestamp() THEN previous_secret END AS previous_secret
      FROM subscription WHERE installation_id = ${installationId}`);
    return row && toStored(row, await this.dataKeyRepository.find(tx, installationId));
  }

  async summary(tx: Tx, installationId: InstallationId): Promise<SubscriptionSummary | undefined> {
    return tx.maybeOne<SubscriptionSummary>(sql`
      SELECT platform_subscription_id AS "platformSubscriptionId", wanted_status AS "wantedStatus",
        confirmed_status AS "confirmedStatus", confirmed_at AS "confirmedAt", secret_since AS "secretSince",
        previous_secret_until AS "previousSecretUntil", rotation_requested_at AS "rotationRequestedAt"
      FROM subscription WHERE installation_id = ${installationId}`);
  }

  /** Reserves our address before the platform is told of it, so that a crash in between leaves nothing unknown. */
  async reserve(tx: Tx, installationId: InstallationId, endpointToken: string): Promise<void> {
    const keys = await this.dataKeyRepository.findOrCreate(tx, installationId);
    await tx.execute(sql`
      INSERT INTO subscription (installation_id, endpoint_token, endpoint_token_hash, updated_at)
      VALUES (${installationId}, ${keys.seal('subscription.endpoint_token', endpointToken)},
        ${sha256(endpointToken)}, clock_timestamp())
      ON CONFLICT (installation_id) DO NOTHING`);
  }

  /** Keeps the value of our header from before the platform is told of it. */
  async reserveHeader(tx: Tx, installationId: InstallationId, value: string): Promise<void> {
    const keys = await this.dataKeyRepository.findOrCreate(tx, installationId);
    await tx.execute(sql`
      UPDATE subscription SET header_value = ${keys.seal('subscription.header_value', value)}
      WHERE installation_id = ${installationId} AND header_value IS NULL`);
  }

  /** Forgets everything of a subscription whose secrets are destroyed, but for the setting a person made. */
  async reset(tx: Tx, installationId: InstallationId, endpointToken: string): Promise<void> {
    const keys = await this.dataKeyRepository.findOrCreate(tx, installationId);
    await tx.execute(sql`
      UPDATE subscription SET platform_subscription_id = NULL, secret = NULL, previous_secret = NULL,
        previous_secret_until = NULL, header_value = NULL, header_confirmed = false, rotation_requested_at = NULL,
        secret_since = NULL, confirmed_status = NULL, confirmed_at = NULL, wanted_status = 'ACTIVE',
        endpoint_token = ${keys.seal('subscription.endpoint_token', endpointToken)},
        endpoint_token_hash = ${sha256(endpointToken)}, updated_at = clock_timestamp()
      WHERE installation_id = ${installationId}`);
  }

  /** Stores which subscription is ours and its secret; a secret that changes is accepted for another day. */
  async confirm(
    tx: Tx,
    installationId: InstallationId,
    platformSubscriptionId: string,
    secret: string,
  ): Promise<void> {
    const keys = await this.dataKeyRepository.findOrCreate(tx, installationId);
    const before = (await this.find(tx, installationId))?.secret;
    const sealed = keys.seal('subscription.secret', secret);
    if (before === secret) {
      await tx.execute(sql`
        UPDATE subscription SET platform_subscription_id = ${platformSubscriptionId}, updated_at = clock_timestamp()
        WHERE installation_id = ${installationId}`);
      return;
    }
    const previous = before === undefined ? null : keys.seal('subscription.previous_secret', before);
    await tx.execute(sql`
      UPDATE subscription SET platform_subscription_id = ${platformSubscriptionId}, secret = ${sealed},
        secret_since = clock_timestamp(), previous_secret = ${previous}::text,
        previous_secret_until = CASE WHEN ${previous}::text IS NOT NULL
          THEN clock_timestamp() + make_interval(hours => ${OVERLAP_HOURS}) END,
        rotation_requested_at = NULL, updated_at = clock_timestamp()
      WHERE installation_id = ${installationId}`);
  }

  /** The platform has confirmed all that we want of it; the next look is due in a day. */
  async markMaintained(tx: Tx, installationId: InstallationId, confirmedStatus: string): Promise<void> {
    await tx.execute(sql`
      UPDATE subscription SET confirmed_status = ${confirmedStatus}, confirmed_at = clock_timestamp(),
        header_confirmed = (header_value IS NOT NULL),
        next_maintenance_at = clock_timestamp() + make_interval(hours => ${MAINTENANCE_HOURS}), updated_at = clock_timestamp()
      WHERE installation_id = ${installationId}`);
  }

  /** @returns false when nothing is subscribed yet */
  async setWantedStatus(
    tx: Tx,
    installationId: InstallationId,
    status: SubscriptionStatus,
  ): Promise<boolean> {
    const changed = await tx.execute(sql`
      UPDATE subscription SET wanted_status = ${status}, next_maintenance_at = clock_timestamp(), updated_at = clock_timestamp()
      WHERE installation_id = ${installationId}`);
    return changed === 1;
  }

  /** @returns false when there is no secret yet that could be rotated */
  async requestRotation(tx: Tx, installationId: InstallationId): Promise<boolean> {
    const changed = await tx.execute(sql`
      UPDATE subscription SET rotation_requested_at = coalesce(rotation_requested_at, clock_timestamp()),
        next_maintenance_at = clock_timestamp(), updated_at = clock_timestamp()
      WHERE installation_id = ${installationId} AND secret IS NOT NULL`);
    return changed === 1;
  }

  /** @returns undefined before the first subscription */
  async findTimestampMeaning(
    tx: Tx,
    installationId: InstallationId,
  ): Promise<StoredSubscription['timestampMeaning'] | undefined> {
    const row = await tx.maybeOne<Pick<SubscriptionRow, 'timestamp_meaning'>>(sql`
      SELECT timestamp_meaning FROM subscription WHERE installation_id = ${installationId}`);
    return row?.timestamp_meaning;
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
      SELECT installation_id FROM subscription WHERE endpoint_token_hash = ${sha256(endpointToken)}`);
    return row && toInstallationId(row.installation_id);
  }

  /**
   * Over all tenants: takes up to `limit` subscriptions of active installations that nobody has looked after for a day.
   * Each comes again in a quarter of an hour unless the look succeeds.
   */
  async claimMaintenanceDue(tx: Tx, limit: number): Promise<readonly InstallationId[]> {
    const rows = await tx.rows<{ installation_id: string }>(sql`
      UPDATE subscription SET next_maintenance_at = clock_timestamp() + interval '15 minutes'
      WHERE installation_id IN (
        SELECT installation_id FROM subscription JOIN installation ON installation.id = installation_id
        WHERE state = 'active' AND next_maintenance_at <= clock_timestamp()
        ORDER BY next_maintenance_at LIMIT ${limit} FOR UPDATE OF subscription SKIP LOCKED)
      RETURNING installation_id`);
    return rows.map((row) => toInstallationId(row.installation_id));
  }

  /** Over all tenants: everybody is looked after within so many seconds, spread evenly. */
  async scheduleMaintenanceWithin(tx: Tx, seconds: number): Promise<void> {
    await tx.execute(sql`
      UPDATE subscription
      SET next_maintenance_at = least(next_maintenance_at, clock_timestamp() + make_interval(secs => random() * ${seconds}::int))`);
  }
}

function toStored(row: SubscriptionRow, keys: DataKey): StoredSubscription {
  const open = (column: 'secret' | 'previous_secret' | 'header_value') => {
    const sealed = row[column];
    return sealed === null ? undefined : keys.unseal(`subscription.${column}`, sealed);
  };
  return {
    platformSubscriptionId: row.platform_subscription_id ?? undefined,
    endpointToken: keys.unseal('subscription.endpoint_token', row.endpoint_token),
    secret: open('secret'),
    previousSecret: open('previous_secret'),
    headerValue: open('header_value'),
    headerConfirmed: row.header_confirmed,
    timestampMeaning: row.timestamp_meaning,
    wantedStatus: row.wanted_status,
    rotationRequested: row.rotation_requested,
  };
}
