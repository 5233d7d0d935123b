// Rotating refresh tokens, of the platform and of ERPs: one process at a time uses one, early, and none twice (I19, I41).
import { withTimeout } from '../../../foundation/clock/with-timeout.js';
import type { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { NoResponse } from '../../../foundation/http/client/http-client.js';
import type { TokenSet } from '../../../foundation/http/oauth/oauth-client.js';
import type { Clock } from '../../../kernel/clock.js';
import { Retryable } from '../../../kernel/faults.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { AuthorizationLost } from '../../platform/platform-error.js';
import { countRefresh } from '../installations.metrics.js';
import type { CredentialIssuer, CredentialRepository, StoredTokens } from './credential.repository.js';

/** A claim is renewed while its refresh lasts, so that two never overlap; it ends soon after its process has died. */
const CLAIM_SECONDS = 20;
const RENEW_CLAIM_MS = 5_000;
/** How long a caller with a living access token waits for the next one; the refresh goes on without it. */
const PATIENCE_MS = 3_000;
/** Of the process's own stop: a response that is no longer waited for would be lost. */
const STOP_PATIENCE_MS = 15_000;
const WAIT_MS = 200;
const MAX_WAIT_MS = 30_000;
const STORE_ATTEMPTS = 4;

/** One stored credential, and what is particular about who has issued it. */
export interface TokenGrant<Secret> {
  readonly installationId: InstallationId;
  readonly issuer: CredentialIssuer;
  /** What is stored now. @throws AuthorizationLost when nothing is left that may be used */
  current(): Promise<{ readonly version: number; readonly isLost: boolean; readonly secret: Secret }>;
  /** Uses a refresh token. @throws AuthorizationLost when the grant is dead */
  refresh(refreshToken: string): Promise<TokenSet>;
  /** Records that only a person can help. */
  markLost(tx: Tx): Promise<void>;
  /** Whether a refresh that failed with this error certainly did not consume the token. */
  isUnused(error: unknown): boolean;
}

export class RefreshTokens {
  private readonly underWay = new Set<Promise<unknown>>();

  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly credentialRepository: CredentialRepository,
    private readonly clock: Clock,
  ) {}

  /** Waits for the refreshes under way: the response to each brings the only valid refresh token. */
  async finish(): Promise<void> {
    await withTimeout(STOP_PATIENCE_MS, 'refreshing', Promise.all(this.underWay)).catch(() => undefined);
  }

  /**
   * While the access token lives nothing depends on the refresh: another process may be at it, its response may be late or
   * lost, and the current token is used to its end.
   * @returns the access token to use
   */
  async refreshEarly<Secret>(grant: TokenGrant<Secret>, stale: StoredTokens): Promise<Secret | string> {
    if (!(await this.claim(grant, stale))) {
      return stale.accessToken;
    }
    const refreshing = this.refreshClaimed(grant, stale);
    return withTimeout(PATIENCE_MS, 'the refresh', refreshing).catch(() => stale.accessToken);
  }

  /**
   * Refreshes, or waits for the process that does.
   * @returns the new access token, or what has replaced it meanwhile
   * @throws AuthorizationLost, Retryable, what the refresh throws
   */
  async refresh<Secret>(grant: TokenGrant<Secret>, stale: StoredTokens): Promise<Secret | string> {
    const giveUpAt = this.clock.monotonicMs() + MAX_WAIT_MS;
    while (this.clock.monotonicMs() < giveUpAt) {
      if (await this.claim(grant, stale)) {
        return this.refreshClaimed(grant, stale);
      }
      await this.clock.sleep(WAIT_MS);
      const current = await grant.current();
      if (current.version !== stale.version || current.isLost) {
        return current.secret;
      }
    }
    throw new Retryable('another process has been refreshing the access token for too long');
  }

  /** @returns false when a newer credential has replaced this one, which then stays valid */
  async markLost<Secret>(grant: TokenGrant<Secret>, { version }: { readonly version: number }): Promise<boolean> {
    return this.write(grant, 'authorization lost', async (tx) => {
      const stored = { issuer: grant.issuer, version };
      const isCurrent = await this.credentialRepository.isCurrent(tx, grant.installationId, stored);
      if (isCurrent) {
        await grant.markLost(tx);
      }
      return isCurrent;
    });
  }

  private async claim<Secret>(grant: TokenGrant<Secret>, { version }: StoredTokens): Promise<boolean> {
    const stored = { issuer: grant.issuer, version };
    return this.write(grant, 'claim refresh', (tx) =>
      this.credentialRepository.claimRefresh(tx, grant.installationId, stored, CLAIM_SECONDS),
    );
  }

  private refreshClaimed<Secret>(grant: TokenGrant<Secret>, stale: StoredTokens): Promise<Secret | string> {
    const refreshing = this.refreshAndStore(grant, stale);
    const ended: Promise<unknown> = refreshing.catch(() => undefined).finally(() => this.underWay.delete(ended));
    this.underWay.add(ended);
    return refreshing;
  }

  private async refreshAndStore<Secret>(grant: TokenGrant<Secret>, stale: StoredTokens): Promise<Secret | string> {
    let tokens: TokenSet;
    try {
      tokens = await this.refreshKeepingClaim(grant, stale);
      countRefresh('renewed');
    } catch (error) {
      countRefresh(error instanceof AuthorizationLost ? 'lost' : 'failed');
      return this.recoverFromFailure(grant, stale, error);
    }
    // Stored before the first use: a crash in between must not lose the only valid refresh token.
    const isStored = await this.store(grant, stale, tokens);
    return isStored ? tokens.accessToken : (await grant.current()).secret;
  }

  private async refreshKeepingClaim<Secret>(grant: TokenGrant<Secret>, stale: StoredTokens): Promise<TokenSet> {
    const answered = new AbortController();
    const renewing = this.keepClaim(grant, stale, answered.signal);
    try {
      return await grant.refresh(stale.refreshToken);
    } finally {
      answered.abort();
      await renewing;
    }
  }

  private async keepClaim<Secret>(grant: TokenGrant<Secret>, { version }: StoredTokens, ended: AbortSignal) {
    for (;;) {
      await this.clock.sleep(RENEW_CLAIM_MS, ended).catch(() => undefined);
      if (ended.aborted) {
        return;
      }
      const stored = { issuer: grant.issuer, version };
      await this.write(grant, 'renew refresh claim', (tx) =>
        this.credentialRepository.renewClaim(tx, grant.installationId, stored, CLAIM_SECONDS),
      ).catch(() => undefined);
    }
  }

  /**
   * The old refresh token is used up, so storing the new pair is repeated when the database fails.
   * @returns false when a new consent has replaced the grant meanwhile: its tokens are to be used
   */
  private async store<Secret>(
    grant: TokenGrant<Secret>,
    { version }: StoredTokens,
    tokens: TokenSet,
  ): Promise<boolean> {
    const stored = { issuer: grant.issuer, version };
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.write(grant, 'store tokens', (tx) =>
          this.credentialRepository.storeRefreshed(tx, grant.installationId, stored, tokens),
        );
      } catch (error) {
        if (attempt === STORE_ATTEMPTS) {
          throw error;
        }
        await this.clock.sleep(WAIT_MS * 2 ** attempt);
      }
    }
  }

  /** @returns the token of a newer consent, or the old one while the other side may still accept it */
  private async recoverFromFailure<Secret>(
    grant: TokenGrant<Secret>,
    stale: StoredTokens,
    error: unknown,
  ): Promise<Secret | string> {
    if (error instanceof AuthorizationLost) {
      const isOurs = await this.markLost(grant, stale);
      if (!isOurs || stale.alive) {
        return (await grant.current()).secret;
      }
    } else {
      const stored = { issuer: grant.issuer, version: stale.version };
      // Another process may refresh at once only when the token was certainly not consumed; else the claim stays until it expires.
      const isUnused = (error instanceof NoResponse && !error.sent) || grant.isUnused(error);
      await this.write(grant, 'refresh failed', (tx) =>
        isUnused
          ? this.credentialRepository.releaseRefresh(tx, grant.installationId, stored)
          : this.credentialRepository.recordUnanswered(tx, grant.installationId, stored),
      );
    }
    throw error;
  }

  private write<Secret, T>(grant: TokenGrant<Secret>, label: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.tenantDatabase.inInstallation(label, grant.installationId, work);
  }
}
