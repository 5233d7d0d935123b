// Connecting with an API key instead of a consent: the key is tried on the platform in both forms, tells what it is, and
// is stored sealed. The rest of connecting is the same (P3.5).
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { toCompanyId, type InstallationId } from '../../../kernel/ids.js';
import { PlatformApi } from '../../platform/platform-api.js';
import { AuthorizationLost, PlatformRefusal } from '../../platform/platform-error.js';
import { ApiKey } from '../../platform/platform-http.js';
import { missingScopes } from '../../platform/platform-oauth.js';
import type { PlatformCompany, PlatformIntrospection } from '../../platform/platform.schema.js';
import { credentialSubject } from '../credentials/credential-subject.js';
import { InstallationRepository } from '../installation.repository.js';
import { CompanyAlreadyConnected, StoreConnection } from './store-connection.js';
import { unstoredKey } from './unstored-credential.js';

export type KeyConnection =
  | { readonly outcome: 'connected'; readonly installationId: InstallationId; readonly companyName: string }
  | { readonly outcome: 'key-refused' }
  | { readonly outcome: 'missing-scopes'; readonly scopes: readonly string[] }
  /** An organization's key: the caller has to say which of these companies is meant. */
  | { readonly outcome: 'choose-company'; readonly companies: readonly PlatformCompany[] }
  /** The key is not for the company it was given for. */
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
   * @param companyId which company of an organization's key; needed where there are several
   * @throws PlatformRefusal, InvalidPlatformResponse or NoResponse when the platform could not be asked: nothing is changed
   */
  async connect(text: string, companyId: string | undefined): Promise<KeyConnection> {
    const tried = await this.tryKey(text);
    if (tried === undefined) {
      return { outcome: 'key-refused' };
    }
    const { key, identity } = tried;
    const scopes = missingScopes(identity.scope);
    if (scopes.length > 0) {
      return { outcome: 'missing-scopes', scopes };
    }
    const subject = credentialSubject(identity.subjectURN ?? '');
    const wanted = companyId?.toLowerCase();
    const companies =
      subject.level === 'company'
        ? [await this.platformApi.getCompany(unstoredKey(key), subject.id)]
        : await this.platformApi.listCompanies(unstoredKey(key), subject.id);
    const [only] = companies;
    const company = wanted === undefined ? only : companies.find(({ id }) => id === wanted);
    if (company === undefined) {
      return { outcome: 'other-company' };
    }
    if (wanted === undefined && companies.length > 1) {
      return { outcome: 'choose-company', companies };
    }
    return this.store(key, company, subject.level);
  }

  /** Puts a new key in the place of whatever credential the installation has; everything else stays. */
  async replaceKey(installationId: InstallationId, text: string): Promise<KeyConnection> {
    const installation = await this.tenantDatabase.inInstallation('load installation', installationId, (tx) =>
      this.installationRepository.find(tx, installationId),
    );
    return this.connect(text, installation?.companyId);
  }

  private async store(
    key: ApiKey,
    company: PlatformCompany,
    accessLevel: 'company' | 'organisation',
  ): Promise<KeyConnection> {
    const connected = {
      companyId: toCompanyId(company.id),
      companyName: company.name,
      organizationId: company.organizationId ?? undefined,
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

  /** Documented as Basic and as Bearer (P12): the form that works is the one that is kept. */
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
