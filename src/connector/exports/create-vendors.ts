import { Injectable } from '@nestjs/common';
import type { ItemVendor } from '../bookkeeping/export-item.js';
import { ErpLedger, ErpUnavailable } from '../erp/erp-ledger.js';
import type { JobRun } from './job-run.js';

/** Creates in the ERP the vendors that entries need, when the installation's policy says so (bookkeeping §3). */
@Injectable()
export class CreateVendors {
  constructor(private readonly erp: ErpLedger) {}

  /**
   * @returns by the platform's vendor id, why the ERP refused
   * @throws ErpUnavailable when the ERP does not answer; the key makes the repetition harmless
   */
  async run(run: JobRun, vendors: readonly ItemVendor[]): Promise<ReadonlyMap<string, string>> {
    const refused = new Map<string, string>();
    for (const vendor of new Map(vendors.map((each) => [each.id, each])).values()) {
      const result = await this.erp.createVendor(run.erpCompanyId, vendor, `platform-vendor-${vendor.id}`);
      switch (result.outcome) {
        case 'created':
        case 'existed':
          run.books.addVendor(result.vendor);
          break;
        case 'refused':
          refused.set(vendor.id, result.message);
          break;
        case 'unavailable':
          throw new ErpUnavailable(result.failure);
      }
    }
    return refused;
  }
}
