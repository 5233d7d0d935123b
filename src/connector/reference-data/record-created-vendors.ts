import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { isUuid } from '../../kernel/ids.js';
import { RequestSyncs } from './request-syncs.js';
import { VendorMatchRepository, type CompanyKey } from './vendor-match.repository.js';

@Injectable()
export class RecordCreatedVendors {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly vendorMatchRepository: VendorMatchRepository,
    private readonly requestSyncs: RequestSyncs,
  ) {}

  /**
   * Links vendors that an export has created in the ERP; a run then writes their numbers back to the platform.
   * @param vendors `id` as the item names the vendor, `number` as the ERP does
   */
  async record(
    company: CompanyKey,
    vendors: readonly { readonly id: string; readonly name: string; readonly number: string }[],
  ): Promise<void> {
    await this.tenantDatabase.inInstallation('vendors created', company.installationId, async (tx) => {
      // An item may name a vendor by something that is no id of the platform: nothing can be written back for it.
      for (const { number, ...vendor } of vendors.filter(({ id }) => isUuid(id))) {
        await this.vendorMatchRepository.decide(tx, company, vendor, { decision: 'link', number }, 'export');
      }
      await this.requestSyncs.request(tx, company, ['vendor-drafts'], 'export');
    });
  }
}
