import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import type { ResponseFormat } from '../http/response-format.js';
import { MAX_CODE_LENGTH, OptionalDay, OptionalText } from '../http/field.js';
import { PageQuery, pageOf } from '../http/page.js';
import { Format } from '../http/tabular-response.js';
import type { EntryState } from './domain/posting-outcome.js';
import { MAX_KEY_LENGTH } from './postings/posting-group.schema.js';

const STATES: readonly EntryState[] = ['draft', 'posted', 'reversed', 'discarded'];

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
  @OptionalText(MAX_CODE_LENGTH)
  readonly account?: string;

  @ApiPropertyOptional({ enum: STATES, description: '"posted" leaves out what was reversed' })
  @IsOptional()
  @IsIn(STATES)
  readonly state?: EntryState;

  /** Number of a vendor that the entry touches. */
  @OptionalText(MAX_CODE_LENGTH)
  readonly vendor?: string;

  @OptionalText()
  readonly documentNumber?: string;

  @Format()
  readonly format?: ResponseFormat;
}

export class JournalLineDto {
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

  @ApiProperty({ enum: STATES })
  readonly state!: EntryState;

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
  readonly functionalCurrency!: string;

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

/** Another entry, by what a bookkeeper calls it. */
export class NamedEntryDto {
  @ApiProperty({ type: String, format: 'uuid' })
  readonly id!: string;

  @ApiProperty({ type: String, nullable: true, example: '2026-000017' })
  readonly number!: string | null;
}

export class GroupMemberDto extends NamedEntryDto {
  @ApiProperty({ type: String })
  readonly role!: string;

  @ApiProperty({ enum: STATES })
  readonly state!: EntryState;
}

/** Where an entry comes from. What the books wrote themselves has the trail of the entries it belongs to. */
export class EntryTrailDto {
  @ApiProperty({ type: String, nullable: true })
  readonly accountingEntryId!: string | null;

  @ApiProperty({ type: String, nullable: true })
  readonly exportJobId!: string | null;

  @ApiProperty({ type: Number, nullable: true })
  readonly mappingVersion!: number | null;

  @ApiProperty({ type: String, nullable: true })
  readonly installationId!: string | null;
}

/** What a vendor's line of the entry was paid with, or paid. Amounts have the sign of the line. */
export class EntrySettlementDto {
  @ApiProperty({ type: String, format: 'uuid' })
  readonly id!: string;

  @ApiProperty({ type: Number, description: 'line of this entry' })
  readonly lineNo!: number;

  @ApiProperty({ type: NamedEntryDto, description: 'entry of the item on the other side' })
  readonly with!: NamedEntryDto;

  @ApiProperty({ type: Number, description: 'line of the other entry' })
  readonly withLineNo!: number;

  @ApiProperty({ type: String, nullable: true })
  readonly documentNumber!: string | null;

  @ApiProperty({ type: String })
  readonly amountMinor!: string;

  @ApiProperty({ type: String })
  readonly baseMinor!: string;

  @ApiProperty({ type: String, format: 'date' })
  readonly settledOn!: string;

  @ApiProperty({ type: NamedEntryDto, nullable: true, description: 'books the realized exchange difference' })
  readonly fxEntry!: NamedEntryDto | null;

  @ApiProperty({ type: String, format: 'date', nullable: true, description: 'null while it stands' })
  readonly undoneOn!: string | null;
}

export class AuditLinkDto {
  @ApiProperty({ type: Number, description: 'place in the audit chain, from 1' })
  readonly position!: number;

  @ApiProperty({ type: String, description: 'SHA-256 in hexadecimal' })
  readonly hash!: string;
}

/** An entry with all it belongs to. */
export class JournalEntryDetailDto extends JournalEntryDto {
  @ApiProperty({ type: EntryTrailDto })
  readonly trail!: EntryTrailDto;

  @ApiProperty({ type: NamedEntryDto, nullable: true })
  readonly reverses!: NamedEntryDto | null;

  @ApiProperty({ type: NamedEntryDto, nullable: true })
  readonly reversedBy!: NamedEntryDto | null;

  /** The other entries of its posting group, oldest first. */
  @ApiProperty({ type: [GroupMemberDto] })
  readonly group!: readonly GroupMemberDto[];

  /** Oldest first, at most a thousand. */
  @ApiProperty({ type: [EntrySettlementDto] })
  readonly settlements!: readonly EntrySettlementDto[];

  /** Null for a draft. */
  @ApiProperty({ type: AuditLinkDto, nullable: true })
  readonly audit!: AuditLinkDto | null;
}
