import { field, shape, shapeWith } from '../../../foundation/http/shape.js';
import { format } from '../http/tabular-response.js';
import { counted, optionalDay, type CountedEntries } from '../http/field.js';

export class TrialBalanceQuery extends shape({
  /** Last posting date counted; everything when absent. */
  date: optionalDay(),
  state: counted(),
  format: format(),
}) {}

/** Minor units as decimal text. */
export class TotalDto extends shape({
  currency: field.text(),
  debitMinor: field.text(),
  creditMinor: field.text(),
}) {}

/** One account in one currency. */
export class TrialBalanceRowDto extends shapeWith(TotalDto, {
  accountCode: field.text(),
  accountName: field.text(),
  accountType: field.text(),
  // Debit minus credit.
  balanceMinor: field.text(),
  baseDebitMinor: field.text(),
  baseCreditMinor: field.text(),
  baseBalanceMinor: field.text(),
}) {}

export class TrialBalanceDto extends shape({
  date: field.day().nullable(),
  state: field.oneOf<CountedEntries>(['posted', 'all']),
  entries: field.number(),
  rows: field.many(TrialBalanceRowDto),
  // Per transaction currency.
  totals: field.many(TotalDto),
  // In the functional currency.
  baseTotal: field.one(TotalDto),
}) {}
