import { IsOptional } from 'class-validator';
import { input } from '../../../../foundation/http/input.js';
import { field, shape, shapeWith } from '../../../../foundation/http/shape.js';
import { pageOf, PageQuery } from '../../http/page.js';
import { format } from '../../http/tabular-response.js';
import { codeFilter, counted, day, type CountedEntries } from '../../http/field.js';

export class VatReportQuery extends shape({
  /** First posting date wanted. */
  from: day(),
  /** Last posting date wanted, included. */
  to: day(),
  state: counted(),
  format: format(),
}) {}

/** Minor units of the functional currency as decimal text. */
export class VatAmountsDto extends shape({
  baseMinor: field.text('what the tax of purchases is on, with that of reverse charges'),
  taxMinor: field.text('the tax on it'),
  deductibleMinor: field.text('of the tax, what is posted as input tax'),
  nonDeductibleMinor: field.text('of the tax, what stays with the expense'),
  reverseChargeBaseMinor: field.text('of the base, what is under reverse charge'),
  reverseChargeInputMinor: field.text('of the tax, what is under reverse charge, before the deductible share'),
  outputBaseMinor: field.text('what output tax is on'),
  outputMinor: field.text('output tax, positive where it is owed'),
}) {}

export class VatCodeDto extends shapeWith(VatAmountsDto, {
  taxCode: field.text('null for taxes that were posted without a code').nullable(),
  name: field.text().nullable(),
  lines: field.number('lines that the amounts are the sums of'),
  linesUrl: field.text('path of these lines, with their entries'),
}) {}

/** The movement of an account that tax is posted to, beside what the report has of it. */
export class VatAccountDto extends shape({
  accountCode: field.text(),
  accountName: field.text(),
  movementMinor: field.text('debit minus credit in the period, as in the trial balance'),
  reportedMinor: field.text('of it, what is in the report'),
  differenceMinor: field.text('posted to the account without tax details; 0 when tied'),
  ledgerUrl: field.text('path of the account’s lines'),
}) {}

export class VatControlDto extends shape({
  movementMinor: field.text(),
  reportedMinor: field.text(),
  differenceMinor: field.text('0 when the report is tied to the accounts'),
}) {}

export class VatReportDto extends shape({
  from: field.day(),
  to: field.day(),
  state: field.oneOf<CountedEntries>(['posted', 'all']),
  functionalCurrency: field.text(),
  codes: field.many(VatCodeDto),
  total: field.one(VatAmountsDto),
  accounts: field.many(VatAccountDto),
  control: field.one(VatControlDto),
}) {}

export class VatLinesQuery extends shapeWith(PageQuery, {
  /** First posting date wanted. */
  from: day(),
  /** Last posting date wanted, included. */
  to: day(),
  taxCode: codeFilter(),
  withoutCode: input.oneOf(['true'], 'only taxes that were posted without a code').optional(IsOptional()),
  state: counted(),
  format: format(),
}) {}

/** What one line adds to each number of the report. */
export class VatLineDto extends shapeWith(VatAmountsDto, {
  entryId: field.uuid(),
  entryUrl: field.text('path of the entry'),
  number: field.text({ example: '2026-000017', description: 'null for a draft' }).nullable(),
  lineNo: field.number(),
  postingDate: field.day(),
  documentDate: field.day().nullable(),
  documentNumber: field.text().nullable(),
  role: field.text(),
  accountCode: field.text(),
  taxCode: field.text().nullable(),
  place: field.oneOf(['input', 'output', 'expense']),
  reverseCharge: field.flag(),
  rate: field.text({ example: '0.25' }).nullable(),
  deductible: field.text({ example: '0.5' }),
  currency: field.text(),
  entryTaxableMinor: field.text('minor units of the entry’s currency, with the sign of the line'),
  entryTaxMinor: field.text('likewise, before the deductible share'),
}) {}

/** By posting date, entry and line. */
export class VatLinePage extends shapeWith(pageOf(VatLineDto), { functionalCurrency: field.text() }) {}
