// Export items of a company that there is not, and what is known of its ERP: purchases with and without tax, in another currency and on
// two lines, as nearly all items are.
import { parseCurrency } from '../../../kernel/currency.js';
import { Bug } from '../../../kernel/faults.js';
import { toErpAccountId, toErpTaxCodeId } from '../../../kernel/ids.js';
import { parseLocalDate } from '../../../kernel/local-date.js';
import { indexContext, type BookkeepingContext } from '../../bookkeeping/item/bookkeeping-context.js';

const DAY = '2026-10-02';

/** Hundredths of the currency, as the platform sends amounts. */
const amount = (value: number, original = { currency: 'EUR', value }) => ({
  inSupplierCurrency: original,
  inWalletCurrency: { currency: 'EUR', value },
});

const taxed = (value: number, tax: number) => ({
  accountingEntryLineId: 'line-1',
  lineAmount: amount(value),
  netAmount: amount(value - tax),
  account: { id: 'account-1', name: 'Office supplies', code: '6000' },
  tags: [{ id: 'tag-1', code: '100', groupCode: 'CC' }],
  tax: { id: 'tax-1', code: 'S25', rate: 0.25, type: 'inclusive', amount: amount(tax) },
});

const untaxed = (id: string, value: number, code: string) => ({
  accountingEntryLineId: id,
  lineAmount: amount(value),
  netAmount: amount(value),
  account: { id: code, name: 'Travel', code },
  tags: [],
  tax: null,
});

const purchases = [
  { amount: amount(12_500), accountingEntryLines: [taxed(12_500, 2_500)] },
  { amount: amount(3_999), accountingEntryLines: [taxed(3_999, 800)] },
  {
    amount: amount(9_213, { currency: 'USD', value: 10_000 }),
    accountingEntryLines: [untaxed('line-1', 6_000, '6100'), untaxed('line-2', 3_213, '6000')],
  },
];

/** @param count at most 100. @returns a page of the platform's list, as text */
export function samplePage(count: number): string {
  const data = Array.from({ length: count }, (_, index) => ({
    accountingEntryId: `00000000-0000-4000-8000-${index.toString().padStart(12, '0')}`,
    companyId: '00000000-0000-4000-8000-000000000000',
    type: 'card_purchase',
    subType: null,
    date: `${DAY}T10:${(index % 60).toString().padStart(2, '0')}:00Z`,
    note: `Purchase ${index.toString()}`,
    bookkeeping: { method: 'journal' },
    supplier: { name: 'Paper & Ink' },
    user: { id: 'user-1', name: 'Sample', code: '1' },
    vendor: null,
    files: null,
    servicePeriod: null,
    additionalInformation: { reconciliationId: `R-${index.toString()}` },
    ...purchases[index % purchases.length],
  }));
  return JSON.stringify({ data, pagination: { hasNextPage: false, hasPreviousPage: false, endCursor: null } });
}

/** The company's accounts, taxes and settings: each item of `samplePage` can be posted. */
export function sampleContext(): BookkeepingContext {
  const day = known(parseLocalDate(DAY));
  return indexContext({
    functionalCurrency: known(parseCurrency('EUR')),
    timeZone: 'Europe/Copenhagen',
    descriptionLimit: 500,
    accounts: ['1000', '2000', '6000', '6100'].map((code) => ({
      externalId: toErpAccountId(`account-${code}`),
      code,
      name: code,
      active: true,
    })),
    taxCodes: [{ externalId: toErpTaxCodeId('tax-1'), code: 'S25', name: '25 %', active: true, inputAccount: '2000' }],
    dimensions: [{ code: 'CC', active: true, values: [{ code: '100', active: true }] }],
    vendors: [],
    periods: [{ name: DAY, from: day, to: day, open: true }],
    rates: [],
    settings: { wallets: { EUR: '1000' }, companyBankByCurrency: {}, fallbackAccounts: {} },
    policies: {
      unknownVendor: 'fail',
      closedPeriod: 'fail',
      postingState: 'posted',
      conflicts: 'fail',
      receipts: 'post-without',
      reversedInErp: 'fail',
    },
    rules: [],
    mappingVersion: 1,
  });
}

function known<T>(value: T | undefined): T {
  if (value === undefined) {
    throw new Bug('the sample export is not valid');
  }
  return value;
}
