import { input } from '../../../foundation/http/input.js';
import { field, shape, shapeWith } from '../../../foundation/http/shape.js';
import { pageOf, PageQuery } from '../http/page.js';
import { format } from '../http/tabular-response.js';
import { codeFilter, optionalDay } from '../http/field.js';

export class OpenItemsQuery extends shapeWith(PageQuery, {
  /** Amounts at the end of this day; today in the company's time zone when absent. */
  date: optionalDay(),
  /** Number of a vendor, to see its items only. */
  vendor: codeFilter(),
  status: input.oneOf(['open', 'all'], { default: 'open', description: '"all" shows settled ones too' }),
  format: format(),
}) {}

/** A vendor's line of a posted entry. Amounts are minor units, debit positive: an amount owed to a vendor is negative. */
export class OpenItemDto extends shape({
  vendorNumber: field.text(),
  vendorName: field.text(),
  accountCode: field.text(),
  entryId: field.uuid(),
  number: field.text({ example: '2026-000017' }),
  lineNo: field.number(),
  role: field.text(),
  documentNumber: field.text().nullable(),
  documentDate: field.day().nullable(),
  postedOn: field.day(),
  dueOn: field.day('due date, else document date, else posting date'),
  daysOverdue: field.number('days after the due date; negative before it'),
  currency: field.text(),
  amountMinor: field.text(),
  settledMinor: field.text(),
  openMinor: field.text(),
  baseMinor: field.text(),
  settledBaseMinor: field.text(),
  openBaseMinor: field.text(),
}) {}

/** Items by vendor, due date and entry. */
export class OpenItemsDto extends shapeWith(pageOf(OpenItemDto), {
  date: field.day(),
  functionalCurrency: field.text(),
}) {}
