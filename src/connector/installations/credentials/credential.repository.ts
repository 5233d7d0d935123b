import { Injectable } from '@nestjs/common';
import { prepared, sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { Bug } from '../../../kernel/faults.js';
import type { InstallationId } from '../../../kernel/ids.js';
import type { InstallationState } from '../domain/installation.js';
import { ApiKey } from '../../platform/platform-http.js';
import type { TokenSet } from '../../../foundation/http/oauth/oauth-client.js';
import { DataKeyRepository } from './data-key.repository.js';
import type { SealedColumn } from './key-ring.service.js';

/** Whose credential it is: the platform's, or that of the ERP whose connection has this generation. */
export type CredentialIssuer = number;
export const PLATFORM: CredentialIssuer = 0;

export interface StoredTokens {
  readonly kind: 'tokens';
  readonly version: number;
  readonly accessToken: string;
  readonly refreshToken: string;
  /** False after two thirds of the access token's lifetime. */
  readonly fresh: boolean;
  /** False from a minute before the access token expires (I41). */
  readonly alive: boolean;
  /** Whether an ERP has refused to renew them: only a person can help. Of the platform's the installation says it. */
  readonly lost: boolean;
}

export interface StoredApiKey {
  readonly kind: 'api-key';
  readonly version: number;
  readonly key: ApiKey;
}

export type StoredCredential = StoredTokens | StoredApiKey;

/** Names one stored state of a credential: the next one has another version. */
export interface CredentialVersion {
  readonly issuer: CredentialIssuer;
  readonly version: number;
}

/** What people may see of a credential: never the secret. */
export interface CredentialSummary {
  readonly kind: StoredCredential['kind'];
  readonly updatedAt: Date;
  readonly expiresAt: Date | null;
}

interface CredentialRow {
  readonly kind: StoredCredential['kind'];
  readonly version: number;
  readonly access_token: string;
  readonly refresh_token: string | null;
  readonly presentation: ApiKey['presentation'] | null;
  readonly fresh: boolean;
  readonly alive: boolean;
  readonly lost: boolean;
  readonly wrapped_key: string | null;
}

/** Of a `credential`. */
const COLUMNS = sql`credential.kind, credential.version, access_token, refresh_token, presentation,
  clock_timestamp() < refresh_after AS fresh,
  coalesce(clock_timestamp() < expires_at - interval '60 seconds', false) AS alive, lost_at IS NOT NULL AS lost,
  (SELECT wrapped_key FROM data_key WHERE data_key.installation_id = credential.installation_id) AS wrapped_key`;

/**
 * Stored credentials, each encrypted for its column and installation (S25). All times are the database's: the clocks of
 * processes differ.
 */
@Injectable()
export class CredentialRepository {
  constructor(private readonly dataKeyRepository: DataKeyRepository) {}

  async find(tx: Tx, installationId: InstallationId, issuer = PLATFORM): Promise<StoredCredential | undefined> {
    const row = await tx.maybeOne<CredentialRow>(sql`
      SELECT ${COLUMNS} FROM credential WHERE installation_id = ${installationId} AND erp_generation = ${issuer}`);
    return row && this.opened(installationId, issuer, row);
  }

  /** The platform's, with the state of its installation; that of an uninstalled one is not even read. */
  async findInUse(
    tx: Tx,
    installationId: InstallationId,
  ): Promise<{ readonly credential: StoredCredential; readonly state: InstallationState } | undefined> {
    const row = await tx.maybeOne<CredentialRow & { readonly state: InstallationState }>(
      prepared(sql`
      SELECT ${COLUMNS}, state FROM installation JOIN credential ON credential.installation_id = installation.id
      WHERE installation.id = ${installationId} AND erp_generation = ${PLATFORM} AND state <> 'uninstalled'`),
    );
    return row && { credential: this.opened(installationId, PLATFORM, row), state: row.state };
  }

  private opened(installationId: InstallationId, issuer: CredentialIssuer, row: CredentialRow): StoredCredential {
    const keys = this.dataKeyRepository.opened(installationId, row.wrapped_key);
    const { kind, version, fresh, alive, lost } = row;
    const columns = columnsOf(issuer);
    const secret = keys.unseal(columns.access, row.access_token);
    if (kind === 'api-key') {
      return { kind, version, key: new ApiKey(secret, row.presentation ?? 'basic') };
    }
    if (row.refresh_token === null) {
      throw new Bug('tokens are stored without a refresh token');
    }
    const refreshToken = keys.unseal(columns.refresh, row.refresh_token);
    return { kind, version, accessToken: secret, refreshToken, fresh, alive, lost };
  }

  async summary(tx: Tx, installationId: InstallationId): Promise<CredentialSummary | undefined> {
    return tx.maybeOne<CredentialSummary>(sql`
      SELECT kind, updated_at AS "updatedAt", expires_at AS "expiresAt"
      FROM credential WHERE installation_id = ${installationId} AND erp_generation = ${PLATFORM}`);
  }

  /** Of the platform's. */
  async findVersion(tx: Tx, installationId: InstallationId): Promise<number | undefined> {
    const row = await tx.maybeOne<{ version: number }>(sql`
      SELECT version FROM credential WHERE installation_id = ${installationId} AND erp_generation = ${PLATFORM}`);
    return row?.version;
  }

  /** Stores the token pair of a new consent in place of any earlier credential. */
  async replace(tx: Tx, installationId: InstallationId, tokens: TokenSet, issuer = PLATFORM): Promise<void> {
    const sealed = await this.seal(tx, installationId, tokens, issuer);
    await tx.execute(sql`
      INSERT INTO credential (installation_id, erp_generation, version, kind, access_token, refresh_token, refresh_after,
        expires_at, updated_at)
      VALUES (${installationId}, ${issuer}, 1, 'tokens', ${sealed.access}, ${sealed.refresh},
        clock_timestamp() + make_interval(secs => ${refreshAfterSeconds(tokens)}),
        clock_timestamp() + make_interval(secs => ${tokens.expiresInSeconds}), clock_timestamp())
      ON CONFLICT (installation_id, erp_generation) DO UPDATE SET version = credential.version + 1, kind = 'tokens', presentation = NULL,
        access_token = EXCLUDED.access_token, refresh_token = EXCLUDED.refresh_token,
        refresh_after = EXCLUDED.refresh_after, expires_at = EXCLUDED.expires_at, refreshing_until = NULL,
        refresh_unanswered_at = NULL, lost_at = NULL, updated_at = EXCLUDED.updated_at`);
  }

  /** Of an ERP that is opened by its settings from now on. */
  async delete(tx: Tx, installationId: InstallationId, issuer: CredentialIssuer): Promise<void> {
    await tx.execute(sql`
      DELETE FROM credential WHERE installation_id = ${installationId} AND erp_generation = ${issuer}`);
  }

  /** Stores an API key in place of any earlier credential. */
  async replaceWithApiKey(tx: Tx, installationId: InstallationId, key: ApiKey): Promise<void> {
    const keys = await this.dataKeyRepository.findOrCreate(tx, installationId);
    await tx.execute(sql`
      INSERT INTO credential (installation_id, version, kind, presentation, access_token, refresh_after, updated_at)
      VALUES (${installationId}, 1, 'api-key', ${key.presentation}, ${keys.seal('credential.access_token', key.text)},
        'infinity', clock_timestamp())
      ON CONFLICT (installation_id, erp_generation) DO UPDATE SET version = credential.version + 1, kind = 'api-key',
        presentation = EXCLUDED.presentation, access_token = EXCLUDED.access_token, refresh_token = NULL,
        refresh_after = EXCLUDED.refresh_after, expires_at = NULL, refreshing_until = NULL,
        refresh_unanswered_at = NULL, updated_at = EXCLUDED.updated_at`);
  }

  /**
   * Claims the right to refresh this version.
   * @param seconds until the claim of a process that died expires
   * @returns false when another process holds it or has stored a newer version
   */
  async claimRefresh(
    tx: Tx,
    installationId: InstallationId,
    { issuer, version }: CredentialVersion,
    seconds: number,
  ): Promise<boolean> {
    const claimed = await tx.execute(sql`
      UPDATE credential SET refreshing_until = clock_timestamp() + make_interval(secs => ${seconds})
      WHERE installation_id = ${installationId} AND erp_generation = ${issuer} AND version = ${version}
        AND (refreshing_until IS NULL OR refreshing_until < clock_timestamp())`);
    return claimed === 1;
  }

  /** Keeps the claim while the refresh lasts. @returns false when a newer version was stored meanwhile */
  async renewClaim(
    tx: Tx,
    installationId: InstallationId,
    { issuer, version }: CredentialVersion,
    seconds: number,
  ): Promise<boolean> {
    const renewed = await tx.execute(sql`
      UPDATE credential SET refreshing_until = clock_timestamp() + make_interval(secs => ${seconds})
      WHERE installation_id = ${installationId} AND erp_generation = ${issuer} AND version = ${version}`);
    return renewed === 1;
  }

  /** A refresh of this version got no answer. The claim stays: nothing is gained by asking again at once. */
  async recordUnanswered(
    tx: Tx,
    installationId: InstallationId,
    { issuer, version }: CredentialVersion,
  ): Promise<void> {
    await tx.execute(sql`
      UPDATE credential SET refresh_unanswered_at = clock_timestamp()
      WHERE installation_id = ${installationId} AND erp_generation = ${issuer} AND version = ${version}`);
  }

  /** Stores the refreshed pair. @returns false when a newer credential was stored meanwhile */
  async storeRefreshed(
    tx: Tx,
    installationId: InstallationId,
    { issuer, version }: CredentialVersion,
    tokens: TokenSet,
  ): Promise<boolean> {
    const sealed = await this.seal(tx, installationId, tokens, issuer);
    const stored = await tx.execute(sql`
      UPDATE credential SET version = version + 1, access_token = ${sealed.access}, refresh_token = ${sealed.refresh},
        refresh_after = clock_timestamp() + make_interval(secs => ${refreshAfterSeconds(tokens)}),
        expires_at = clock_timestamp() + make_interval(secs => ${tokens.expiresInSeconds}),
        refreshing_until = NULL, refresh_unanswered_at = NULL, updated_at = clock_timestamp()
      WHERE installation_id = ${installationId} AND erp_generation = ${issuer} AND version = ${version}`);
    return stored === 1;
  }

  /**
   * Locks the installation and the credential until the transaction ends, in the order in which a new consent writes them: one that
   * comes at the same moment waits, and neither fails.
   * @returns whether this version is still the stored one
   */
  async isCurrent(tx: Tx, installationId: InstallationId, { issuer, version }: CredentialVersion): Promise<boolean> {
    await tx.execute(sql`SELECT FROM installation WHERE id = ${installationId} FOR NO KEY UPDATE`);
    const rows = await tx.rows(sql`
      SELECT 1 FROM credential WHERE installation_id = ${installationId} AND erp_generation = ${issuer} AND version = ${version} FOR UPDATE`);
    return rows.length === 1;
  }

  /** The ERP does not renew its tokens any more, until a person has signed in there again. */
  async markLost(tx: Tx, installationId: InstallationId, issuer: CredentialIssuer): Promise<void> {
    await tx.execute(sql`
      UPDATE credential SET lost_at = clock_timestamp()
      WHERE installation_id = ${installationId} AND erp_generation = ${issuer} AND lost_at IS NULL`);
  }

  async releaseRefresh(tx: Tx, installationId: InstallationId, { issuer, version }: CredentialVersion): Promise<void> {
    await tx.execute(sql`
      UPDATE credential SET refreshing_until = NULL WHERE installation_id = ${installationId} AND erp_generation = ${issuer} AND version = ${version}`);
  }

  private async seal(
    tx: Tx,
    installationId: InstallationId,
    tokens: TokenSet,
    issuer: CredentialIssuer,
  ): Promise<{ readonly access: string; readonly refresh: string }> {
    const keys = await this.dataKeyRepository.findOrCreate(tx, installationId);
    const columns = columnsOf(issuer);
    return {
      access: keys.seal(columns.access, tokens.accessToken),
      refresh: keys.seal(columns.refresh, tokens.refreshToken),
    };
  }
}

/** A token for an ERP cannot be read as one for the platform. */
function columnsOf(issuer: CredentialIssuer): { readonly access: SealedColumn; readonly refresh: SealedColumn } {
  return issuer === PLATFORM
    ? { access: 'credential.access_token', refresh: 'credential.refresh_token' }
    : { access: 'credential.erp_access_token', refresh: 'credential.erp_refresh_token' };
}

/**
 * After two thirds of the lifetime, and at the latest a minute before the end (I41). A token that lives for less than two minutes is
 * used for half of its life: each request would renew it otherwise.
 */
function refreshAfterSeconds({ expiresInSeconds }: TokenSet): number {
  const early = Math.min((expiresInSeconds * 2) / 3, expiresInSeconds - 60);
  return Math.floor(Math.max(early, expiresInSeconds / 2));
}
