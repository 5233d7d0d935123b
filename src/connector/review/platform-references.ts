import { Injectable } from '@nestjs/common';
import { Bug } from '../../kernel/faults.js';
import type { CompanyId, InstallationId } from '../../kernel/ids.js';
import type { UseKind } from '../exports/domain/search/search-lines.js';
import { PlatformAccess } from '../installations/credentials/platform-access.js';
import { InstallationReader } from '../installations/installation.reader.js';
import type { PlatformAuthorization } from '../platform/platform-http.js';
import { ReferenceDataApi } from '../platform/reference-data-api.js';
import type { PlatformReference } from './domain/reference-state.js';

/** The platform's reference data as people know it, active and archived. */
@Injectable()
export class PlatformReferences {
  constructor(
    private readonly installationReader: InstallationReader,
    private readonly platformAccess: PlatformAccess,
    private readonly referenceDataApi: ReferenceDataApi,
  ) {}

  /** @throws AuthorizationLost, PlatformRefusal, NoResponse */
  async list(installationId: InstallationId, kind: UseKind): Promise<readonly PlatformReference[]> {
    const companyId = (await this.installationReader.find(installationId))?.companyId;
    if (companyId === undefined) {
      throw new Bug('the caller of a route has no installation');
    }
    const auth = this.platformAccess.authorizationFor(installationId, 'people');
    switch (kind) {
      case 'categories':
        return (await this.referenceDataApi.listAccounts(auth, companyId)).map(
          ({ id, code, name, archived, externalId }) => ({
            ...{ id, code, name, active: !archived, externalId },
          }),
        );
      case 'tax-codes':
        return (await this.referenceDataApi.listTaxCodes(auth, companyId)).map(({ id, code, name, archived }) => ({
          ...{ id, code, name, active: !archived },
        }));
      case 'tags':
        return this.tags(auth, companyId);
      case 'vendors':
        return (await this.referenceDataApi.listVendors(auth, companyId)).map(
          ({ id, code, name, state, externalId, country, taxRegistrationNumber }) => ({
            ...{ id, code, name, active: state !== 'ARCHIVED', externalId, country, taxRegistrationNumber },
          }),
        );
    }
  }

  private async tags(auth: PlatformAuthorization, companyId: CompanyId): Promise<readonly PlatformReference[]> {
    const found: PlatformReference[] = [];
    for (const group of await this.referenceDataApi.listTagGroups(auth, companyId)) {
      for (const { id, code, name, archived } of await this.referenceDataApi.listTags(auth, group.id)) {
        const active = !archived && !group.archived;
        found.push({ id, code, name, active, groupCode: group.code, groupName: group.name });
      }
    }
    return found;
  }
}
