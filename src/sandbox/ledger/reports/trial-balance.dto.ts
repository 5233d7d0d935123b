import type { ResponseFormat } from '../http/response-format.js';
import { Counted, OptionalDay, type CountedEntries } from '../http/field.js';
import { Format } from '../http/tabular-response.js';
import { day, many, nullable, number, one, oneOf, shape, text } from '../http/shape.js';

export class TrialBalanceQuery {
  /** Last posting date counted; everything when absent. */
  @OptionalDay()
  readonly date?: string;

  @Counted()
  readonly state: CountedEntries = 'posted';

  @Format()
  readonly format?: ResponseFormat;
}

/** Minor units as decimal text. */
export class TotalDto extends shape({
  currency: text(),
  debitMinor: text(),
  creditMinor: text(),
}) {}

/** One account in one currency. */
export class TrialBalanceRowDto extends shape(
  {
    accountCode: text(),
    accountName: text(),
    accountType: text(),
    // Debit minus credit.
    balanceMinor: text(),
    baseDebitMinor: text(),
    baseCreditMinor: text(),
    baseBalanceMinor: text(),
  },
  TotalDto,
) {}

export class TrialBalanceDto extends shape({
  date: nullable(day()),
  state: oneOf<CountedEntries>(['posted', 'all']),
  entries: number(),
  rows: many(TrialBalanceRowDto),
  // Per transaction currency.
  totals: many(TotalDto),
  // In the functional currency.
  baseTotal: one(TotalDto),
}) {}
