import { field, shape, shapeWith } from '../../../foundation/http/shape.js';
import { pageOf, PageQuery } from '../http/page.js';
import { format } from '../http/tabular-response.js';
import { optionalDay } from '../http/field.js';

export class ApAgeingQuery extends shapeWith(PageQuery, {
  /** Amounts at the end of this day; today in the company's time zone when absent. */
  date: optionalDay(),
  format: format(),
}) {}

/** Minor units, debit positive: an amount owed to a vendor is negative. */
export class AgedAmountDto extends shape({
  amountMinor: field.text('minor units of the row’s currency'),
  baseMinor: field.text('minor units of the functional currency'),
}) {}

/** Open amounts by days after the due date. */
class AgedAmounts extends shape({
  currency: field.text(),
  notDue: field.one(AgedAmountDto),
  overdue1To30: field.one(AgedAmountDto),
  overdue31To60: field.one(AgedAmountDto),
  overdue61To90: field.one(AgedAmountDto),
  overdueOver90: field.one(AgedAmountDto),
  baseOnly: field.one(
    AgedAmountDto,
    'lines of the vendor in base only that belong to no settlement, such as a corrected rate',
  ),
  total: field.one(AgedAmountDto, 'all of these: the balance of the vendor’s lines'),
}) {}

/** One vendor in one currency. */
export class ApAgeingRowDto extends shapeWith(AgedAmounts, {
  vendorNumber: field.text(),
  vendorName: field.text(),
}) {}

/** All vendors in one currency. */
export class ApAgeingTotalDto extends AgedAmounts {}

/** Rows by vendor and currency. */
export class ApAgeingDto extends shapeWith(pageOf(ApAgeingRowDto), {
  date: field.day(),
  functionalCurrency: field.text(),
  // Over all pages.
  totals: field.many(ApAgeingTotalDto),
  baseTotalMinor: field.text('minor units of the functional currency, over all pages and currencies'),
}) {}
