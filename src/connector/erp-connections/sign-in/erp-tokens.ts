// The tokens of connections whose person has signed in at the ERP, kept and renewed as the platform's are (I19, I41).
import type { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { NoResponse } from '../../../foundation/http/client/http-client.js';
import { Permanent, Retryable } from '../../../kernel/faults.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { ErpUnavailable } from '../../erp/erp-ledger.js';
import type { ErpDefinition, ErpSettings } from '../../erp/kit/define-erp.js';
import type { ErpAccess } from '../../erp/kit/erp-access.js';
import type { CredentialRepository, StoredTokens } from '../../installations/credentials/credential.repository.js';
import type { RefreshTokens, TokenGrant } from '../../installations/credentials/refresh-tokens.js';
import { AuthorizationLost } from '../../platform/platform-error.js';
import type { ErpConnectionRepository, StoredErpConnection } from '../erp-connection.repository.js';
import { ErpSignInFailed, type ErpOAuthServers } from './erp-oauth.js';

const LOST =
  'The sign-in at the accounting system is no longer valid. Sign in there again at Set-up in the connector; exports continue by themselves.';

interface Loaded {
  readonly connection: StoredErpConnection;
  readonly tokens: StoredTokens;
}

export class ErpTokens {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly credentialRepository: CredentialRepository,
    private readonly erpConnectionRepository: ErpConnectionRepository,
    private readonly erpOAuthServers: ErpOAuthServers,
    private readonly refreshTokens: RefreshTokens,
  ) {}

  /** Waits for the refreshes under way: the response to each brings the only valid refresh token. */
  async finish(): Promise<void> {
    await this.refreshTokens.finish();
  }

  /** Whether connections with these settings need a person who signs in at the ERP. */
  isNeeded(definition: ErpDefinition, settings: ErpSettings): boolean {
    return this.erpOAuthServers.serverOf(definition, settings) !== undefined;
  }

  /** @returns undefined where the settings of the connection have the credentials */
  accessOf(
    installationId: InstallationId,
    definition: ErpDefinition,
    { generation, settings, secrets }: StoredErpConnection,
  ): ErpAccess | undefined {
    if (!this.isNeeded(definition, { ...settings, ...secrets })) {
      return undefined;
    }
    const load = () => this.load(installationId, generation);
    const grantOf = (loaded: Loaded) => this.grantOf(installationId, definition, loaded);
    return {
      accessToken: () =>
        asUnavailable(async () => {
          const loaded = await load();
          const { tokens } = loaded;
          if (tokens.fresh || tokens.lost) {
            return tokens.accessToken;
          }
          return tokens.alive
            ? this.refreshTokens.refreshEarly(grantOf(loaded), tokens)
            : this.refreshTokens.refresh(grantOf(loaded), tokens);
        }),
      renewed: (rejected) =>
        asUnavailable(async () => {
          const loaded = await load();
          if (loaded.tokens.accessToken !== rejected) {
            return loaded.tokens.accessToken;
          }
          if (loaded.tokens.lost) {
            throw new AuthorizationLost(LOST);
          }
          return this.refreshTokens.refresh(grantOf(loaded), loaded.tokens);
        }),
    };
  }

  /** The access token of a revoked grant stays valid for some time, and is used to its end. */
  private async load(installationId: InstallationId, generation: number): Promise<Loaded> {
    const [connection, tokens] = await this.tenantDatabase.inInstallation(
      'load ERP tokens',
      installationId,
      async (tx) => [
        await this.erpConnectionRepository.find(tx, installationId, generation),
        await this.credentialRepository.find(tx, installationId, generation),
      ],
    );
    if (connection === undefined || tokens?.kind !== 'tokens' || (tokens.lost && !tokens.alive)) {
      throw new AuthorizationLost(LOST);
    }
    return { connection, tokens };
  }

  private grantOf(
    installationId: InstallationId,
    definition: ErpDefinition,
    { connection: { generation, version, settings, secrets } }: Loaded,
  ): TokenGrant<string> {
    return {
      installationId,
      issuer: generation,
      current: async () => {
        const { tokens } = await this.load(installationId, generation);
        return { version: tokens.version, isLost: tokens.lost, secret: tokens.accessToken };
      },
      refresh: (refreshToken) => this.erpOAuthServers.refresh(definition, { ...settings, ...secrets }, refreshToken),
      markLost: async (tx) => {
        await this.credentialRepository.markLost(tx, installationId, generation);
        await this.erpConnectionRepository.markRefused(
          tx,
          installationId,
          generation,
          version,
          'erp-connection.sign-in-lost',
        );
      },
      isUnused: (error) => error instanceof ErpSignInFailed && error.status > 0 && error.status < 500,
    };
  }
}

/** Adapters know of no tokens: without one the ERP cannot be used. */
async function asUnavailable(ask: () => Promise<string>): Promise<string> {
  try {
    return await ask();
  } catch (error) {
    // A key that was destroyed with an uninstallation opens no tokens any more.
    if (error instanceof AuthorizationLost || error instanceof Permanent) {
      throw new ErpUnavailable({ kind: 'authentication', message: LOST });
    }
    if (error instanceof ErpSignInFailed || error instanceof NoResponse || error instanceof Retryable) {
      const message = `the sign-in at the accounting system could not be renewed: ${error.message}`;
      throw new ErpUnavailable({ kind: 'unreachable', message });
    }
    throw error;
  }
}
