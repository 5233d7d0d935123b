import { Injectable } from '@nestjs/common';
import { indexVendors, type ErpVendor } from '../../bookkeeping/item/bookkeeping-context.js';
import type { ItemVendor } from '../../bookkeeping/item/export-item.js';
import { matchVendor } from '../../bookkeeping/accounts/vendor-resolution.js';
import { ErpUnavailable, type ErpFailure } from '../../erp/erp-ledger.js';
import { RecordCreatedVendors } from '../../reference-data/record-created-vendors.js';
import type { JobRun } from '../run/job-run.js';

/** By the platform's vendor id. */
export interface NotCreated {
  /** Why the ERP refused. */
  readonly refused: ReadonlyMap<string, string>;
  /** The ERP has failed on these, and answers otherwise: they are tried again by the next run. */
  readonly failing: ReadonlySet<string>;
}

/**
 * Creates in the ERP the vendors that entries need, when the installation's policy says so, and has their numbers written
 * back to the platform (B3.5).
 */
@Injectable()
export class CreateMissingVendors {
  constructor(private readonly recordCreatedVendors: RecordCreatedVendors) {}

  /** @throws ErpUnavailable when the ERP does not respond, or fails on each of them; the key makes the repetition harmless */
  async createInErp(run: JobRun, vendors: readonly ItemVendor[]): Promise<NotCreated> {
    const refused = new Map<string, string>();
    const failing = new Set<string>();
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
          if (!isOfOneVendor(result.failure) || (failing.size > 0 && created.length + refused.size === 0)) {
            throw new ErpUnavailable(result.failure);
          }
          failing.add(vendor.id);
          break;
      }
    }
    return { refused, failing };
  }
}

/** It may be the vendor's fault, which keeps no other entry back (I25). */
function isOfOneVendor({ kind, retryAfterMs }: ErpFailure): boolean {
  return kind === 'server-error' && retryAfterMs === undefined;
}
