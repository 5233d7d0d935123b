import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { NoAnswer } from '../../foundation/http/http-client.js';
import { isUuid, toCompanyId, type CompanyId, type InstallationId } from '../../kernel/ids.js';
import { PlatformApi } from '../platform/platform-api.js';
import { AuthorisationLost, PlatformNonsense, PlatformRefusal } from '../platform/platform-error.js';
import type { PlatformAuthorisation } from '../platform/platform-http.js';
import { PlatformOAuth, type TokenSet } from '../platform/platform-oauth.js';
import { ConnectionAttemptRepository } from './connection-attempt.repository.js';
import { StoreConnection } from './store-connection.js';

export type CompletedConnection =
  | { readonly outcome: 'connected'; readonly installationId: InstallationId; readonly companyName: string }
  /** State unknown, used, older than ten minutes, or begun in another browser. */
  | { readonly outcome: 'attempt-unknown' }
  | { readonly outcome: 'refused'; readonly reason: string }
  | { readonly outcome: 'platform-unusable'; readonly reason: string };

const COMPANY_URN = /^urn:[a-z]+:company:(.+)$/;

/** Second step of connecting: turns the code of the callback into stored tokens of one company. */
@Injectable()
export class CompleteConnection {
  constructor(
    private readonly database: TenantDatabase,
    private readonly attempts: ConnectionAttemptRepository,
    private readonly connections: StoreConnection,
    private readonly oauth: PlatformOAuth,
    private readonly platform: PlatformApi,
  ) {}

  /**
   * @param query of the callback; has exactly one `state` and one `code`
   * @param browser secret from the cookie that `BeginConnection` set
   */
  async run(query: URLSearchParams, browser: string): Promise<CompletedConnection> {
    const state = query.get('state') ?? '';
    const codeVerifier = await this.database.withoutInstallation('take connection attempt', (tx) =>
      this.attempts.take(tx, state, browser),
    );
    if (codeVerifier === undefined) {
      return { outcome: 'attempt-unknown' };
    }
    try {
      const tokens = await this.oauth.exchangeCode(query, state, codeVerifier);
      const auth = authorisationWith(tokens);
      // The token says whose it is; nothing that the browser brought along is believed.
      const installation = await this.platform.getInstallation(auth);
      const companyId = companyOf(installation.resource);
      const company = await this.platform.getCompany(auth, companyId);
      const installationId = await this.connections.run(companyId, company.name, tokens);
      return { outcome: 'connected', installationId, companyName: company.name };
    } catch (error) {
      return outcomeOf(error);
    }
  }
}

function authorisationWith(tokens: TokenSet): PlatformAuthorisation {
  return {
    accessToken: () => Promise.resolve(tokens.accessToken),
    renewed: () =>
      Promise.reject(new AuthorisationLost('the platform rejects the access token it has just given')),
  };
}

function companyOf(resource: string): CompanyId {
  const id = COMPANY_URN.exec(resource)?.[1] ?? '';
  if (!isUuid(id)) {
    throw new PlatformNonsense('the authorisation is not for one company');
  }
  return toCompanyId(id);
}

function outcomeOf(error: unknown): CompletedConnection {
  if (error instanceof AuthorisationLost || (error instanceof PlatformRefusal && error.status < 500)) {
    return { outcome: 'refused', reason: error.message };
  }
  if (error instanceof PlatformNonsense || error instanceof NoAnswer || error instanceof PlatformRefusal) {
    return { outcome: 'platform-unusable', reason: error.message };
  }
  throw error;
}
