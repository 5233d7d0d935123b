import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsDefined, IsInt, IsOptional, IsUUID, Matches, Max, Min, ValidateNested } from 'class-validator';
import { MAX_CODE_LENGTH, OptionalText } from '../../http/field.js';
import { field, shape } from '../../../../foundation/http/shape.js';

class OpenItemRefDto {
  @ApiProperty({ type: String, format: 'uuid' })
  @IsUUID()
  readonly entryId!: string;

  @ApiProperty({ type: Number, minimum: 1 })
  @IsInt()
  @Min(1)
  @Max(10_000)
  readonly lineNo!: number;
}

export class SettlementRequestDto {
  /** Owed by the vendor or paid to it: a payment, a credit note. */
  @ApiProperty({ type: OpenItemRefDto })
  @IsDefined()
  @ValidateNested()
  @Type(() => OpenItemRefDto)
  readonly debit!: OpenItemRefDto;

  /** Owed to the vendor: an invoice, a receipt. */
  @ApiProperty({ type: OpenItemRefDto })
  @IsDefined()
  @ValidateNested()
  @Type(() => OpenItemRefDto)
  readonly credit!: OpenItemRefDto;

  @ApiPropertyOptional({ type: String, description: 'minor units; the open amount of both when absent' })
  @IsOptional()
  @Matches(/^\d{1,18}$/)
  readonly amountMinor?: string | null;

  /** Account for a difference in base; required only when there is one. */
  @OptionalText(MAX_CODE_LENGTH)
  readonly realizedFxAccountCode?: string | null;
}

export class SettlementCreatedDto extends shape({ id: field.uuid() }) {}
