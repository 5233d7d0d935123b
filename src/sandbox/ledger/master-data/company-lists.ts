import { Injectable } from '@nestjs/common';
import { AccountRepository } from '../chart/account.repository.js';
import { DimensionRepository } from '../dimensions/dimension.repository.js';
import { DimensionValueRepository } from '../dimensions/dimension-value.repository.js';
import { PeriodRepository } from '../periods/period.repository.js';
import { TaxCodeRepository } from '../tax-codes/tax-code.repository.js';
import { VendorRepository } from '../vendors/vendor.repository.js';

/** The lists that an entry is written by. */
@Injectable()
export class CompanyLists {
  constructor(
    readonly accounts: AccountRepository,
    readonly taxCodes: TaxCodeRepository,
    readonly dimensions: DimensionRepository,
    readonly dimensionValues: DimensionValueRepository,
    readonly vendors: VendorRepository,
    readonly periods: PeriodRepository,
  ) {}
}
