import { field, shape, shapeWith } from '../../../../foundation/http/shape.js';
import { pageOf, PageQuery } from '../../http/page.js';
import { format } from '../../http/tabular-response.js';
import { counted, optionalDay, type CountedEntries } from '../../http/field.js';

export class AccountLedgerQuery extends shapeWith(PageQuery, {
  /** First posting date wanted; from the start when absent. */
  from: optionalDay(),
  /** Last posting date wanted, included; to the end when absent. */
  to: optionalDay(),
  state: counted(),
  format: format(),
}) {}

export class LedgerLineDto extends shape({
  postingDate: field.day(),
  entryId: field.uuid(),
  number: field.text({ example: '2026-000017', description: 'null for a draft' }).nullable(),
  lineNo: field.number(),
  state: field.oneOf(['draft', 'posted', 'reversed']),
  role: field.text(),
  documentDate: field.day().nullable(),
  documentNumber: field.text().nullable(),
  description: field.text(),
  counterAccounts: field.texts('accounts on the other side of the entry'),
  vendorNumber: field.text().nullable(),
  vendorName: field.text().nullable(),
  employee: field.text().nullable(),
  currency: field.text(),
  amountMinor: field.text('minor units of the currency, debit positive'),
  baseMinor: field.text('minor units of the functional currency, debit positive'),
  balanceMinor: field.text('balance of the account in the line’s currency after the line'),
  baseBalanceMinor: field.text(
    'balance of the account in the functional currency, over all currencies, after the line',
  ),
}) {}

export class CurrencyBalanceDto extends shape({
  currency: field.text(),
  balanceMinor: field.text(),
  baseBalanceMinor: field.text(),
}) {}

/** A balance of the account: per currency, and in the functional currency over all of them. */
export class AccountBalanceDto extends shape({
  currencies: field.many(CurrencyBalanceDto),
  baseBalanceMinor: field.text(),
}) {}

/** One page of an account: its lines by posting date, number and line; the drafts of a day come last in it. */
export class AccountLedgerDto extends shapeWith(pageOf(LedgerLineDto), {
  accountCode: field.text(),
  accountName: field.text(),
  accountType: field.text(),
  functionalCurrency: field.text(),
  from: field.day().nullable(),
  to: field.day().nullable(),
  state: field.oneOf<CountedEntries>(['posted', 'all']),
  // Before `from`.
  opening: field.one(AccountBalanceDto),
  // Before the first line of this page.
  broughtForward: field.one(AccountBalanceDto),
  // After the last line of the last page: the trial balance of `to`.
  closing: field.one(AccountBalanceDto),
}) {}
