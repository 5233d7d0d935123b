import { IsOptional } from 'class-validator';
import { input } from '../../../foundation/http/input.js';
import { field, shape, shapeWith } from '../../../foundation/http/shape.js';
import { PageQuery, pageOf } from '../http/page.js';
import { format } from '../http/tabular-response.js';
import type { EntryState } from './domain/posting-outcome.js';
import { MAX_KEY_LENGTH } from './postings/posting-group.schema.js';
import { codeFilter, optionalDay, textFilter } from '../http/field.js';

const STATES: readonly EntryState[] = ['draft', 'posted', 'reversed', 'discarded'];

export class JournalQuery extends shapeWith(PageQuery, {
  keyPrefix: textFilter(MAX_KEY_LENGTH),
  /** First posting date wanted. */
  from: optionalDay(),
  /** Last posting date wanted, included. */
  to: optionalDay(),
  /** Code of an account that the entry touches. */
  account: codeFilter(),
  state: input.oneOf(STATES, '"posted" leaves out what was reversed').optional(IsOptional()),
  /** Number of a vendor that the entry touches. */
  vendor: codeFilter(),
  documentNumber: textFilter(),
  format: format(),
}) {}

/** What a tax return needs of a line; amounts in minor units as text, with the sign of the line. */
export class LineTaxDto extends shape({
  place: field.oneOf(
    ['input', 'output', 'expense'],
    'the line is that tax, or the expense of a tax of which nothing is deducted',
  ),
  reverseCharge: field.flag(),
  rate: field.text({ example: '0.25' }).nullable(),
  deductible: field.text({ description: 'share of the tax that is deducted', example: '0.5' }),
  taxableMinor: field.text('what the tax is on, whatever the share'),
  taxableBaseMinor: field.text(),
  taxMinor: field.text('the tax before the share'),
  taxBaseMinor: field.text(),
}) {}

export class JournalLineDto extends shape({
  lineNo: field.number(),
  accountCode: field.text(),
  amountMinor: field.text('minor units of the entry’s currency, debit positive'),
  baseMinor: field.text('minor units of the functional currency, debit positive'),
  vendorNumber: field.text().nullable(),
  employee: field.text().nullable(),
  taxCode: field.text().nullable(),
  tax: field.one(LineTaxDto).nullable(),
  dimensions: field.object<Readonly<Record<string, string>>>('dimension code → value code'),
}) {}

export class JournalEntryDto extends shape({
  id: field.uuid(),
  key: field.text('key of the posting group'),
  revision: field.number(),
  contentDigest: field.text(),
  role: field.text(),
  part: field.number('among the entries of its role, from 1; more than one where the caller has divided an entry'),
  state: field.oneOf(STATES),
  number: field.text({ example: '2026-000017' }).nullable(),
  postingDate: field.day(),
  documentDate: field.day().nullable(),
  dueDate: field.day().nullable(),
  documentNumber: field.text().nullable(),
  currency: field.text(),
  functionalCurrency: field.text(),
  description: field.text(),
  reference: field.text().nullable(),
  settlement: field.object<unknown>('as it was posted').nullable(),
  metadata: field.object<Readonly<Record<string, unknown>>>('as it was posted'),
  createdAt: field.instantText(),
  lines: field.many(JournalLineDto),
}) {}

export class JournalEntryPage extends pageOf(JournalEntryDto) {}

/** Another entry, by what a bookkeeper calls it. */
export class NamedEntryDto extends shape({
  id: field.uuid(),
  number: field.text({ example: '2026-000017' }).nullable(),
}) {}

export class GroupMemberDto extends shapeWith(NamedEntryDto, {
  role: field.text(),
  state: field.oneOf(STATES),
}) {}

/** Where an entry comes from. What the books wrote themselves has the trail of the entries it belongs to. */
export class EntryTrailDto extends shape({
  accountingEntryId: field.text().nullable(),
  exportJobId: field.text().nullable(),
  mappingVersion: field.number().nullable(),
  installationId: field.text().nullable(),
}) {}

/** What a vendor's line of the entry was paid with, or paid. Amounts have the sign of the line. */
export class EntrySettlementDto extends shape({
  id: field.uuid(),
  lineNo: field.number('line of this entry'),
  with: field.one(NamedEntryDto, 'entry of the item on the other side'),
  withLineNo: field.number('line of the other entry'),
  documentNumber: field.text().nullable(),
  amountMinor: field.text(),
  baseMinor: field.text(),
  settledOn: field.day(),
  fxEntry: field.one(NamedEntryDto, 'books the realized exchange difference').nullable(),
  transferEntry: field.one(NamedEntryDto, 'moves the amount between two payable accounts').nullable(),
  undoneOn: field.day('null while it stands').nullable(),
}) {}

export class AuditLinkDto extends shape({
  position: field.number('place in the audit chain, from 1'),
  hash: field.text('SHA-256 in hexadecimal'),
}) {}

/** An entry with all it belongs to. */
export class JournalEntryDetailDto extends shapeWith(JournalEntryDto, {
  trail: field.one(EntryTrailDto),
  reverses: field.one(NamedEntryDto).nullable(),
  reversedBy: field.one(NamedEntryDto).nullable(),
  // The other entries of its posting group, oldest first.
  group: field.many(GroupMemberDto),
  // Oldest first, at most a thousand.
  settlements: field.many(EntrySettlementDto),
  // Null for a draft.
  audit: field.one(AuditLinkDto).nullable(),
}) {}
