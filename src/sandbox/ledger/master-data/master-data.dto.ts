import { field, shape } from '../../../foundation/http/shape.js';
import { AccountDto } from '../chart/account.dto.js';
import { StoredCompanyDto } from '../companies/company.dto.js';
import { DimensionDto, DimensionValueDto } from '../dimensions/dimension.dto.js';
import { PeriodDto } from '../periods/period.dto.js';
import { TaxCodeDto } from '../tax-codes/tax-code.dto.js';
import { StoredVendorDto } from '../vendors/vendor.dto.js';

export class MasterDataDto extends shape({
  company: field.one(StoredCompanyDto),
  accounts: field.many(AccountDto).nullable(),
  taxCodes: field.many(TaxCodeDto).nullable(),
  dimensions: field.many(DimensionDto).nullable(),
  dimensionValues: field.many(DimensionValueDto).nullable(),
  vendors: field.many(StoredVendorDto).nullable(),
  periods: field.many(PeriodDto).nullable(),
}) {}
