import type { ResponseFormat } from '../http/response-format.js';
import { MAX_CODE_LENGTH, OptionalDay, Text } from '../http/field.js';
import { pageOf, PageQuery } from '../http/page.js';
import { Format } from '../http/tabular-response.js';
import { day, nullable, shape, text } from '../http/shape.js';

export class DimensionBalancesQuery extends PageQuery {
  /** Code of the dimension. */
  @Text(MAX_CODE_LENGTH)
  readonly dimension!: string;

  /** First posting date counted; from the start when absent. */
  @OptionalDay()
  readonly from?: string;

  /** Last posting date counted; to the end when absent. */
  @OptionalDay()
  readonly to?: string;

  @Format()
  readonly format?: ResponseFormat;
}

/** One value of the dimension on one account in one currency. */
export class DimensionBalanceDto extends shape({
  value: nullable(text({ description: 'null for lines without a value' })),
  valueName: nullable(text()),
  accountCode: text(),
  accountName: text(),
  accountType: text(),
  currency: text(),
  debitMinor: text({ description: 'minor units of the currency' }),
  creditMinor: text(),
  balanceMinor: text({ description: 'debit minus credit' }),
  baseBalanceMinor: text({ description: 'minor units of the functional currency, debit minus credit' }),
}) {}

/** Rows by value, account and currency; lines without a value come first. */
export class DimensionBalancesDto extends shape(
  {
    dimension: text(),
    functionalCurrency: text(),
    from: nullable(day()),
    to: nullable(day()),
  },
  pageOf(DimensionBalanceDto),
) {}
