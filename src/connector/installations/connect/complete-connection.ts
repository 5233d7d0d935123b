import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { toCompanyId, type InstallationId } from '../../../kernel/ids.js';
import { PlatformApi } from '../../platform/platform-api.js';
import { IncompleteGrant } from '../../platform/platform-error.js';
import { PlatformOAuth, type TokenSet } from '../../platform/platform-oauth.js';
import type { PlatformCompany } from '../../platform/platform.schema.js';
import { searchCompanies } from '../../platform/search-companies.js';
import { failureOf, type FailedAuthorization } from './authorization-failure.js';
import { ConnectionAttemptRepository } from './connection-attempt.repository.js';
import { credentialSubject } from '../credentials/credential-subject.js';
import { CompanyAlreadyConnected, StoreConnection } from './store-connection.js';
import { unstoredTokens } from './unstored-credential.js';

export type CompletedConnection =
  | { readonly outcome: 'connected'; readonly installationId: InstallationId; readonly companyName: string }
  /** An organization consented: the person has to say which of its companies is meant. */
  | {
      readonly outcome: 'choose-company';
      readonly state: string;
      /** All of them, or those that hold what the person searched for. */
      readonly companies: readonly PlatformCompany[];
      /** What the person searched for; empty at first. */
      readonly search: string;
    }
  /** The platform gave no refresh token, or not all the scopes. */
  | { readonly outcome: 'incomplete-grant'; readonly missingScopes: readonly string[] }
  | { readonly outcome: 'company-taken' }
  | FailedAuthorization;

/** Second step of connecting: turns the code of the callback into stored tokens of one company. */
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
   * @param codeVerifier of the attempt, which is used up
   */
  async complete(query: URLSearchParams, codeVerifier: string): Promise<CompletedConnection> {
    const state = query.get('state') ?? '';
    try {
      const tokens = await this.platformOAuth.exchangeCode(query, state, codeVerifier);
      const auth = unstoredTokens(tokens);
      // The token says whose it is; nothing that the browser brought along is believed.
      const subject = credentialSubject((await this.platformApi.getInstallation(auth)).resource);
      return subject.level === 'company'
        ? await this.connect(tokens, await this.platformApi.getCompany(auth, subject.id), 'company')
        : await this.offerCompanies(state, tokens, subject.id);
    } catch (error) {
      return outcomeOf(error);
    }
  }

  /**
   * The person has picked a company of the organization that consented.
   * @param state of the attempt, which names the kept grant once more
   */
  async chooseCompany(state: string, companyId: string, browser: string): Promise<CompletedConnection> {
    const grant = await this.tenantDatabase.withoutInstallation('take grant', (tx) =>
      this.connectionAttemptRepository.consumeGrant(tx, state, browser),
    );
    if (grant === undefined) {
      return { outcome: 'attempt-unknown' };
    }
    try {
      const auth = unstoredTokens(grant.tokens);
      const company = await this.platformApi.getCompany(auth, companyId);
      if (company.organizationId !== grant.organizationId) {
        return { outcome: 'refused', reason: 'the company belongs to another organization' };
      }
      return await this.connect(grant.tokens, company, 'organisation');
    } catch (error) {
      return outcomeOf(error);
    }
  }

  /**
   * The person looks for a company of the organization that consented; the grant goes on waiting for the choice.
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

  private async offerCompanies(
    state: string,
    tokens: TokenSet,
    organizationId: string,
  ): Promise<CompletedConnection> {
    const companies = await this.platformApi.listCompanies(unstoredTokens(tokens), organizationId);
    const [only] = companies;
    if (only !== undefined && companies.length === 1) {
      return this.connect(tokens, only, 'organisation');
    }
    await this.tenantDatabase.withoutInstallation('keep grant', (tx) =>
      this.connectionAttemptRepository.storeGrant(tx, state, { tokens, organizationId }),
    );
    return { outcome: 'choose-company', state, companies, search: '' };
  }

  private async connect(
    tokens: TokenSet,
    company: PlatformCompany,
    accessLevel: 'company' | 'organisation',
  ): Promise<CompletedConnection> {
    const connected = {
      companyId: toCompanyId(company.id),
      companyName: company.name,
      organizationId: company.organizationId ?? undefined,
      accessLevel,
    };
    // Who connected is the first admin. Nothing is stored before the platform has said who that is.
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
