import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { InstallationId } from '../../kernel/ids.js';
import type { TokenSet } from '../platform/platform-oauth.js';
import { KeyRingService } from './key-ring.service.js';

export interface StoredCredential {
  readonly version: number;
  readonly accessToken: string;
  readonly refreshToken: string;
  /** False once two thirds of the access token's life are over. */
  readonly fresh: boolean;
}

interface CredentialRow {
  readonly version: number;
  readonly access_token: string;
  readonly refresh_token: string;
  readonly fresh: boolean;
}

/** Tokens at rest are sealed for their column and installation. All times are the database's: replicas' clocks differ. */
@Injectable()
export class CredentialRepository {
  constructor(private readonly keys: KeyRingService) {}

  async find(tx: Tx, installationId: InstallationId): Promise<StoredCredential | undefined> {
    const row = await tx.maybeOne<CredentialRow>(sql`
      SELECT version, access_token, refresh_token, clock_timestamp() < refresh_after AS fresh
      FROM credential WHERE installation_id = ${installationId}`);
    return (
      row && {
        version: row.version,
        accessToken: this.keys.unseal('credential.access_token', installationId, row.access_token),
        refreshToken: this.keys.unseal('credential.refresh_token', installationId, row.refresh_token),
        fresh: row.fresh,
      }
    );
  }

  /** Stores the pair of a new consent, whatever was there before. */
  async replace(tx: Tx, installationId: InstallationId, tokens: TokenSet): Promise<void> {
    const sealed = this.seal(installationId, tokens);
    await tx.execute(sql`
      INSERT INTO credential (installation_id, version, access_token, refresh_token, refresh_after, updated_at)
      VALUES (${installationId}, 1, ${sealed.access}, ${sealed.refresh},
        clock_timestamp() + make_interval(secs => ${refreshAfterSeconds(tokens)}), clock_timestamp())
      ON CONFLICT (installation_id) DO UPDATE SET version = credential.version + 1, access_token = EXCLUDED.access_token,
        refresh_token = EXCLUDED.refresh_token, refresh_after = EXCLUDED.refresh_after, refreshing_until = NULL,
        updated_at = EXCLUDED.updated_at`);
  }

  /**
   * Claims the right to refresh this version.
   * @param seconds after which a claim of a process that died is void
   * @returns false when another process holds it or has stored a newer version
   */
  async claimRefresh(
    tx: Tx,
    installationId: InstallationId,
    version: number,
    seconds: number,
  ): Promise<boolean> {
    const claimed = await tx.execute(sql`
      UPDATE credential SET refreshing_until = clock_timestamp() + make_interval(secs => ${seconds})
      WHERE installation_id = ${installationId} AND version = ${version}
        AND (refreshing_until IS NULL OR refreshing_until < clock_timestamp())`);
    return claimed === 1;
  }

  /** Stores the refreshed pair; false when somebody stored a newer one meanwhile. */
  async storeRefreshed(
    tx: Tx,
    installationId: InstallationId,
    version: number,
    tokens: TokenSet,
  ): Promise<boolean> {
    const sealed = this.seal(installationId, tokens);
    const stored = await tx.execute(sql`
      UPDATE credential SET version = version + 1, access_token = ${sealed.access}, refresh_token = ${sealed.refresh},
        refresh_after = clock_timestamp() + make_interval(secs => ${refreshAfterSeconds(tokens)}),
        refreshing_until = NULL, updated_at = clock_timestamp()
      WHERE installation_id = ${installationId} AND version = ${version}`);
    return stored === 1;
  }

  /** Whether this version is still the stored one; keeps it so until the transaction ends. */
  async isCurrent(tx: Tx, installationId: InstallationId, version: number): Promise<boolean> {
    const rows = await tx.rows(sql`
      SELECT 1 FROM credential WHERE installation_id = ${installationId} AND version = ${version} FOR UPDATE`);
    return rows.length === 1;
  }

  async releaseRefresh(tx: Tx, installationId: InstallationId, version: number): Promise<void> {
    await tx.execute(sql`
      UPDATE credential SET refreshing_until = NULL WHERE installation_id = ${installationId} AND version = ${version}`);
  }

  private seal(
    installationId: InstallationId,
    tokens: TokenSet,
  ): { readonly access: string; readonly refresh: string } {
    return {
      access: this.keys.seal('credential.access_token', installationId, tokens.accessToken),
      refresh: this.keys.seal('credential.refresh_token', installationId, tokens.refreshToken),
    };
  }
}

/** After two thirds of its life, and in any case a minute before it ends (invariant I41). */
function refreshAfterSeconds({ expiresInSeconds }: TokenSet): number {
  return Math.max(0, Math.floor(Math.min((expiresInSeconds * 2) / 3, expiresInSeconds - 60)));
}
