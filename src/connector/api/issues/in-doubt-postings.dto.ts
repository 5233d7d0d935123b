import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsNotEmpty, IsString, IsUrl, MaxLength } from 'class-validator';
import { OptionalField } from '../../../foundation/http/optional-field.js';
import { IsExternalIdIfPosted, IsAllowedOnlyIfPosted } from './in-doubt-postings.validators.js';
import { MONEY_OR_NULL, type MoneyResponse } from '../http/money.dto.js';
import { PageResponse } from '../http/page.dto.js';

const OUTCOMES = ['not-in-the-books', 'in-the-books'] as const;

export class InDoubtLine {
  @ApiProperty() readonly accountCode!: string;
  @ApiProperty({ description: 'main units of the currency, debit positive', example: '-125.00' })
  readonly amount!: string;
  @ApiProperty(MONEY_OR_NULL) readonly money!: MoneyResponse | null;
}

export class InDoubtEntryResponse {
  @ApiProperty({ enum: ['entry', 'invoice', 'payment', 'credit-note', 'receipt'] }) readonly role!: string;
  @ApiProperty({ format: 'date' }) readonly postingDate!: string;
  @ApiProperty({ example: 'EUR' }) readonly currency!: string;
  @ApiProperty({ type: [InDoubtLine], description: 'the first 50' })
  readonly lines!: readonly InDoubtLine[];
  @ApiProperty({ description: 'how many lines there are' }) readonly lineCount!: number;
}

export class InDoubtPostingResponse {
  @ApiProperty({ format: 'uuid' }) readonly accountingEntryId!: string;
  @ApiProperty({ description: 'what to look for in the ERP' }) readonly reference!: string;
  @ApiProperty({ format: 'uuid', description: 'the export job that sent it last' })
  readonly exportJobId!: string;
  @ApiProperty({ description: 'where in the ERP to look' }) readonly erpCompanyId!: string;
  @ApiProperty({ format: 'date-time', description: 'in doubt since: when it was last sent' })
  readonly sentAt!: Date;
  @ApiProperty({ type: [InDoubtEntryResponse], description: 'what was sent' })
  readonly entries!: readonly InDoubtEntryResponse[];
}

export class InDoubtPostingsResponse extends PageResponse {
  @ApiProperty({ type: [InDoubtPostingResponse] }) readonly data!: readonly InDoubtPostingResponse[];
}

export class ResolutionRequest {
  @ApiProperty({ enum: OUTCOMES, description: 'what you have found in the ERP' })
  @IsIn(OUTCOMES)
  readonly outcome!: (typeof OUTCOMES)[number];

  @ApiPropertyOptional({ maxLength: 255, description: 'the entry’s id in the ERP; with "in-the-books" only' })
  @IsExternalIdIfPosted()
  readonly externalId?: string;

  @ApiPropertyOptional({ maxLength: 2_000, description: 'its address there; with "in-the-books" only' })
  @OptionalField()
  @IsUrl({ protocols: ['http', 'https'], require_protocol: true, require_tld: false })
  @MaxLength(2_000)
  @IsAllowedOnlyIfPosted()
  readonly externalUrl?: string;

  @ApiPropertyOptional({ maxLength: 1_000, description: 'for the record' })
  @OptionalField()
  @IsString()
  @MaxLength(1_000)
  readonly note?: string;

  @ApiPropertyOptional({
    maxLength: 255,
    description: 'where you have looked; needed only when the entry is in doubt in more than one ERP company',
  })
  @OptionalField()
  @IsString()
  @IsNotEmpty()
  @MaxLength(255)
  readonly erpCompanyId?: string;
}
