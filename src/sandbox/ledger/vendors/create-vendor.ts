import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { CompanyRepository } from '../companies/company.repository.js';
import type { CreatedVendorDto, NewVendorDto } from './vendor.dto.js';
import { VendorRepository } from './vendor.repository.js';

/** Creates a vendor once per key, with the next number of the company's series unless one is given. */
@Injectable()
export class CreateVendor {
  constructor(
    private readonly database: Database,
    private readonly companies: CompanyRepository,
    private readonly vendors: VendorRepository,
  ) {}

  /**
   * @param key names this creation within the company
   * @returns the vendor made now, or the one the same key made before, whatever it looks like today
   */
  async run(companyId: string, key: string, vendor: NewVendorDto): Promise<CreatedVendorDto> {
    return this.database.inTransaction('vendors.create', async (tx) => {
      await this.companies.lock(tx, companyId);
      const earlier = await this.vendors.findByKey(tx, companyId, key);
      if (earlier !== undefined) {
        return { outcome: 'existed', vendor: earlier };
      }
      const number = vendor.number ?? (await this.vendors.takeNumber(tx, companyId));
      return {
        outcome: 'created',
        vendor: await this.vendors.insert(tx, companyId, vendor, { number, key }),
      };
    });
  }
}
