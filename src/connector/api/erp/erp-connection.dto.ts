import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsObject, IsString, Length, ValidateNested } from 'class-validator';
import { OptionalField } from '../../../foundation/http/optional-field.js';
import { Type } from 'class-transformer';
import { ERP_CHECKS } from '../../erp-connections/domain/erp-findings.js';

export class ErpKindResponse {
  @ApiProperty({ description: 'names the kind of accounting system', example: 'ledger' })
  readonly kind!: string;
  @ApiProperty({ description: 'as people call it', example: 'Ledger (sandbox)' })
  readonly name!: string;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'JSON Schema (draft 2020-12) of the settings that connect it; forms are made of it',
  })
  readonly settingsSchema!: Readonly<Record<string, unknown>>;
  @ApiProperty({ type: [String], description: 'properties of the settings that are written and never read' })
  readonly secrets!: readonly string[];
  @ApiProperty({
    description: 'whether a person can sign in at the accounting system itself, instead of entering credentials here',
  })
  readonly hasSignIn!: boolean;
}

export class ErpKindsResponse {
  @ApiProperty({ type: [ErpKindResponse] })
  readonly data!: readonly ErpKindResponse[];
}

export class ErpConnectionRequest {
  @ApiProperty({ description: 'one of the kinds of GET /api/v1/erp-kinds', minLength: 1, maxLength: 40 })
  @IsString()
  @Length(1, 40)
  readonly kind!: string;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'as the kind’s schema wants them; a secret that is left out stays as it is while the ERP is the same',
  })
  @IsObject()
  readonly settings!: Readonly<Record<string, never>>;
  @ApiProperty({
    required: false,
    description: 'true: the person knows that entries in the accounting system before stay there',
  })
  @OptionalField()
  @IsBoolean()
  readonly confirmChange?: boolean;
}

export class ErpSignInResponse {
  @ApiProperty({ format: 'uri', description: 'where the browser of the person who signs in goes' })
  readonly signInUrl!: string;
  @ApiProperty({ format: 'date-time', type: String, description: 'when it has to be over' })
  readonly expiresAt!: Date;
}

export class ErpTestAccounts {
  @ApiProperty({ description: 'code of the account that is debited', minLength: 1, maxLength: 100 })
  @IsString()
  @Length(1, 100)
  readonly debit!: string;
  @ApiProperty({ description: 'code of the account that is credited', minLength: 1, maxLength: 100 })
  @IsString()
  @Length(1, 100)
  readonly credit!: string;
}

export class ErpTestRequestBody {
  @ApiProperty({ required: false, description: 'company whose lists are read', minLength: 1, maxLength: 255 })
  @OptionalField()
  @IsString()
  @Length(1, 255)
  readonly erpCompanyId?: string;
  @ApiProperty({
    required: false,
    type: ErpTestAccounts,
    description: 'accounts of an entry of one minor unit, posted today and taken back at once',
  })
  @OptionalField()
  @ValidateNested()
  @Type(() => ErpTestAccounts)
  readonly testEntry?: ErpTestAccounts;
}

export class ErpCompanyResponse {
  @ApiProperty({ description: 'id in the accounting system' })
  readonly id!: string;
  @ApiProperty()
  readonly name!: string;
  @ApiProperty({ type: String, nullable: true })
  readonly registrationNumber!: string | null;
}

export class ErpCompaniesResponse {
  @ApiProperty({ type: [ErpCompanyResponse] })
  readonly data!: readonly ErpCompanyResponse[];
}

export class ErpCheckResponse {
  @ApiProperty({
    enum: ERP_CHECKS,
  })
  readonly check!: string;
  @ApiProperty({ enum: ['works', 'fails', 'not-tried'] })
  readonly state!: string;
  @ApiProperty({ description: 'a sentence for the administrator, in the language of the reader' })
  readonly detail!: string;
}

export class ErpFindingResponse extends ErpCheckResponse {
  @ApiProperty({ format: 'date-time', type: String, description: 'when it was tried' })
  readonly at!: string;
}

export class ErpConnectionResponse {
  @ApiProperty({ example: 'ledger' })
  readonly kind!: string;
  @ApiProperty({ description: 'as people call the accounting system' })
  readonly name!: string;
  @ApiProperty({
    enum: ['ok', 'limited', 'needs-reauthorization'],
    description: 'limited: it has asked the connector to wait, or does not respond',
  })
  readonly state!: string;
  @ApiProperty({ type: String, nullable: true, description: 'why, and what an administrator has to do' })
  readonly problem!: string | null;
  @ApiProperty({ format: 'date-time', type: String, nullable: true, description: 'until when it is limited at least' })
  readonly limitedUntil!: Date | null;
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'without secrets' })
  readonly settings!: Readonly<Record<string, unknown>>;
  @ApiProperty()
  readonly connectedBy!: string;
  @ApiProperty({ format: 'date-time', type: String })
  readonly connectedAt!: Date;
  @ApiProperty({ format: 'date-time', type: String, nullable: true, description: 'when it last accepted a request' })
  readonly lastSuccessAt!: Date | null;
  @ApiProperty({
    enum: ['permanent-key', 'expiring-key', 'searchable-reference', 'none'],
    nullable: true,
    type: String,
    description: 'what it offers against double posting; at `none` a person looks up what is in doubt',
  })
  readonly guarantee!: string | null;
  @ApiProperty({ description: 'whether entries are given out as files: GET /api/v1/erp-batches' })
  readonly givesFiles!: boolean;
  @ApiProperty({ type: String, nullable: true, description: 'company of the newest test that named one' })
  readonly company!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'in which that company keeps its books' })
  readonly functionalCurrency!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'Europe/Copenhagen',
    description:
      'of the company in which the days of its books begin and end; as the newest test or reconciliation has found it',
  })
  readonly timeZone!: string | null;
  @ApiProperty({ type: [ErpFindingResponse], description: 'the newest result of each check' })
  readonly findings!: readonly ErpFindingResponse[];
}

export class ErpTestResponse {
  @ApiProperty({ type: [ErpCheckResponse] })
  readonly checks!: readonly ErpCheckResponse[];
  @ApiProperty({ type: [ErpCompanyResponse] })
  readonly companies!: readonly ErpCompanyResponse[];
}
