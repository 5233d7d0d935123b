// Connecting with an API key instead of a consent: the platform introspects the key, in both forms, then the key is stored
// encrypted. The rest of connecting is the same (P3.5).
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { toCompanyId, type InstallationId } from '../../../kernel/ids.js';
import { PlatformApi } from '../../platform/platform-api.js';
import { AuthorizationLost, PlatformRefusal } from '../../platform/platform-error.js';
import { ApiKey } from '../../platform/platform-http.js';
import { missingScopes } from '../../platform/platform-oauth.js';
import type { PlatformCompany, PlatformIntrospection } from '../../platform/platform.schema.js';
import { credentialSubject, type CredentialSubject } from '../credentials/credential-subject.js';
import { InstallationRepository } from '../installation.repository.js';
import { CompanyAlreadyConnected, StoreConnection } from './store-connection.js';
import { unstoredKey } from './unstored-credential.js';

export type KeyConnection =
  | { readonly outcome: 'connected'; readonly installationId: InstallationId; readonly companyName: string }
  | { readonly outcome: 'key-refused' }
  | { readonly outcome: 'missing-scopes'; readonly scopes: readonly string[] }
  /** An organization's key: the caller has to name one of these companies. */
  | { readonly outcome: 'choose-company'; readonly companies: readonly PlatformCompany[] }
  /** The key is for another company than the requested one. */
  | { readonly outcome: 'other-company' }
  | { readonly outcome: 'company-taken' };

@Injectable()
export class ConnectWithApiKey {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly installationRepository: InstallationRepository,
    private readonly storeConnection: StoreConnection,
    private readonly platformApi: PlatformApi,
  ) {}

  /**
   * @param text the key
   * @param companyId company of an organization's key; required where the organization has several
   * @throws PlatformRefusal, InvalidPlatformResponse or NoResponse when the platform fails; nothing is changed then
   */
  async connect(text: string, companyId: string | undefined): Promise<KeyConnection> {
    const accepted = await this.tryKey(text);
    if (accepted === undefined) {
      return { outcome: 'key-refused' };
    }
    const { key, identity } = accepted;
    const scopes = missingScopes(identity.scope);
    if (scopes.length > 0) {
      return { outcome: 'missing-scopes', scopes };
    }
    const { subjectURN } = identity;
    const subject = subjectURN == null ? undefined : credentialSubject(subjectURN);
    const wanted = companyId?.toLowerCase();
    const companies = await this.companiesOf(key, subject);
    const [only] = companies;
    const company = wanted === undefined ? only : companies.find(({ id }) => id === wanted);
    if (company === undefined) {
      return { outcome: 'other-company' };
    }
    if (wanted === undefined && companies.length > 1) {
      return { outcome: 'choose-company', companies };
    }
    return this.store(key, company, subject ?? { level: companies.length > 1 ? 'organization' : 'company' });
  }

  /** The platform may leave out whose the key is (P3.1): then the companies that it sees say so. */
  private async companiesOf(key: ApiKey, subject: CredentialSubject | undefined): Promise<readonly PlatformCompany[]> {
    const auth = unstoredKey(key);
    return subject?.level === 'company'
      ? [await this.platformApi.getCompany(auth, subject.id)]
      : this.platformApi.listCompanies(auth, subject?.id);
  }

  /** As `connect`, for the company of an installation: replaces its credential, of either kind, and nothing else. */
  async replaceKey(installationId: InstallationId, text: string): Promise<KeyConnection> {
    const installation = await this.tenantDatabase.readOnce('load installation', installationId, (tx) =>
      this.installationRepository.find(tx, installationId),
    );
    return this.connect(text, installation?.companyId);
  }

  private async store(
    key: ApiKey,
    company: PlatformCompany,
    { level: accessLevel, id }: Pick<CredentialSubject, 'level'> & Partial<CredentialSubject>,
  ): Promise<KeyConnection> {
    const connected = {
      companyId: toCompanyId(company.id),
      companyName: company.name,
      // A company need not say whose it is; the key of an organization does.
      organizationId: company.organizationId ?? (accessLevel === 'organization' ? id : undefined),
      accessLevel,
    };
    try {
      const installationId = await this.storeConnection.storeConnection(connected, key, undefined);
      return { outcome: 'connected', installationId, companyName: company.name };
    } catch (error) {
      if (error instanceof CompanyAlreadyConnected) {
        return { outcome: 'company-taken' };
      }
      throw error;
    }
  }

  /** The key is documented as Basic and as Bearer (P12): the form that works is stored. */
  private async tryKey(
    text: string,
  ): Promise<{ readonly key: ApiKey; readonly identity: PlatformIntrospection } | undefined> {
    for (const presentation of ['basic', 'bearer'] as const) {
      const key = new ApiKey(text, presentation);
      try {
        return { key, identity: await this.platformApi.introspect(unstoredKey(key)) };
      } catch (error) {
        if (!isRejection(error)) {
          throw error;
        }
      }
    }
    return undefined;
  }
}

function isRejection(error: unknown): boolean {
  return error instanceof AuthorizationLost || (error instanceof PlatformRefusal && error.status < 429);
}
