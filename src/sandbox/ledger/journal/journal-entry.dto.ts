import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import type { ResponseFormat } from '../http/response-format.js';
import { MAX_CODE_LENGTH, OptionalDay, OptionalText } from '../http/field.js';
import { PageQuery, pageOf } from '../http/page.js';
import { Format } from '../http/tabular-response.js';
import type { EntryState } from './domain/posting-outcome.js';
import { MAX_KEY_LENGTH } from './postings/posting-group.schema.js';
import { day, flag, instant, many, nullable, number, object, one, oneOf, shape, text, uuid } from '../http/shape.js';

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

/** What a tax return needs of a line; amounts in minor units as text, with the sign of the line. */
export class LineTaxDto extends shape({
  place: oneOf(['input', 'output', 'expense'], {
    description: 'the line is that tax, or the expense of a tax of which nothing is deducted',
  }),
  reverseCharge: flag(),
  rate: nullable(text({ example: '0.25' })),
  deductible: text({ description: 'share of the tax that is deducted', example: '0.5' }),
  taxableMinor: text({ description: 'what the tax is on, whatever the share' }),
  taxableBaseMinor: text(),
  taxMinor: text({ description: 'the tax before the share' }),
  taxBaseMinor: text(),
}) {}

export class JournalLineDto extends shape({
  lineNo: number(),
  accountCode: text(),
  amountMinor: text({ description: 'minor units of the entry’s currency, debit positive' }),
  baseMinor: text({ description: 'minor units of the functional currency, debit positive' }),
  vendorNumber: nullable(text()),
  employee: nullable(text()),
  taxCode: nullable(text()),
  tax: nullable(one(LineTaxDto)),
  dimensions: object<Readonly<Record<string, string>>>({ description: 'dimension code → value code' }),
}) {}

export class JournalEntryDto extends shape({
  id: uuid(),
  key: text({ description: 'key of the posting group' }),
  revision: number(),
  contentDigest: text(),
  role: text(),
  part: number({
    description: 'among the entries of its role, from 1; more than one where the caller has divided an entry',
  }),
  state: oneOf(STATES),
  number: nullable(text({ example: '2026-000017' })),
  postingDate: day(),
  documentDate: nullable(day()),
  dueDate: nullable(day()),
  documentNumber: nullable(text()),
  currency: text(),
  functionalCurrency: text(),
  description: text(),
  reference: nullable(text()),
  settlement: nullable(object<unknown>({ description: 'as it was posted' })),
  metadata: object<Readonly<Record<string, unknown>>>({ description: 'as it was posted' }),
  createdAt: instant(),
  lines: many(JournalLineDto),
}) {}

export class JournalEntryPage extends pageOf(JournalEntryDto) {}

/** Another entry, by what a bookkeeper calls it. */
export class NamedEntryDto extends shape({
  id: uuid(),
  number: nullable(text({ example: '2026-000017' })),
}) {}

export class GroupMemberDto extends shape(
  {
    role: text(),
    state: oneOf(STATES),
  },
  NamedEntryDto,
) {}

/** Where an entry comes from. What the books wrote themselves has the trail of the entries it belongs to. */
export class EntryTrailDto extends shape({
  accountingEntryId: nullable(text()),
  exportJobId: nullable(text()),
  mappingVersion: nullable(number()),
  installationId: nullable(text()),
}) {}

/** What a vendor's line of the entry was paid with, or paid. Amounts have the sign of the line. */
export class EntrySettlementDto extends shape({
  id: uuid(),
  lineNo: number({ description: 'line of this entry' }),
  with: one(NamedEntryDto, { description: 'entry of the item on the other side' }),
  withLineNo: number({ description: 'line of the other entry' }),
  documentNumber: nullable(text()),
  amountMinor: text(),
  baseMinor: text(),
  settledOn: day(),
  fxEntry: nullable(one(NamedEntryDto, { description: 'books the realized exchange difference' })),
  transferEntry: nullable(one(NamedEntryDto, { description: 'moves the amount between two payable accounts' })),
  undoneOn: nullable(day({ description: 'null while it stands' })),
}) {}

export class AuditLinkDto extends shape({
  position: number({ description: 'place in the audit chain, from 1' }),
  hash: text({ description: 'SHA-256 in hexadecimal' }),
}) {}

/** An entry with all it belongs to. */
export class JournalEntryDetailDto extends shape(
  {
    trail: one(EntryTrailDto),
    reverses: nullable(one(NamedEntryDto)),
    reversedBy: nullable(one(NamedEntryDto)),
    // The other entries of its posting group, oldest first.
    group: many(GroupMemberDto),
    // Oldest first, at most a thousand.
    settlements: many(EntrySettlementDto),
    // Null for a draft.
    audit: nullable(one(AuditLinkDto)),
  },
  JournalEntryDto,
) {}
