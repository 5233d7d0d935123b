// Items of an expense platform with what they come to in the books, in minor units of a functional currency of two digits.
// The figures are written down, not computed: planner, adapter and ERP have to come to the same.
import type { DualAmount, ExportItem, ItemLine, ItemTag } from '../connector/bookkeeping/item/export-item.js';
import type { KnownCompany } from './harness.js';

export interface DemoItem {
  readonly item: ExportItem;
  /** Debit positive; accounts that are left out come to nothing. */
  readonly base: { readonly expense?: bigint; readonly wallet?: bigint; readonly payables?: bigint };
}

interface Draft {
  readonly type: string;
  /** Hundredths of the main unit; of each line one. */
  readonly lines: readonly string[];
  readonly total: string;
  readonly currency?: string;
  /** Whether the first line has the company's dimension value. */
  readonly isTagged?: boolean;
  readonly method?: string;
  readonly invoiceNumber?: string;
  readonly hasVendor?: boolean;
}

const MANY = 40;

/** Units of the functional currency for one unit, on every day of the demo books. */
export const DEMO_RATES = { USD: '0.9123', JPY: '0.0061', KWD: '2.9871' };

/**
 * @param currencies those that the company takes postings in; of USD, JPY and KWD there are items
 * @param newId gives each item its ids
 */
export function demoItems(
  company: KnownCompany,
  currencies: readonly string[],
  newId: () => string,
): readonly DemoItem[] {
  const item = (draft: Draft, base: DemoItem['base']): DemoItem => ({ item: itemOf(company, draft, newId), base });
  const ofVendor = { hasVendor: true, method: 'accounts_payable' };
  const invoiceNumber = `D-${newId()}`;
  const own = [
    item({ type: 'card_purchase', total: '12500', lines: ['12500'] }, { expense: 12_500n, wallet: -12_500n }),
    item(
      { type: 'card_purchase', total: '10000', lines: ['6000', '4000'], isTagged: true },
      { expense: 10_000n, wallet: -10_000n },
    ),
    item({ type: 'refund', total: '-5000', lines: ['-5000'] }, { expense: -5_000n, wallet: 5_000n }),
    item({ type: 'fee', total: '1501', lines: ['1501'] }, { expense: 1_501n, wallet: -1_501n }),
    item({ type: 'cashback', total: '333', lines: ['333'] }, { expense: -333n, wallet: 333n }),
    item(
      { type: 'invoice', total: '20000', lines: ['20000'], ...ofVendor, invoiceNumber },
      { expense: 20_000n, payables: -20_000n },
    ),
    item(
      { type: 'invoice_payment', total: '20000', lines: ['20000'], ...ofVendor, invoiceNumber },
      { payables: 20_000n, wallet: -20_000n },
    ),
    item(
      { type: 'card_purchase', total: '9900', lines: ['9900'], ...ofVendor, invoiceNumber: `D-${newId()}` },
      { expense: 9_900n, wallet: -9_900n },
    ),
    ...Array.from({ length: MANY }, (_, index) => {
      const cents = (index + 1) * 101;
      const minor = BigInt(cents);
      return item(
        { type: 'card_purchase', total: cents.toString(), lines: [cents.toString()] },
        { expense: minor, wallet: -minor },
      );
    }),
  ];
  const foreign = [
    // 33.33 × 0.9123 is 30.41; three lines of 11.11 are 10.14 each, so that a cent goes to a line without an amount.
    item(
      { type: 'card_purchase', total: '3333', lines: ['1111', '1111', '1111'], currency: 'USD' },
      { expense: 3_041n, wallet: -3_041n },
    ),
    item(
      { type: 'card_purchase', total: '150000', lines: ['150000'], currency: 'JPY' },
      { expense: 915n, wallet: -915n },
    ),
    item(
      { type: 'card_purchase', total: '123.4', lines: ['123.4'], currency: 'KWD' },
      { expense: 369n, wallet: -369n },
    ),
  ];
  return [...own, ...foreign.filter(({ item: { amount } }) => currencies.includes(amount.inWalletCurrency.currency))];
}

function itemOf(company: KnownCompany, draft: Draft, newId: () => string): ExportItem {
  const { functionalCurrency, accounts, dimension, vendor, openDay } = company;
  const { type, total, currency = functionalCurrency, method, invoiceNumber, hasVendor = false } = draft;
  const dual = (value: string): DualAmount => ({
    inSupplierCurrency: { currency, value },
    inWalletCurrency: { currency, value },
  });
  const tag: ItemTag = { id: newId(), groupCode: dimension.dimension, code: dimension.value };
  const line = (value: string, index: number): ItemLine => ({
    accountingEntryLineId: newId(),
    lineAmount: dual(value),
    netAmount: dual(value),
    account: { id: 'expense', code: accounts.expense },
    tags: draft.isTagged === true && index === 0 ? [tag] : [],
  });
  return {
    accountingEntryId: newId(),
    type,
    date: openDay,
    amount: dual(total),
    note: `${type} of the demo books`,
    accountingEntryLines: draft.lines.map(line),
    bookkeeping: { method: method ?? 'journal' },
    ...(hasVendor && { vendor: { id: newId(), name: vendor, code: vendor } }),
    additionalInformation: {
      reconciliationId: newId(),
      ...(invoiceNumber !== undefined && {
        invoiceInformation: { invoiceNumber, invoiceDate: openDay, status: 'ready' },
      }),
    },
  };
}
