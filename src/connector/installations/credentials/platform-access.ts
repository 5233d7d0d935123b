// Access tokens of an installation, refreshed early and by one process at a time (I19, I41).
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { NoResponse } from '../../../foundation/http/client/http-client.js';
import { Clock } from '../../../kernel/clock.js';
import { Retryable } from '../../../kernel/faults.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { AuthorizationLost, PlatformRefusal } from '../../platform/platform-error.js';
import type { ApiKey, PlatformAuthorization } from '../../platform/platform-http.js';
import { PlatformOAuth, type TokenSet } from '../../platform/platform-oauth.js';
import {
  CredentialRepository,
  type StoredApiKey,
  type StoredCredential,
  type StoredTokens,
} from './credential.repository.js';
import type { InstallationState } from '../domain/installation.js';
import { InstallationRepository } from '../installation.repository.js';
import { countRefresh } from '../installations.metrics.js';

/** Longer than any refresh call (10 s limit), so that two never overlap. */
const CLAIM_SECONDS = 20;
const WAIT_MS = 200;
const MAX_WAIT_MS = 30_000;
const STORE_ATTEMPTS = 4;

/** A stored credential, and the state that decides whether it may be refreshed. */
interface Loaded {
  readonly credential: StoredCredential;
  readonly state: InstallationState;
}

@Injectable()
export class PlatformAccess {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly credentialRepository: CredentialRepository,
    private readonly installationRepository: InstallationRepository,
    private readonly platformOAuth: PlatformOAuth,
    private readonly clock: Clock,
  ) {}

  /**
   * What the platform client needs to act for one installation.
   * @param requester whose share of the request budget is used; `people`: requests that a person waits for
   */
  authorizationFor(
    installationId: InstallationId,
    requester: PlatformAuthorization['requester'] = 'connector',
  ): PlatformAuthorization {
    return {
      requester,
      accessToken: async () => {
        const { credential, state } = await this.load(installationId);
        if (credential.kind === 'api-key') {
          return credential.key;
        }
        return credential.fresh || state === 'needs_reauthorization'
          ? credential.accessToken
          : this.refresh(installationId, credential);
      },
      renewed: async (rejected) => {
        const { credential, state } = await this.load(installationId);
        if (credential.kind === 'api-key') {
          return this.replacementKey(installationId, credential, rejected);
        }
        if (credential.accessToken !== rejected) {
          return credential.accessToken;
        }
        if (state === 'needs_reauthorization') {
          throw authorizationLost(installationId);
        }
        return this.refresh(installationId, credential);
      },
    };
  }

  /** The access token of a revoked grant stays valid for some time: enough to send running jobs their verdict. */
  private async load(installationId: InstallationId): Promise<Loaded> {
    const loaded = await this.tenantDatabase.inInstallation('load credential', installationId, async (tx) => {
      const state = (await this.installationRepository.find(tx, installationId))?.state;
      // The credential of an uninstalled installation is not even read.
      const credential =
        state === undefined || state === 'uninstalled'
          ? undefined
          : await this.credentialRepository.find(tx, installationId);
      return state && credential && { credential, state };
    });
    if (loaded === undefined) {
      throw authorizationLost(installationId);
    }
    const { credential, state } = loaded;
    if (state === 'needs_reauthorization' && (credential.kind === 'api-key' || !credential.alive)) {
      throw authorizationLost(installationId);
    }
    return loaded;
  }

  /** A key cannot be refreshed: unless an administrator has replaced it meanwhile, the authorization is lost. */
  private async replacementKey(
    installationId: InstallationId,
    stored: StoredApiKey,
    rejected: string,
  ): Promise<ApiKey> {
    if (stored.key.text !== rejected) {
      return stored.key;
    }
    await this.markLost(installationId, stored.version);
    throw new AuthorizationLost('the platform no longer accepts the API key');
  }

  private async refresh(installationId: InstallationId, stale: StoredTokens): Promise<string | ApiKey> {
    const giveUpAt = this.clock.monotonicMs() + MAX_WAIT_MS;
    while (this.clock.monotonicMs() < giveUpAt) {
      const claimed = await this.tenantDatabase.inInstallation('claim refresh', installationId, (tx) =>
        this.credentialRepository.claimRefresh(tx, installationId, stale.version, CLAIM_SECONDS),
      );
      if (claimed) {
        return this.refreshClaimed(installationId, stale);
      }
      await this.clock.sleep(WAIT_MS);
      const current = await this.load(installationId);
      if (current.credential.version !== stale.version || current.state === 'needs_reauthorization') {
        return secretOf(current.credential);
      }
    }
    throw new Retryable('another process has been refreshing the access token for too long');
  }

  private async refreshClaimed(installationId: InstallationId, stale: StoredTokens): Promise<string | ApiKey> {
    let tokens: TokenSet;
    try {
      tokens = await this.platformOAuth.refresh(stale.refreshToken);
      countRefresh('renewed');
    } catch (error) {
      countRefresh(error instanceof AuthorizationLost ? 'lost' : 'failed');
      return this.recoverFromFailure(installationId, stale, error);
    }
    // Stored before the first use: a crash in between must not lose the only valid refresh token.
    const stored = await this.store(installationId, stale, tokens);
    return stored ? tokens.accessToken : secretOf((await this.load(installationId)).credential);
  }

  /**
   * The old refresh token is used up, so storing the new pair is repeated when the database fails.
   * @returns false when a new consent has replaced the grant meanwhile: its tokens are to be used
   */
  private async store(installationId: InstallationId, stale: StoredTokens, tokens: TokenSet): Promise<boolean> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.tenantDatabase.inInstallation('store tokens', installationId, (tx) =>
          this.credentialRepository.storeRefreshed(tx, installationId, stale.version, tokens),
        );
      } catch (error) {
        if (attempt === STORE_ATTEMPTS) {
          throw error;
        }
        await this.clock.sleep(WAIT_MS * 2 ** attempt);
      }
    }
  }

  /** @returns the token of a newer consent, or the old one while the platform may still accept it */
  private async recoverFromFailure(
    installationId: InstallationId,
    stale: StoredTokens,
    error: unknown,
  ): Promise<string | ApiKey> {
    if (error instanceof AuthorizationLost) {
      const isOurs = await this.markLost(installationId, stale.version);
      if (!isOurs || stale.alive) {
        return secretOf((await this.load(installationId)).credential);
      }
    } else if (isTokenUnused(error)) {
      await this.tenantDatabase.inInstallation('release refresh', installationId, (tx) =>
        this.credentialRepository.releaseRefresh(tx, installationId, stale.version),
      );
    }
    throw error;
  }

  /** @returns false when a newer credential has replaced this one, which then stays valid */
  private async markLost(installationId: InstallationId, version: number): Promise<boolean> {
    return this.tenantDatabase.inInstallation('authorization lost', installationId, async (tx) => {
      const isCurrent = await this.credentialRepository.isCurrent(tx, installationId, version);
      if (isCurrent) {
        await this.installationRepository.markNeedsReauthorization(tx, installationId);
      }
      return isCurrent;
    });
  }
}

function secretOf(credential: StoredCredential): string | ApiKey {
  return credential.kind === 'api-key' ? credential.key : credential.accessToken;
}

function authorizationLost(installationId: InstallationId): AuthorizationLost {
  return new AuthorizationLost(`installation ${installationId} has no valid authorization`);
}

/** Only then may another process refresh at once; in all other cases the claim stays until it expires. */
function isTokenUnused(error: unknown): boolean {
  return (error instanceof NoResponse && !error.sent) || (error instanceof PlatformRefusal && error.status < 500);
}
