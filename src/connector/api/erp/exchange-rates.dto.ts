import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
import { MAX_RATES } from '../../erp-connections/domain/rate-table.js';

const MAX_FILE_LENGTH = 1_000_000;

export class ExchangeRatesRequest {
  @ApiProperty({
    description: `CSV with the headings date, from, to, rate: how much of "to" one "from" is worth on that day; at most ${MAX_RATES.toString()} rates`,
    example: 'date,from,to,rate\n2026-03-02,USD,EUR,0.9123\n',
    maxLength: MAX_FILE_LENGTH,
  })
  @IsString()
  @MaxLength(MAX_FILE_LENGTH)
  readonly csv!: string;
}

export class ExchangeRatesResponse {
  @ApiProperty({ description: 'whether entries are converted with these: the connected accounting system has none' })
  readonly inUse!: boolean;
  @ApiProperty({ minimum: 0, maximum: MAX_RATES })
  readonly numberOfRates!: number;
  @ApiProperty({ type: String, format: 'date', nullable: true, description: 'first day with a rate' })
  readonly from!: string | null;
  @ApiProperty({ type: String, format: 'date', nullable: true, description: 'last day with a rate' })
  readonly to!: string | null;
  @ApiProperty({ description: 'as it is uploaded: to be completed and uploaded again' })
  readonly csv!: string;
  @ApiProperty()
  readonly uploadedBy!: string;
  @ApiProperty({ format: 'date-time', type: String })
  readonly uploadedAt!: Date;
}
