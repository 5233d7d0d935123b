import { Injectable } from '@nestjs/common';
import type { InstallationId } from '../../kernel/ids.js';
import { PlatformAccess } from '../installations/credentials/platform-access.js';
import { ReferenceDataApi } from '../platform/reference-data-api.js';
import type { WireCompany } from '../platform/reference-data.schema.js';
import { searchCompanies } from '../platform/search-companies.js';

export interface CompanySearch {
  readonly organizationId: string | undefined;
  /** Part of a name or registration number. */
  readonly text: string;
  readonly limit: number;
}

@Injectable()
export class ListVisibleCompanies {
  constructor(
    private readonly platformAccess: PlatformAccess,
    private readonly referenceDataApi: ReferenceDataApi,
  ) {}

  /**
   * The platform's companies that the connection may see.
   * @throws AuthorizationLost, PlatformRefusal, NoResponse
   */
  async list(
    installationId: InstallationId,
    { organizationId, text, limit }: CompanySearch,
  ): Promise<readonly WireCompany[]> {
    const auth = this.platformAccess.authorizationFor(installationId, 'people');
    return searchCompanies(await this.referenceDataApi.listCompanies(auth, organizationId), text, limit);
  }
}
