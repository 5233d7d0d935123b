import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { CompanyRepository } from '../companies/company.repository.js';
import { mapConstraintErrors } from '../http/constraint-problem.js';
import type { CreatedVendorDto, NewVendorDto } from './vendor.dto.js';
import { VendorRepository } from './vendor.repository.js';

/** Creates a vendor once per key, with the next number of the company's series unless one is given. */
@Injectable()
export class CreateVendor {
  constructor(
    private readonly database: Database,
    private readonly companyRepository: CompanyRepository,
    private readonly vendorRepository: VendorRepository,
  ) {}

  /**
   * @param key names this creation within the company
   * @returns the created vendor, or the one that the same key created earlier, as it is now
   * @throws Problem 422 when the vendor breaks a rule of the schema
   */
  async createVendor(companyId: string, key: string, vendor: NewVendorDto): Promise<CreatedVendorDto> {
    const created = this.database.inTransaction('vendors.create', async (tx): Promise<CreatedVendorDto> => {
      await this.companyRepository.lock(tx, companyId);
      const earlier = await this.vendorRepository.findByKey(tx, companyId, key);
      if (earlier !== undefined) {
        return { outcome: 'existed', vendor: earlier };
      }
      const number = vendor.number ?? (await this.vendorRepository.allocateNumber(tx, companyId));
      return {
        outcome: 'created',
        vendor: await this.vendorRepository.insert(tx, companyId, vendor, { number, key }),
      };
    });
    return mapConstraintErrors(created);
  }
}
