import { Injectable } from '@nestjs/common';
import { sha256 } from '../../../foundation/crypto/sha256.js';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { toInstallationId, type InstallationId } from '../../../kernel/ids.js';
import type { Installation } from '../domain/installation.js';
import type { DataKey } from '../credentials/data-key.js';
import { DataKeyRepository } from '../credentials/data-key.repository.js';

export type SubscriptionStatus = 'ACTIVE' | 'INACTIVE';

export interface StoredSubscription {
  readonly platformSubscriptionId: string | undefined;
  /** Last part of our webhook address; unguessable. */
  readonly endpointToken: string;
  /** `whsec_…`; undefined until it was fetched, and no message can be verified until then. */
  readonly secret: string | undefined;
  /** The secret before a rotation, while it is still accepted. */
  readonly previousSecret: string | undefined;
  /** Required value of our own header (S16); undefined until it was generated. */
  readonly headerValue: string | undefined;
  /** Whether the platform has confirmed that it sends the header. */
  readonly headerConfirmed: boolean;
  readonly timestampMeaning: 'attempt' | 'generation';
  readonly wantedStatus: SubscriptionStatus;
  readonly rotationRequested: boolean;
  /** Another one as soon as any of this changes. */
  readonly version: string;
}

/** What people may see of a subscription: no secret. */
export interface SubscriptionSummary {
  readonly platformSubscriptionId: string | null;
  readonly wantedStatus: SubscriptionStatus;
  /** As the platform spelled it at `confirmedAt`. */
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
  readonly version: string;
}

/** How long messages signed with the previous secret are accepted (S15). */
const OVERLAP_HOURS = 24;
const MAINTENANCE_HOURS = 24;
/** Another one after every change of the row, and when the previous secret ends. */
const VERSION = sql`(subscription.xmin::text || CASE WHEN previous_secret_until > clock_timestamp() THEN '+' ELSE '' END)`;

@Injectable()
export class SubscriptionRepository {
  constructor(private readonly dataKeyRepository: DataKeyRepository) {}

  async find(tx: Tx, installationId: InstallationId): Promise<StoredSubscription | undefined> {
    const row = await tx.maybeOne<SubscriptionRow>(sql`
      SELECT platform_subscription_id, endpoint_token, secret, header_value, header_confirmed, timestamp_meaning,
        wanted_status, rotation_requested_at IS NOT NULL AS rotation_requested, ${VERSION} AS version,
        CASE WHEN previous_secret_until > clock_timestamp() THEN previous_secret END AS previous_secret
      FROM subscription WHERE installation_id = ${installationId}`);
    return row && toStored(row, await this.dataKeyRepository.find(tx, installationId));
  }

  /** Whether the subscription is still as it was read, of an installation that is still in that state. */
  async isUnchanged(tx: Tx, { id, state, generation }: Installation, version: string): Promise<boolean> {
    const row = await tx.maybeOne<object>(sql`
      SELECT FROM subscription JOIN installation ON installation.id = installation_id
      WHERE installation_id = ${id} AND ${VERSION} = ${version} AND state = ${state} AND generation = ${generation}`);
    return row !== undefined;
  }

  async summary(tx: Tx, installationId: InstallationId): Promise<SubscriptionSummary | undefined> {
    return tx.maybeOne<SubscriptionSummary>(sql`
      SELECT platform_subscription_id AS "platformSubscriptionId", wanted_status AS "wantedStatus",
        confirmed_status AS "confirmedStatus", confirmed_at AS "confirmedAt", secret_since AS "secretSince",
        previous_secret_until AS "previousSecretUntil", rotation_requested_at AS "rotationRequestedAt"
      FROM subscription WHERE installation_id = ${installationId}`);
  }

  /** Stores our address before it is sent to the platform: a crash in between leaves no unknown subscription. */
  async reserve(tx: Tx, installationId: InstallationId, endpointToken: string): Promise<void> {
    const keys = await this.dataKeyRepository.findOrCreate(tx, installationId);
    await tx.execute(sql`
      INSERT INTO subscription (installation_id, endpoint_token, endpoint_token_hash, updated_at)
      VALUES (${installationId}, ${keys.seal('subscription.endpoint_token', endpointToken)},
        ${sha256(endpointToken)}, clock_timestamp())
      ON CONFLICT (installation_id) DO NOTHING`);
  }

  /** Stores the value of our header before it is sent to the platform. */
  async reserveHeader(tx: Tx, installationId: InstallationId, value: string): Promise<void> {
    const keys = await this.dataKeyRepository.findOrCreate(tx, installationId);
    await tx.execute(sql`
      UPDATE subscription SET header_value = ${keys.seal('subscription.header_value', value)}
      WHERE installation_id = ${installationId} AND header_value IS NULL`);
  }

