// Access tokens of an installation, refreshed early and by one process at a time (I19, I41).
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { Clock } from '../../../kernel/clock.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { AuthorizationLost, PlatformRefusal } from '../../platform/platform-error.js';
import type { ApiKey, PlatformAuthorization } from '../../platform/platform-http.js';
import { PlatformOAuth } from '../../platform/platform-oauth.js';
import { CredentialRepository, PLATFORM, type StoredApiKey, type StoredCredential } from './credential.repository.js';
import { InstallationRepository } from '../installation.repository.js';
import { RefreshTokens, type TokenGrant } from './refresh-tokens.js';

/** How long a secret is cached that another process may have replaced; a refused one is read again at once. */
const MS_UNTIL_READ_AGAIN = 2_000;
const MAX_REMEMBERED = 1_000;

@Injectable()
export class PlatformAccess implements BeforeApplicationShutdown {
  private readonly refreshTokens: RefreshTokens;
  /** Cached secrets: otherwise an export would read them for each of its requests. */
  private readonly recent = new Map<InstallationId, { readonly secret: string | ApiKey; readonly until: number }>();

  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly credentialRepository: CredentialRepository,
    private readonly installationRepository: InstallationRepository,
    private readonly platformOAuth: PlatformOAuth,
    private readonly clock: Clock,
  ) {
    this.refreshTokens = new RefreshTokens(tenantDatabase, credentialRepository, clock);
  }

  /** Waits for running refreshes, since each response has the only valid refresh token. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.refreshTokens.finish();
  }

  /**
   * Authorization of the platform client for one installation.
   * @param requester whose share of the request budget is used; `people`: requests that a person waits for
   */
  authorizationFor(
    installationId: InstallationId,
    requester: PlatformAuthorization['requester'] = 'connector',
  ): PlatformAuthorization {
    return {
      requester,
      accessToken: async () => {
        const isExport = requester === 'exports' || requester === 'long-exports';
        const recent = isExport ? this.recent.get(installationId) : undefined;
        if (recent !== undefined && this.clock.monotonicMs() < recent.until) {
          return recent.secret;
        }
        const { credential, state } = await this.load(installationId);
        if (credential.kind === 'api-key' || credential.fresh || state === 'needs_reauthorization') {
          return this.remembered(installationId, secretOf(credential));
        }
        return credential.alive
          ? this.refreshTokens.refreshEarly(this.grantOf(installationId), credential)
          : this.refreshTokens.refresh(this.grantOf(installationId), credential);
      },
      renewed: async (rejected) => {
        this.recent.delete(installationId);
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
        return this.refreshTokens.refresh(this.grantOf(installationId), credential);
      },
    };
  }

  private remembered(installationId: InstallationId, secret: string | ApiKey): string | ApiKey {
    if (this.recent.size >= MAX_REMEMBERED) {
      this.recent.clear();
    }
    this.recent.set(installationId, { secret, until: this.clock.monotonicMs() + MS_UNTIL_READ_AGAIN });
    return secret;
  }

  /** The access token of a revoked grant stays valid for some time: enough to send running jobs their verdict. */
  private async load(installationId: InstallationId) {
    const loaded = await this.tenantDatabase.readOnce('load credential', installationId, (tx) =>
      this.credentialRepository.findInUse(tx, installationId),
    );
    if (loaded === undefined) {
      throw authorizationLost(installationId);
    }
    const { credential, state } = loaded;
    if (state === 'needs_reauthorization' && (credential.kind === 'api-key' || !credential.alive)) {
      throw authorizationLost(installationId);
    }
    return loaded;
  }

  /** A key cannot be refreshed: unless an administrator has replaced it in the meantime, the authorization is lost. */
  private async replacementKey(
    installationId: InstallationId,
    stored: StoredApiKey,
    rejected: string,
  ): Promise<ApiKey> {
    if (stored.key.text !== rejected) {
      return stored.key;
    }
    await this.refreshTokens.markLost(this.grantOf(installationId), stored);
    throw new AuthorizationLost('the platform no longer accepts the API key');
  }

  private grantOf(installationId: InstallationId): TokenGrant<string | ApiKey> {
    return {
      installationId,
      issuer: PLATFORM,
      current: async () => {
        const { credential, state } = await this.load(installationId);
        const isLost = state === 'needs_reauthorization';
        return { version: credential.version, isLost, secret: secretOf(credential) };
      },
      refresh: (refreshToken) => this.platformOAuth.refresh(refreshToken),
      markLost: (tx) => this.installationRepository.markNeedsReauthorization(tx, installationId),
      isUnused: (error) => error instanceof PlatformRefusal && error.status < 500,
    };
  }
}

function secretOf(credential: StoredCredential): string | ApiKey {
  return credential.kind === 'api-key' ? credential.key : credential.accessToken;
}

function authorizationLost(installationId: InstallationId): AuthorizationLost {
  return new AuthorizationLost(`installation ${installationId} has no valid authorization`);
}
