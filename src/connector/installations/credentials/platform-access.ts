// Access tokens of an installation, refreshed early and by one process at a time (I19, I41).
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { withTimeout } from '../../../foundation/clock/with-timeout.js';
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

/** A claim is renewed while its refresh lasts, so that two never overlap; it ends soon after its process has died. */
const CLAIM_SECONDS = 20;
const RENEW_CLAIM_MS = 5_000;
/** How long a caller with a living access token waits for the next one; the refresh goes on without it. */
const PATIENCE_MS = 3_000;
/** Of the process's own stop: an answer that nobody waits for any more would be a lost one. */
const STOP_PATIENCE_MS = 15_000;
const WAIT_MS = 200;
const MAX_WAIT_MS = 30_000;
const STORE_ATTEMPTS = 4;

/** A stored credential, and the state that decides whether it may be refreshed. */
interface Loaded {
  readonly credential: StoredCredential;
  readonly state: InstallationState;
}

@Injectable()
export class PlatformAccess implements BeforeApplicationShutdown {
  private readonly underWay = new Set<Promise<unknown>>();

  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly credentialRepository: CredentialRepository,
    private readonly installationRepository: InstallationRepository,
    private readonly platformOAuth: PlatformOAuth,
    private readonly clock: Clock,
  ) {}

  /** Waits for the refreshes under way: the answer to each brings the only valid refresh token. */
  async beforeApplicationShutdown(): Promise<void> {
    await withTimeout(STOP_PATIENCE_MS, 'refreshing', Promise.all(this.underWay)).catch(() => undefined);
  }

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
        if (credential.fresh || state === 'needs_reauthorization') {
          return credential.accessToken;
        }
        return credential.alive
          ? this.refreshEarly(installationId, credential)
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

  /**
   * While the access token lives nothing depends on the refresh: another process may be at it, its answer may be late or
   * lost, and the token in hand is used to its end.
   */
  private async refreshEarly(installationId: InstallationId, stale: StoredTokens): Promise<string | ApiKey> {
    if (!(await this.claim(installationId, stale))) {
      return stale.accessToken;
    }
    const refreshing = this.refreshClaimed(installationId, stale);
    return withTimeout(PATIENCE_MS, 'the refresh', refreshing).catch(() => stale.accessToken);
  }

  private async claim(installationId: InstallationId, { version }: StoredTokens): Promise<boolean> {
    return this.tenantDatabase.inInstallation('claim refresh', installationId, (tx) =>
      this.credentialRepository.claimRefresh(tx, installationId, version, CLAIM_SECONDS),
    );
  }

  private async refresh(installationId: InstallationId, stale: StoredTokens): Promise<string | ApiKey> {
    const giveUpAt = this.clock.monotonicMs() + MAX_WAIT_MS;
    while (this.clock.monotonicMs() < giveUpAt) {
      if (await this.claim(installationId, stale)) {
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

  private refreshClaimed(installationId: InstallationId, stale: StoredTokens): Promise<string | ApiKey> {
    const refreshing = this.refreshAndStore(installationId, stale);
    const ended: Promise<unknown> = refreshing.catch(() => undefined).finally(() => this.underWay.delete(ended));
    this.underWay.add(ended);
    return refreshing;
  }

  private async refreshKeepingClaim(installationId: InstallationId, stale: StoredTokens): Promise<TokenSet> {
    const answered = new AbortController();
    const renewing = this.keepClaim(installationId, stale, answered.signal);
    try {
      return await this.platformOAuth.refresh(stale.refreshToken);
    } finally {
      answered.abort();
      await renewing;
    }
  }

  private async keepClaim(installationId: InstallationId, { version }: StoredTokens, ended: AbortSignal) {
    for (;;) {
      await this.clock.sleep(RENEW_CLAIM_MS, ended).catch(() => undefined);
      if (ended.aborted) {
        return;
      }
      await this.tenantDatabase
        .inInstallation('renew refresh claim', installationId, (tx) =>
          this.credentialRepository.renewClaim(tx, installationId, version, CLAIM_SECONDS),
        )
        .catch(() => undefined);
    }
  }

  private async refreshAndStore(installationId: InstallationId, stale: StoredTokens): Promise<string | ApiKey> {
    let tokens: TokenSet;
    try {
      tokens = await this.refreshKeepingClaim(installationId, stale);
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
    } else {
      await this.tenantDatabase.inInstallation('refresh failed', installationId, (tx) =>
        isTokenUnused(error)
          ? this.credentialRepository.releaseRefresh(tx, installationId, stale.version)
          : this.credentialRepository.recordUnanswered(tx, installationId, stale.version),
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