  /** After a reinstall: deletes everything but the timestamp setting, as the old secrets cannot be decrypted. */
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

  /**
   * Stores the subscription's id and secret; a replaced secret stays valid for another day (S15).
   * @param seen what the work was begun with; undefined: whatever is stored
   * @returns false when another run has replaced the subscription since, or a rotation or another status was requested: nothing is
   * stored then
   */
  async confirm(
    tx: Tx,
    installationId: InstallationId,
    platformSubscriptionId: string,
    secret: string,
    seen?: StoredSubscription,
  ): Promise<boolean> {
    const keys = await this.dataKeyRepository.findOrCreate(tx, installationId);
    const before = (await this.find(tx, installationId))?.secret;
    const sealed = keys.seal('subscription.secret', secret);
    const isAsSeen = sql`installation_id = ${installationId}
      AND (${seen === undefined} OR platform_subscription_id IS NOT DISTINCT FROM ${seen?.platformSubscriptionId ?? null}::uuid
        AND (rotation_requested_at IS NOT NULL) = ${seen?.rotationRequested ?? false}
        AND wanted_status = ${seen?.wantedStatus ?? 'ACTIVE'})`;
    if (before === secret) {
      const confirmed = await tx.execute(sql`
        UPDATE subscription SET platform_subscription_id = ${platformSubscriptionId}, updated_at = clock_timestamp()
        WHERE ${isAsSeen}`);
      return confirmed === 1;
    }
    const previous = before === undefined ? null : keys.seal('subscription.previous_secret', before);
    const confirmed = await tx.execute(sql`
      UPDATE subscription SET platform_subscription_id = ${platformSubscriptionId}, secret = ${sealed},
        secret_since = clock_timestamp(), previous_secret = ${previous}::text,
        previous_secret_until = CASE WHEN ${previous}::text IS NOT NULL
          THEN clock_timestamp() + make_interval(hours => ${OVERLAP_HOURS}) END,
        rotation_requested_at = NULL, updated_at = clock_timestamp()
      WHERE ${isAsSeen}`);
    return confirmed === 1;
  }

  /**
   * The platform has confirmed the subscription; maintenance is next due in a day, unless something else is wanted by now.
   * @param seen what the work was begun with; undefined: whatever is stored
   */
  async markMaintained(
    tx: Tx,
    installationId: InstallationId,
    confirmedStatus: string,
    seen?: StoredSubscription,
  ): Promise<void> {
    const isAsWanted = sql`(${seen === undefined} OR wanted_status = ${seen?.wantedStatus ?? 'ACTIVE'}
      AND (rotation_requested_at IS NULL OR ${seen?.rotationRequested ?? false}))`;
    await tx.execute(sql`
      UPDATE subscription SET confirmed_status = ${confirmedStatus}, confirmed_at = clock_timestamp(),
        header_confirmed = (header_value IS NOT NULL), updated_at = clock_timestamp(),
        next_maintenance_at = CASE WHEN ${isAsWanted}
          THEN clock_timestamp() + make_interval(hours => ${MAINTENANCE_HOURS}) ELSE next_maintenance_at END
      WHERE installation_id = ${installationId}`);
  }

  /** @returns false before the first subscription */
  async setWantedStatus(tx: Tx, installationId: InstallationId, status: SubscriptionStatus): Promise<boolean> {
    const changed = await tx.execute(sql`
      UPDATE subscription SET wanted_status = ${status}, next_maintenance_at = clock_timestamp(), updated_at = clock_timestamp()
      WHERE installation_id = ${installationId}`);
    return changed === 1;
  }

  /** @returns false when there is no secret yet */
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

  /** @returns false before the first subscription */
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

  /** Over all tenants: the owner of a webhook address. Found by its hash, so the time reveals nothing of the token. */
  async findInstallationByEndpoint(tx: Tx, endpointToken: string): Promise<InstallationId | undefined> {
    const row = await tx.maybeOne<{ installation_id: string }>(sql`
      SELECT installation_id FROM subscription WHERE endpoint_token_hash = ${sha256(endpointToken)}`);
    return row && toInstallationId(row.installation_id);
  }

  /**
   * Over all tenants: claims up to `limit` due subscriptions of active installations. Each is due again in a quarter of an
   * hour unless `markMaintained` sets a later time.
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

  /** Over all tenants: every subscription is due within so many seconds, spread evenly. */
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
    version: row.version,
  };
}
