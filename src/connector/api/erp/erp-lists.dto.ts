import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsString, Max, MaxLength, Min } from 'class-validator';
import { NumberInDigits } from '../../../foundation/http/number-in-digits.js';
import { OptionalField } from '../../../foundation/http/optional-field.js';
import { ACCOUNT_TYPES } from '../../bookkeeping/item/master-data.js';

const MAX_ENTRIES = 1_000;
const TAX_CODE_TYPES = ['inclusive', 'reverse'] as const;
const VENDOR_TYPES = ['supplier', 'employee'] as const;

export class ErpSearchQuery {
  @ApiPropertyOptional({
    description: 'words that are all part of code or name; whatever their case and accents',
    example: 'travel',
  })
  @OptionalField()
  @IsString()
  @MaxLength(100)
  readonly search?: string;

  @ApiPropertyOptional({ minimum: 1, maximum: MAX_ENTRIES, default: 50 })
  @OptionalField()
  @NumberInDigits()
  @IsInt()
  @Min(1)
  @Max(MAX_ENTRIES)
  readonly limit: number = 50;
}

export class ErpListQuery extends ErpSearchQuery {
  @ApiPropertyOptional({ enum: ['true', 'false'], description: 'false: only those that are archived or blocked' })
  @OptionalField()
  @IsIn(['true', 'false'])
  readonly active?: 'true' | 'false';
}

export class ErpAccountsQuery extends ErpListQuery {
  @ApiPropertyOptional({ enum: ACCOUNT_TYPES, description: 'none has one where the accounting system does not tell' })
  @OptionalField()
  @IsIn(ACCOUNT_TYPES)
  readonly type?: (typeof ACCOUNT_TYPES)[number];
}

export class ErpTaxCodesQuery extends ErpListQuery {
  @ApiPropertyOptional({
    enum: TAX_CODE_TYPES,
    description: 'none has one where the accounting system does not tell',
  })
  @OptionalField()
  @IsIn(TAX_CODE_TYPES)
  readonly type?: (typeof TAX_CODE_TYPES)[number];
}

export class ErpVendorsQuery extends ErpListQuery {
  @ApiPropertyOptional({ enum: VENDOR_TYPES })
  @OptionalField()
  @IsIn(VENDOR_TYPES)
  readonly type?: (typeof VENDOR_TYPES)[number];
}

export class ErpValueResponse {
  @ApiProperty({ example: '6110' }) readonly code!: string;
  @ApiProperty({ example: 'Travel' }) readonly name!: string;
  @ApiProperty({ description: 'false: archived or blocked there, nothing is posted to it' }) readonly active!: boolean;
}

export class ErpAccountResponse extends ErpValueResponse {
  @ApiProperty({ enum: ACCOUNT_TYPES, nullable: true, description: 'null where the accounting system does not tell' })
  readonly type!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'never changes while the account exists' })
  readonly externalId!: string | null;
}

export class ErpTaxCodeResponse extends ErpValueResponse {
  @ApiProperty({ enum: TAX_CODE_TYPES, nullable: true, description: 'null where the accounting system does not tell' })
  readonly type!: string | null;
  @ApiProperty({ description: 'decimal text of a share', example: '0.25' }) readonly rate!: string;
}

export class ErpVendorResponse extends ErpValueResponse {
  @ApiProperty({ enum: VENDOR_TYPES }) readonly type!: string;
  @ApiProperty({ type: String, nullable: true }) readonly externalId!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'ISO 3166 alpha-2', example: 'DK' })
  readonly country!: string | null;
  @ApiProperty({ type: String, nullable: true }) readonly registrationNumber!: string | null;
  @ApiProperty({ type: String, nullable: true }) readonly taxNumber!: string | null;
}

export class LinkableErpCompanyResponse {
  @ApiProperty({ description: '`erpCompanyId` of PUT /api/v1/erp-company' }) readonly id!: string;
  @ApiProperty() readonly name!: string;
  @ApiProperty({ type: String, nullable: true }) readonly registrationNumber!: string | null;
  @ApiProperty({ description: 'this company’s entries are posted to it' }) readonly isLinked!: boolean;
}

abstract class FoundResponse {
  @ApiProperty({ description: 'of this filter, also beyond the limit', example: 214 }) readonly total!: number;
}

export class ErpCompanyListResponse extends FoundResponse {
  @ApiProperty({ type: [LinkableErpCompanyResponse] }) readonly data!: readonly LinkableErpCompanyResponse[];
}

export class ErpAccountsResponse extends FoundResponse {
  @ApiProperty({ type: [ErpAccountResponse] }) readonly data!: readonly ErpAccountResponse[];
}

export class ErpTaxCodesResponse extends FoundResponse {
  @ApiProperty({ type: [ErpTaxCodeResponse] }) readonly data!: readonly ErpTaxCodeResponse[];
}

export class ErpValuesResponse extends FoundResponse {
  @ApiProperty({ type: [ErpValueResponse] }) readonly data!: readonly ErpValueResponse[];
}

export class ErpVendorsResponse extends FoundResponse {
  @ApiProperty({ type: [ErpVendorResponse] }) readonly data!: readonly ErpVendorResponse[];
}
