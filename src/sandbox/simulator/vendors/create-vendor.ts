import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { CompanyRepository } from '../companies/company.repository.js';
import { AnnounceEvent } from '../deliveries/announce-event.js';
import { notFound } from '../wire/api-error.js';
import { UNDEFINED_COUNTRY } from './domain/country-codes.js';
import { announcedVendor, type NewVendor, type Vendor } from './vendor.js';
import { VendorRepository } from './vendor.repository.js';
import { vendorConflict } from './vendor-conflict.js';

/** Creates a vendor for an integration or a user (P6). */
@Injectable()
export class CreateVendor {
  constructor(
    private readonly vendorRepository: VendorRepository,
    private readonly companyRepository: CompanyRepository,
    private readonly announceEvent: AnnounceEvent,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  /**
   * The vendor is a draft in any case. A draft without `externalId` is not in the accounting system yet, so it is
   * announced as `v1.vendor.created`.
   * @param createdBy employee who creates it, null for an integration
   * @throws ApiError 409 when a vendor of the company has the `externalId`; 404 for an unknown company
   */
  async createVendor(request: NewVendor, createdBy: string | null): Promise<Vendor> {
    const fresh = this.freshVendor(request);
    await this.announceEvent.inTransaction('create vendor', async (tx) => {
      const [company] = await this.companyRepository.findByIds(tx, [fresh.companyId]);
      if (company === undefined) {
        throw notFound('COMPANY_NOT_FOUND', 'There is no such company.');
      }
      const added = await this.vendorRepository.add(tx, [fresh]);
      if (!added.has(fresh.id)) {
        throw vendorConflict();
      }
      if (fresh.externalId === null) {
        await this.announceEvent.announce(tx, 'v1.vendor.created', company, announcedVendor(fresh, createdBy));
      }
    });
    return fresh;
  }

  private freshVendor(request: NewVendor): Vendor {
    const now = this.simulatorClock.now();
    return {
      id: randomUUID(),
      companyId: request.companyId,
      state: 'DRAFT',
      name: request.name,
      defaultCurrency: request.defaultCurrency,
      country: request.country ?? UNDEFINED_COUNTRY,
      code: request.code ?? null,
      externalId: request.externalId ?? null,
      registrationNumber: request.registrationNumber ?? null,
      taxRegistrationNumber: request.taxRegistrationNumber ?? null,
      accountingSystem: null,
      createdAt: now,
      updatedAt: now,
    };
  }
}
