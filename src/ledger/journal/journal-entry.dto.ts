import { ApiProperty } from '@nestjs/swagger';
import { CODE_LENGTH, OptionalDay, OptionalText } from '../http/field.js';
import { PageQuery, pageOf } from '../http/page.js';
import { MAX_KEY_LENGTH } from './posting-group.schema.js';

export class JournalQuery extends PageQuery {
  @OptionalText(MAX_KEY_LENGTH)
  readonly keyPrefix?: string;

  /** First posting date wanted. */
  @OptionalDay()
  readonly from?: string;

  /** Last posting date wanted, included. */
  @OptionalDay()
  readonly to?: string;

  /** Code of an account that the entry touches. */
  @OptionalText(CODE_LENGTH)
  readonly account?: string;
}

class JournalLineDto {
  @ApiProperty({ type: Number })
  readonly lineNo!: number;

  @ApiProperty({ type: String })
  readonly accountCode!: string;

  @ApiProperty({ type: String, description: 'minor units of the entry’s currency, debit positive' })
  readonly amountMinor!: string;

  @ApiProperty({ type: String, description: 'minor units of the functional currency, debit positive' })
  readonly baseMinor!: string;

  @ApiProperty({ type: String, nullable: true })
  readonly vendorNumber!: string | null;

  @ApiProperty({ type: String, nullable: true })
  readonly employee!: string | null;

  @ApiProperty({ type: String, nullable: true })
  readonly taxCode!: string | null;

  @ApiProperty({ type: Object, description: 'dimension code → value code' })
  readonly dimensions!: Readonly<Record<string, string>>;
}

export class JournalEntryDto {
  @ApiProperty({ type: String, format: 'uuid' })
  readonly id!: string;

  @ApiProperty({ type: String, description: 'key of the posting group' })
  readonly key!: string;

  @ApiProperty({ type: Number })
  readonly revision!: number;

  @ApiProperty({ type: String })
  readonly contentDigest!: string;

  @ApiProperty({ type: String })
  readonly role!: string;

  @ApiProperty({ enum: ['draft', 'posted'] })
  readonly state!: 'draft' | 'posted';

  @ApiProperty({ type: String, nullable: true, example: '2026-000017' })
  readonly number!: string | null;

  @ApiProperty({ type: String, format: 'date' })
  readonly postingDate!: string;

  @ApiProperty({ type: String, format: 'date', nullable: true })
  readonly documentDate!: string | null;

  @ApiProperty({ type: String, format: 'date', nullable: true })
  readonly dueDate!: string | null;

  @ApiProperty({ type: String, nullable: true })
  readonly documentNumber!: string | null;

  @ApiProperty({ type: String })
  readonly currency!: string;

  @ApiProperty({ type: String })
  readonly description!: string;

  @ApiProperty({ type: String, nullable: true })
  readonly reference!: string | null;

  @ApiProperty({ type: Object, nullable: true, description: 'as it was posted' })
  readonly settlement!: unknown;

  @ApiProperty({ type: Object, description: 'as it was posted' })
  readonly metadata!: Readonly<Record<string, unknown>>;

  @ApiProperty({ type: String, format: 'date-time' })
  readonly createdAt!: string;

  @ApiProperty({ type: [JournalLineDto] })
  readonly lines!: readonly JournalLineDto[];
}

export class JournalEntryPage extends pageOf(JournalEntryDto) {}
