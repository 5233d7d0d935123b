import { field, shape, shapeWith } from '../../../foundation/http/shape.js';
import { pageOf, PageQuery } from '../http/page.js';
import { format } from '../http/tabular-response.js';
import { code, optionalDay } from '../http/field.js';

export class DimensionBalancesQuery extends shapeWith(PageQuery, {
  /** Code of the dimension. */
  dimension: code(),
  /** First posting date counted; from the start when absent. */
  from: optionalDay(),
  /** Last posting date counted; to the end when absent. */
  to: optionalDay(),
  format: format(),
}) {}

/** One value of the dimension on one account in one currency. */
export class DimensionBalanceDto extends shape({
  value: field.text('null for lines without a value').nullable(),
  valueName: field.text().nullable(),
  accountCode: field.text(),
  accountName: field.text(),
  accountType: field.text(),
  currency: field.text(),
  debitMinor: field.text('minor units of the currency'),
  creditMinor: field.text(),
  balanceMinor: field.text('debit minus credit'),
  baseBalanceMinor: field.text('minor units of the functional currency, debit minus credit'),
}) {}

/** Rows by value, account and currency; lines without a value come first. */
export class DimensionBalancesDto extends shapeWith(pageOf(DimensionBalanceDto), {
  dimension: field.text(),
  functionalCurrency: field.text(),
  from: field.day().nullable(),
  to: field.day().nullable(),
}) {}
