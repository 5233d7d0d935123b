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
import { CompanyTaken, StoreConnection } from './store-connection.js';
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
    private readonly database: TenantDatabase,
    private readonly attempts: ConnectionAttemptRepository,
    private readonly connections: StoreConnection,
    private readonly oauth: PlatformOAuth,
    private readonly platform: PlatformApi,
  ) {}

  /**
   * @param query of the callback; has exactly one `state` and one `code`
   * @param codeVerifier of the attempt, which is used up
   */
  async run(query: URLSearchParams, codeVerifier: string): Promise<CompletedConnection> {
    const state = query.get('state') ?? '';
    try {
      const tokens = await this.oauth.exchangeCode(query, state, codeVerifier);
      const auth = unstoredTokens(tokens);
      // The token says whose it is; nothing that the browser brought along is believed.
      const subject = credentialSubject((await this.platform.getInstallation(auth)).resource);
      return subject.level === 'company'
        ? await this.connect(tokens, await this.platform.getCompany(auth, subject.id), 'company')
        : await this.offerCompanies(state, tokens, subject.id);
    } catch (error) {
      return outcomeOf(error);
    }
  }

  /**
   * The person has picked a company of the organization that consented.
   * @param state of the attempt, which names the kept grant once more
   */
  async choose(state: string, companyId: string, browser: string): Promise<CompletedConnection> {
    const grant = await this.database.withoutInstallation('take grant', (tx) =>
      this.attempts.takeGrant(tx, state, browser),
    );
    if (grant === undefined) {
      return { outcome: 'attempt-unknown' };
    }
    try {
      const auth = unstoredTokens(grant.tokens);
      const company = await this.platform.getCompany(auth, companyId);
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
  async search(state: string, text: string, browser: string): Promise<CompletedConnection> {
    const grant = await this.database.withoutInstallation('find grant', (tx) =>
      this.attempts.findGrant(tx, state, browser),
    );
    if (grant === undefined) {
      return { outcome: 'attempt-unknown' };
    }
    try {
      const all = await this.platform.listCompanies(unstoredTokens(grant.tokens), grant.organizationId);
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
    const companies = await this.platform.listCompanies(unstoredTokens(tokens), organizationId);
    const [only] = companies;
    if (only !== undefined && companies.length === 1) {
      return this.connect(tokens, only, 'organisation');
    }
    await this.database.withoutInstallation('keep grant', (tx) =>
      this.attempts.keepGrant(tx, state, { tokens, organizationId }),
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
    const person = await this.oauth.personOf(tokens.accessToken);
    const installationId = await this.connections.run(connected, tokens, person);
    return { outcome: 'connected', installationId, companyName: company.name };
  }
}

function outcomeOf(error: unknown): CompletedConnection {
  if (error instanceof CompanyTaken) {
    return { outcome: 'company-taken' };
  }
  if (error instanceof IncompleteGrant) {
    return { outcome: 'incomplete-grant', missingScopes: error.missingScopes };
  }
  return failureOf(error);
}
