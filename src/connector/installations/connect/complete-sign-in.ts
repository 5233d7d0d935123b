import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { Clock } from '../../../kernel/clock.js';
import { toCompanyId, type InstallationId } from '../../../kernel/ids.js';
import { PlatformApi } from '../../platform/platform-api.js';
import { InvalidPlatformResponse, PlatformRefusal } from '../../platform/platform-error.js';
import type { PlatformAuthorization } from '../../platform/platform-http.js';
import { PlatformOAuth, RECENT_SECONDS, type TokenPerson } from '../../platform/platform-oauth.js';
import type { PlatformCompany } from '../../platform/platform.schema.js';
import { failureOf, type FailedAuthorization } from './authorization-failure.js';
import { ConnectionAttemptRepository, type PendingSignIn } from './connection-attempt.repository.js';
import { credentialSubject } from '../credentials/credential-subject.js';
import { InstallationRepository } from '../installation.repository.js';
import { unstoredTokens } from './unstored-credential.js';

/** By how much our clock may be before the platform's. */
const CLOCK_TOLERANCE_SECONDS = 60;

export type CompletedSignIn =
  | {
      readonly outcome: 'signed-in';
      readonly installationId: InstallationId;
      readonly person: TokenPerson;
      /** 0 where the platform does not say. */
      readonly authenticatedSecondsAgo: number;
    }
  /** An organization consented, and several of its companies are connected. */
  | {
      readonly outcome: 'choose-sign-in';
      readonly state: string;
      readonly companies: readonly Pick<PlatformCompany, 'id' | 'name'>[];
    }
  /** None of the companies is connected. */
  | { readonly outcome: 'not-connected' }
  | { readonly outcome: 'sign-in-refused'; readonly reason: string }
  | Exclude<FailedAuthorization, { readonly outcome: 'refused' }>;

/**
 * Identifies the person and the company by an authorization that is used once: none of its tokens is stored or renewed, so
 * the installation's own grant stays unchanged.
 */
@Injectable()
export class CompleteSignIn {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly connectionAttemptRepository: ConnectionAttemptRepository,
    private readonly installationRepository: InstallationRepository,
    private readonly platformOAuth: PlatformOAuth,
    private readonly platformApi: PlatformApi,
    private readonly clock: Clock,
  ) {}

  /**
   * @param query of the callback; has exactly one `state` and one `code`
   * @param codeVerifier PKCE verifier of the consumed attempt
   * @param purpose of the consumed attempt
   */
  async complete(
    query: URLSearchParams,
    codeVerifier: string,
    purpose: 'sign-in' | 'sign-in-again',
  ): Promise<CompletedSignIn> {
    const state = query.get('state') ?? '';
    try {
      const { accessToken, authenticatedAt } = await this.platformOAuth.exchangeSignInCode(query, state, codeVerifier);
      const secondsAgo = this.secondsSince(authenticatedAt, purpose);
      const auth = unstoredTokens({ accessToken });
      const subject = credentialSubject((await this.platformApi.getInstallation(auth)).resource);
      const person = await this.platformOAuth.personOf(accessToken);
      if (person === undefined) {
        throw new InvalidPlatformResponse('the authorization server does not name the person who signs in');
      }
      return subject.level === 'company'
        ? await this.finishSignIn(subject.id, person, secondsAgo)
        : await this.offerCompanies(state, { person, secondsAgo }, auth, subject.id);
    } catch (error) {
      const failure = failureOf(error);
      return failure.outcome === 'refused' ? { ...failure, outcome: 'sign-in-refused' } : failure;
    }
  }

  /** Signs in to the company that the person picked among those offered. */
  async chooseCompany(state: string, companyId: string, browser: string): Promise<CompletedSignIn> {
    const pending = await this.tenantDatabase.withoutInstallation('consume pending sign-in', (tx) =>
      this.connectionAttemptRepository.consumePendingSignIn(tx, state, browser),
    );
    return pending?.companyIds.includes(companyId) === true
      ? this.finishSignIn(companyId, pending.person, pending.secondsAgo)
      : { outcome: 'attempt-unknown' };
  }

  /** @throws PlatformRefusal when a recent sign-in was asked for and the platform has seen the person long before */
  private secondsSince(authenticatedAt: Date | undefined, purpose: 'sign-in' | 'sign-in-again'): number {
    const seconds =
      authenticatedAt === undefined ? 0 : (this.clock.now().getTime() - authenticatedAt.getTime()) / 1_000;
    if (purpose === 'sign-in-again' && seconds > RECENT_SECONDS + CLOCK_TOLERANCE_SECONDS) {
      throw new PlatformRefusal(400, 'login_required', 'the platform did not ask for the sign-in anew', undefined);
    }
    return seconds;
  }

  private async finishSignIn(companyId: string, person: TokenPerson, secondsAgo: number): Promise<CompletedSignIn> {
    const installationId = await this.findActiveInstallation(companyId);
    return installationId === undefined
      ? { outcome: 'not-connected' }
      : { outcome: 'signed-in', installationId, person, authenticatedSecondsAgo: secondsAgo };
  }

  private async offerCompanies(
    state: string,
    { person, secondsAgo }: Pick<PendingSignIn, 'person' | 'secondsAgo'>,
    auth: PlatformAuthorization,
    organizationId: string,
  ): Promise<CompletedSignIn> {
    const companies: PlatformCompany[] = [];
    for (const company of await this.platformApi.listCompanies(auth, organizationId)) {
      if ((await this.findActiveInstallation(company.id)) !== undefined) {
        companies.push(company);
      }
    }
    const [only] = companies;
    if (only === undefined || companies.length === 1) {
      return only === undefined ? { outcome: 'not-connected' } : this.finishSignIn(only.id, person, secondsAgo);
    }
    const companyIds = companies.map(({ id }) => id);
    await this.tenantDatabase.withoutInstallation('store pending sign-in', (tx) =>
      this.connectionAttemptRepository.storePendingSignIn(tx, state, { person, secondsAgo, companyIds }),
    );
    return { outcome: 'choose-sign-in', state, companies };
  }

  private async findActiveInstallation(companyId: string): Promise<InstallationId | undefined> {
    return this.tenantDatabase.acrossInstallations('find connected company', (tx) =>
      this.installationRepository.findActiveIdByCompany(tx, toCompanyId(companyId)),
    );
  }
}
