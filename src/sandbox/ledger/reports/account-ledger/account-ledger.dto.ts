import type { ResponseFormat } from '../../http/response-format.js';
import { Counted, OptionalDay, type CountedEntries } from '../../http/field.js';
import { pageOf, PageQuery } from '../../http/page.js';
import { Format } from '../../http/tabular-response.js';
import { day, many, nullable, number, one, oneOf, shape, text, texts, uuid } from '../../http/shape.js';

export class AccountLedgerQuery extends PageQuery {
  /** First posting date wanted; from the start when absent. */
  @OptionalDay()
  readonly from?: string;

  /** Last posting date wanted, included; to the end when absent. */
  @OptionalDay()
  readonly to?: string;

  @Counted()
  readonly state: CountedEntries = 'posted';

  @Format()
  readonly format?: ResponseFormat;
}

export class LedgerLineDto extends shape({
  postingDate: day(),
  entryId: uuid(),
  number: nullable(text({ example: '2026-000017', description: 'null for a draft' })),
  lineNo: number(),
  state: oneOf(['draft', 'posted', 'reversed']),
  role: text(),
  documentDate: nullable(day()),
  documentNumber: nullable(text()),
  description: text(),
  counterAccounts: texts({ description: 'accounts on the other side of the entry' }),
  vendorNumber: nullable(text()),
  vendorName: nullable(text()),
  employee: nullable(text()),
  currency: text(),
  amountMinor: text({ description: 'minor units of the currency, debit positive' }),
  baseMinor: text({ description: 'minor units of the functional currency, debit positive' }),
  balanceMinor: text({ description: 'balance of the account in the line’s currency after the line' }),
  baseBalanceMinor: text({
    description: 'balance of the account in the functional currency, over all currencies, after the line',
  }),
}) {}

export class CurrencyBalanceDto extends shape({
  currency: text(),
  balanceMinor: text(),
  baseBalanceMinor: text(),
}) {}

/** A balance of the account: per currency, and in the functional currency over all of them. */
export class AccountBalanceDto extends shape({
  currencies: many(CurrencyBalanceDto),
  baseBalanceMinor: text(),
}) {}

/** One page of an account: its lines by posting date, number and line; the drafts of a day come last in it. */
export class AccountLedgerDto extends shape(
  {
    accountCode: text(),
    accountName: text(),
    accountType: text(),
    functionalCurrency: text(),
    from: nullable(day()),
    to: nullable(day()),
    state: oneOf<CountedEntries>(['posted', 'all']),
    // Before `from`.
    opening: one(AccountBalanceDto),
    // Before the first line of this page.
    broughtForward: one(AccountBalanceDto),
    // After the last line of the last page: the trial balance of `to`.
    closing: one(AccountBalanceDto),
  },
  pageOf(LedgerLineDto),
) {}
