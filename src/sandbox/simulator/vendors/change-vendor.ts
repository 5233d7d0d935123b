import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { companiesOf, type Caller } from '../access/caller.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { notFound } from '../wire/api-error.js';
import { mapConstraintConflict } from '../wire/constraint-conflict.js';
import { parseUuid } from '../wire/parse-request.js';
import { UNDEFINED_COUNTRY } from './domain/country-codes.js';
import type { Vendor, VendorActivation, VendorUpdate } from './vendor.js';
import { vendorConflict } from './vendor-conflict.js';
import { VENDOR_KEY, VendorRepository } from './vendor.repository.js';

/** Reads and changes a vendor (P6). */
@Injectable()
export class ChangeVendor {
  constructor(
    private readonly vendorRepository: VendorRepository,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  /** @throws ApiError 404 for a vendor that is not the caller's */
  async find(caller: Caller, id: string): Promise<Vendor> {
    return this.database.inTransaction('find vendor', (tx) => this.lockVendor(tx, caller.companyIds, id));
  }

  /**
   * Replaces all fields; those left out become unknown.
   * @throws ApiError 404 for a vendor that is not of that company; 409 when another one has the `externalId`
   */
  async update(caller: Caller, id: string, update: VendorUpdate): Promise<Vendor> {
    return this.change(companiesOf(caller, update.companyId), id, () => ({
      state: update.state,
      name: update.name,
      defaultCurrency: update.defaultCurrency,
      country: update.country ?? UNDEFINED_COUNTRY,
      code: update.code ?? null,
      externalId: update.externalId,
      registrationNumber: update.registrationNumber ?? null,
      taxRegistrationNumber: update.taxRegistrationNumber ?? null,
    }));
  }

  /** The vendor exists in the accounting system. @throws ApiError 404; 409 as `update` */
  async activate(caller: Caller, id: string, { externalId, code }: VendorActivation): Promise<void> {
    await this.change(caller.companyIds, id, (vendor) => ({
      state: 'ACTIVE',
      externalId,
      code: code ?? vendor.code,
    }));
  }

  /** @throws ApiError 404 */
  async archive(caller: Caller, id: string): Promise<void> {
    await this.change(caller.companyIds, id, () => ({ state: 'ARCHIVED' }));
  }

  private async change(
    companyIds: readonly string[],
    id: string,
    changes: (vendor: Vendor) => Partial<Vendor>,
  ): Promise<Vendor> {
    return mapConstraintConflict(VENDOR_KEY, vendorConflict, () =>
      this.database.inTransaction('change vendor', async (tx) => {
        const vendor = await this.lockVendor(tx, companyIds, id);
        const changed = { ...vendor, ...changes(vendor), updatedAt: this.simulatorClock.now() };
        await this.vendorRepository.change(tx, changed);
        return changed;
      }),
    );
  }

  private async lockVendor(tx: Tx, companyIds: readonly string[], id: string): Promise<Vendor> {
    const vendor = await this.vendorRepository.findForUpdate(tx, companyIds, parseUuid('id', id));
    if (vendor === undefined) {
      throw notFound('VENDOR_NOT_FOUND', 'Vendor not found.');
    }
    return vendor;
  }
}
