import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { toCompanyId, type InstallationId } from '../../../kernel/ids.js';
import { PlatformApi } from '../../platform/platform-api.js';
import { IncompleteGrant } from '../../platform/platform-error.js';
import type { TokenSet } from '../../../foundation/http/oauth/oauth-client.js';
import { PlatformOAuth } from '../../platform/platform-oauth.js';
import type { PlatformCompany } from '../../platform/platform.schema.js';
import { searchCompanies } from '../../platform/search-companies.js';
import { failureOf, type FailedAuthorization } from './authorization-failure.js';
import { ConnectionAttemptRepository } from './connection-attempt.repository.js';
import { credentialSubject } from '../credentials/credential-subject.js';
import { CompanyAlreadyConnected, StoreConnection } from './store-connection.js';
import { unstoredTokens } from './unstored-credential.js';

export type CompletedConnection =
  | { readonly outcome: 'connected'; readonly installationId: InstallationId; readonly companyName: string }
  /** An organization consented: the person picks one of its companies. */
  | {
      readonly outcome: 'choose-company';
      readonly state: string;
      /** All of them, or those that match the search. */
      readonly companies: readonly PlatformCompany[];
      /** Text of the search; empty at first. */
      readonly search: string;
    }
  /** The grant has no refresh token, or not all scopes. */
  | { readonly outcome: 'incomplete-grant'; readonly missingScopes: readonly string[] }
  | { readonly outcome: 'company-taken' }
  | FailedAuthorization;

/** Second step of connecting: exchanges the code of the callback for tokens of one company, and stores them. */
@Injectable()
export class CompleteConnection {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly connectionAttemptRepository: ConnectionAttemptRepository,
    private readonly storeConnection: StoreConnection,
    private readonly platformOAuth: PlatformOAuth,
    private readonly platformApi: PlatformApi,
  ) {}

  /**
   * @param query of the callback; has exactly one `state` and one `code`
   * @param codeVerifier PKCE verifier of the consumed attempt
   */
  async complete(query: URLSearchParams, codeVerifier: string): Promise<CompletedConnection> {
    const state = query.get('state') ?? '';
    try {
      const tokens = await this.platformOAuth.exchangeCode(query, state, codeVerifier);
      const auth = unstoredTokens(tokens);
      // The token decides whose it is; nothing in the browser's request is trusted.
      const subject = credentialSubject((await this.platformApi.getInstallation(auth)).resource);
      return subject.level === 'company'
        ? await this.connect(tokens, await this.platformApi.getCompany(auth, subject.id), undefined)
        : await this.offerCompanies(state, tokens, subject.id);
    } catch (error) {
      return outcomeOf(error);
    }
  }

  /**
   * Connects the company that the person picked.
   * @param state of the attempt, which also names the stored grant
   */
  async chooseCompany(state: string, companyId: string, browser: string): Promise<CompletedConnection> {
    const grant = await this.tenantDatabase.withoutInstallation('consume grant', (tx) =>
      this.connectionAttemptRepository.consumeGrant(tx, state, browser),
    );
    if (grant === undefined) {
      return { outcome: 'attempt-unknown' };
    }
    try {
      const { tokens, organizationId } = grant;
      // The organization's own list says which companies are its own: a company need not say whose it is.
      const companies = await this.platformApi.listCompanies(unstoredTokens(tokens), organizationId);
      const company = companies.find(({ id }) => id === companyId.toLowerCase());
      if (company === undefined || (company.organizationId ?? organizationId) !== organizationId) {
        return { outcome: 'refused', reason: 'the company belongs to another organization' };
      }
      return await this.connect(tokens, company, organizationId);
    } catch (error) {
      return outcomeOf(error);
    }
  }

  /**
   * Searches the companies of the organization that consented; the grant stays stored until the person has picked one.
   * @param text part of a name or a registration number, in any case; empty: all companies
   */
  async searchCompanies(state: string, text: string, browser: string): Promise<CompletedConnection> {
    const grant = await this.tenantDatabase.withoutInstallation('find grant', (tx) =>
      this.connectionAttemptRepository.findGrant(tx, state, browser),
    );
    if (grant === undefined) {
      return { outcome: 'attempt-unknown' };
    }
    try {
      const all = await this.platformApi.listCompanies(unstoredTokens(grant.tokens), grant.organizationId);
      return {
        outcome: 'choose-company',
        state,
        companies: searchCompanies(all, text, all.length),
        search: text,
      };
    } catch (error) {
      return outcomeOf(error);
    }
  }

  private async offerCompanies(state: string, tokens: TokenSet, organizationId: string): Promise<CompletedConnection> {
    const companies = await this.platformApi.listCompanies(unstoredTokens(tokens), organizationId);
    const [only] = companies;
    if (only !== undefined && companies.length === 1) {
      return this.connect(tokens, only, organizationId);
    }
    await this.tenantDatabase.withoutInstallation('store grant', (tx) =>
      this.connectionAttemptRepository.storeGrant(tx, state, { tokens, organizationId }),
    );
    return { outcome: 'choose-company', state, companies, search: '' };
  }

  /** @param consenting the organization that consented; undefined: the company itself has */
  private async connect(
    tokens: TokenSet,
    company: PlatformCompany,
    consenting: string | undefined,
  ): Promise<CompletedConnection> {
    const connected = {
      companyId: toCompanyId(company.id),
      companyName: company.name,
      organizationId: company.organizationId ?? consenting,
      accessLevel: consenting === undefined ? 'company' : 'organization',
    } as const;
    // The person who connects becomes the first admin, so nothing is stored before the platform has named the person.
    const person = await this.platformOAuth.personOf(tokens.accessToken);
    const installationId = await this.storeConnection.storeConnection(connected, tokens, person);
    return { outcome: 'connected', installationId, companyName: company.name };
  }
}

function outcomeOf(error: unknown): CompletedConnection {
  if (error instanceof CompanyAlreadyConnected) {
    return { outcome: 'company-taken' };
  }
  if (error instanceof IncompleteGrant) {
    return { outcome: 'incomplete-grant', missingScopes: error.missingScopes };
  }
  return failureOf(error);
}
