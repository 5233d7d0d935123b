import { SetupStepResponse } from './setup.dto.js';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsDefined, IsIn, IsNotEmpty, IsObject, IsString, MaxLength, ValidateNested } from 'class-validator';
import { field, shape, shapeWith } from '../../../foundation/http/shape.js';
import { OptionalField } from '../../../foundation/http/optional-field.js';
import { IsAccountByCurrency, IsAccountByItemType } from './settings.validators.js';

const ACCOUNT = {
  description: 'external id or code of an account in the ERP',
  example: '1935',
  maxLength: 255,
};

export class AccountSettings {
  @ApiProperty({
    description: 'wallet account per currency',
    example: { EUR: '1935' },
    additionalProperties: { type: 'string' },
    type: 'object',
  })
  @IsObject()
  @IsAccountByCurrency()
  readonly wallets!: Record<string, string>;

  @ApiPropertyOptional(ACCOUNT)
  @OptionalField()
  @IsString()
  @IsNotEmpty()
  @MaxLength(255)
  readonly companyBank?: string;

  @ApiPropertyOptional({
    description: 'where it differs from `companyBank`',
    additionalProperties: { type: 'string' },
    type: 'object',
  })
  @OptionalField()
  @IsObject()
  @IsAccountByCurrency()
  readonly companyBankByCurrency: Record<string, string> = {};

  @ApiPropertyOptional(ACCOUNT)
  @OptionalField()
  @IsString()
  @IsNotEmpty()
  @MaxLength(255)
  readonly outOfPocket?: string;

  @ApiPropertyOptional(ACCOUNT)
  @OptionalField()
  @IsString()
  @IsNotEmpty()
  @MaxLength(255)
  readonly accountsPayable?: string;

  @ApiPropertyOptional(ACCOUNT)
  @OptionalField()
  @IsString()
  @IsNotEmpty()
  @MaxLength(255)
  readonly fxRounding?: string;

  @ApiPropertyOptional(ACCOUNT)
  @OptionalField()
  @IsString()
  @IsNotEmpty()
  @MaxLength(255)
  readonly realizedFx?: string;

  @ApiPropertyOptional({
    description: 'per item type, for lines that name no account',
    example: { fee: '6570' },
    additionalProperties: { type: 'string' },
    type: 'object',
  })
  @OptionalField()
  @IsObject()
  @IsAccountByItemType()
  readonly fallbackAccounts: Record<string, string> = {};
}

export class PolicySettings {
  @ApiProperty({ enum: ['create', 'fail'] })
  @IsIn(['create', 'fail'])
  readonly unknownVendor!: 'create' | 'fail';

  @ApiProperty({ enum: ['fail', 'next-open'] })
  @IsIn(['fail', 'next-open'])
  readonly closedPeriod!: 'fail' | 'next-open';

  @ApiProperty({ enum: ['draft', 'posted'] })
  @IsIn(['draft', 'posted'])
  readonly postingState!: 'draft' | 'posted';

  @ApiPropertyOptional({
    enum: ['fail', 'reverse-and-repost'],
    default: 'fail',
    description:
      'an entry that is in the books already, with other content: fail it and show both, or reverse what is in the books and post it anew',
  })
  @IsIn(['fail', 'reverse-and-repost'])
  readonly conflicts: 'fail' | 'reverse-and-repost' = 'fail';

  @ApiPropertyOptional({
    enum: ['fail', 'post-without'],
    default: 'post-without',
    description:
      'an entry with a receipt that does not get into the ERP: fail it, or post it without that receipt and with a warning',
  })
  @IsIn(['fail', 'post-without'])
  readonly receipts: 'fail' | 'post-without' = 'post-without';

  @ApiPropertyOptional({
    enum: ['repost', 'fail'],
    default: 'repost',
    description:
      'an entry that was reversed in the ERP and is exported again as it was: post it anew with a warning, or fail it',
  })
  @IsIn(['repost', 'fail'])
  readonly reversedInErp: 'repost' | 'fail' = 'repost';
}

export class SettingsRequest {
  @ApiProperty({ type: AccountSettings })
  @IsDefined()
  @ValidateNested()
  @Type(() => AccountSettings)
  readonly accounts!: AccountSettings;

  @ApiProperty({ type: PolicySettings })
  @IsDefined()
  @ValidateNested()
  @Type(() => PolicySettings)
  readonly policies!: PolicySettings;
}

export class SettingsResponse extends shapeWith(SettingsRequest, {
  version: field.number('also the ETag; each save makes the next one'),
}) {}

export class ErpCompanyRequest {
  @ApiProperty({ description: 'id of the company in the ERP' })
  @IsString()
  @IsNotEmpty()
  @MaxLength(255)
  readonly erpCompanyId!: string;
}

export class WebhookSettings {
  @ApiProperty({
    enum: ['attempt', 'generation'],
    description:
      'what the platform means by `webhook-timestamp`: when it sent the message this time (accepted for 5 minutes), or when the event happened (accepted as long as the platform repeats a message, 33 h)',
  })
  @IsIn(['attempt', 'generation'])
  readonly timestampMeaning!: 'attempt' | 'generation';
}

export class SetupFindings extends shape({
  ready: field.flag('false while a step that blocks everything is open'),
  steps: field.many(SetupStepResponse, 'as `GET /api/v1/setup` has them, without alerts'),
}) {}

export class SavedSettingsResponse extends shapeWith(SettingsResponse, {
  setup: field.one(SetupFindings, 'what the set-up finds with the settings that are saved now'),
}) {}
