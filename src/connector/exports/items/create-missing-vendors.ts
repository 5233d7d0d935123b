import { Injectable } from '@nestjs/common';
import { indexVendors, type ErpVendor } from '../../bookkeeping/item/bookkeeping-context.js';
import type { ItemVendor } from '../../bookkeeping/item/export-item.js';
import { matchVendor } from '../../bookkeeping/accounts/vendor-resolution.js';
import { ErpUnavailable } from '../../erp/erp-ledger.js';
import { RecordCreatedVendors } from '../../reference-data/record-created-vendors.js';
import type { JobRun } from '../run/job-run.js';

/**
 * Creates in the ERP the vendors that entries need, when the installation's policy says so, and has their numbers written
 * back to the platform (B3.5).
 */
@Injectable()
export class CreateMissingVendors {
  constructor(private readonly recordCreatedVendors: RecordCreatedVendors) {}

  /**
   * @returns by the platform's vendor id, why the ERP refused
   * @throws ErpUnavailable when the ERP does not respond; the key makes the repetition harmless
   */
  async createInErp(run: JobRun, vendors: readonly ItemVendor[]): Promise<ReadonlyMap<string, string>> {
    const refused = new Map<string, string>();
    const created: ErpVendor[] = [];
    for (const vendor of new Map(vendors.map((each) => [each.id, each])).values()) {
      // The platform may have one vendor twice.
      const duplicate = matchVendor(vendor, indexVendors(created));
      if (duplicate !== undefined) {
        run.masterData.addVendor(vendor.id, duplicate);
        continue;
      }
      const linked = await this.recordCreatedVendors.recordIntent(run.job, vendor);
      if (linked !== undefined && run.masterData.rememberVendor(vendor.id, linked)) {
        continue;
      }
      const result = await run.erp.createVendor(vendor, `platform-vendor-${vendor.id}`);
      switch (result.outcome) {
        case 'created':
        case 'existed':
          run.masterData.addVendor(vendor.id, result.vendor);
          created.push(result.vendor);
          await this.recordCreatedVendors.record(run.job, vendor, result.vendor.code);
          break;
        case 'refused':
          refused.set(vendor.id, result.message);
          await this.recordCreatedVendors.withdrawIntent(run.job, vendor);
          break;
        case 'unavailable':
          throw new ErpUnavailable(result.failure);
      }
    }
    return refused;
  }
}
