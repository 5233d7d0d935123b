// Access tokens of an installation, refreshed early and by one process at a time (invariants I19, I41).
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { NoAnswer } from '../../foundation/http/http-client.js';
import { Clock } from '../../kernel/clock.js';
import { Retryable } from '../../kernel/faults.js';
import type { InstallationId } from '../../kernel/ids.js';
import { AuthorisationLost, PlatformRefusal } from '../platform/platform-error.js';
import type { PlatformAuthorisation } from '../platform/platform-http.js';
import { PlatformOAuth, type TokenSet } from '../platform/platform-oauth.js';
import { CredentialRepository, type StoredCredential } from './credential.repository.js';
import { InstallationRepository } from './installation.repository.js';

/** A claim outlives any refresh call (10 s limit), so that two never overlap. */
const CLAIM_SECONDS = 20;
const WAIT_MS = 200;
const LONGEST_WAIT_MS = 30_000;
const STORE_ATTEMPTS = 4;

@Injectable()
export class PlatformAccess {
  constructor(
    private readonly database: TenantDatabase,
    private readonly credentials: CredentialRepository,
    private readonly installations: InstallationRepository,
    private readonly oauth: PlatformOAuth,
    private readonly clock: Clock,
  ) {}

  /** What the platform client needs to act for one installation. */
  of(installationId: InstallationId): PlatformAuthorisation {
    return {
      accessToken: async () => {
        const stored = await this.load(installationId);
        return stored.fresh ? stored.accessToken : this.refresh(installationId, stored);
      },
      renewed: async (rejected) => {
        const stored = await this.load(installationId);
        return stored.accessToken === rejected ? this.refresh(installationId, stored) : stored.accessToken;
      },
    };
  }

  private async load(installationId: InstallationId): Promise<StoredCredential> {
    const stored = await this.database.inInstallation('load credential', installationId, async (tx) => {
      const installation = await this.installations.find(tx, installationId);
      const usable = installation?.state === 'authorised' || installation?.state === 'active';
      return usable ? this.credentials.find(tx, installationId) : undefined;
    });
    if (stored === undefined) {
      throw new AuthorisationLost(`installation ${installationId} has no valid authorisation`);
    }
    return stored;
  }

  private async refresh(installationId: InstallationId, stale: StoredCredential): Promise<string> {
    const giveUpAt = this.clock.monotonicMs() + LONGEST_WAIT_MS;
    while (this.clock.monotonicMs() < giveUpAt) {
      const claimed = await this.database.inInstallation('claim refresh', installationId, (tx) =>
        this.credentials.claimRefresh(tx, installationId, stale.version, CLAIM_SECONDS),
      );
      if (claimed) {
        return this.refreshClaimed(installationId, stale);
      }
      await this.clock.sleep(WAIT_MS);
      const current = await this.load(installationId);
      if (current.version !== stale.version) {
        return current.accessToken;
      }
    }
    throw new Retryable('another process is refreshing the access token and does not finish');
  }

  private async refreshClaimed(installationId: InstallationId, stale: StoredCredential): Promise<string> {
    let tokens: TokenSet;
    try {
      tokens = await this.oauth.refresh(stale.refreshToken);
    } catch (error) {
      return this.afterFailure(installationId, stale, error);
    }
    // Stored before first use: a crash in between must not lose the only valid refresh token.
    const stored = await this.store(installationId, stale, tokens);
    return stored ? tokens.accessToken : (await this.load(installationId)).accessToken;
  }

  /**
   * The old refresh token is used up, so the new pair must not be lost to a hiccup of the database.
   * @returns false when a new consent has replaced the grant meanwhile: its tokens are the ones to use
   */
  private async store(
    installationId: InstallationId,
    stale: StoredCredential,
    tokens: TokenSet,
  ): Promise<boolean> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.database.inInstallation('store tokens', installationId, (tx) =>
          this.credentials.storeRefreshed(tx, installationId, stale.version, tokens),
        );
      } catch (error) {
        if (attempt === STORE_ATTEMPTS) {
          throw error;
        }
        await this.clock.sleep(WAIT_MS * 2 ** attempt);
      }
    }
  }

  /** @returns the token of a newer consent, when the grant that failed is no longer the stored one */
  private async afterFailure(
    installationId: InstallationId,
    stale: StoredCredential,
    error: unknown,
  ): Promise<string> {
    if (error instanceof AuthorisationLost) {
      const replaced = await this.database.inInstallation(
        'authorisation lost',
        installationId,
        async (tx) => {
          if (!(await this.credentials.isCurrent(tx, installationId, stale.version))) {
            return true;
          }
          await this.installations.needsReauthorisation(tx, installationId);
          return false;
        },
      );
      if (replaced) {
        return (await this.load(installationId)).accessToken;
      }
    } else if (surelyUnused(error)) {
      await this.database.inInstallation('release refresh', installationId, (tx) =>
        this.credentials.releaseRefresh(tx, installationId, stale.version),
      );
    }
    throw error;
  }
}

/** Only then may another caller try at once; after anything else the claim keeps them away until it runs out. */
function surelyUnused(error: unknown): boolean {
  return (
    (error instanceof NoAnswer && !error.sent) || (error instanceof PlatformRefusal && error.status < 500)
  );
}
