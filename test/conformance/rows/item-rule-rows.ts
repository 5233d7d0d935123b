import type { ConformanceRow } from '../conformance-row.js';
import { euros, item } from '../export-item.js';
import type { Platform } from '../platform.js';
import { RICH_ITEM } from '../rich-item.js';

const rich = (change: object) => ({ ...RICH_ITEM, ...change });
const line = (change: object) =>
  item(1, { accountingEntryLines: [{ lineAmount: euros(1), netAmount: euros(1), ...change }] });
const more = (change: object, type = 'card_purchase') =>
  item(1, { type, additionalInformation: { reconciliationId: 'book-1', ...change } });
const money = (value: number, currency: string) => item(value, {}, currency);
const VENDOR = { id: '7b0c6f1e-52d4-4d8e-9d53-1f2f3c1a0012', name: 'Paper Ltd', defaultCurrency: 'EUR' };
const CONTRA = { id: VENDOR.id, name: 'EUR wallet', code: '1010', identifier: null };
const INVOICE = { invoiceNumber: 'A-1', invoiceDate: '2026-04-22', status: 'paid' };

/** What is never in an item, beside what may be: an item of each. */
const RULES: readonly (readonly [fact: string, source: string, never: object, mayBe: object])[] = [
  ['the type of an item is one of the list', 'P1.8', item(1, { type: 'gift' }), item(1, { type: 'fee' })],
  [
    'the date of an item is a time to the second, in UTC',
    'P0.1, P1.8',
    item(1, { date: '2025-12-10T15:46:34.123+01:00' }),
    item(1, { date: '2025-12-10T15:46:34Z' }),
  ],
  [
    'an amount is of both currencies',
    'P1.8',
    item(1, { amount: { inWalletCurrency: { currency: 'EUR', value: 1 } } }),
    item(1),
  ],
  ['a currency is a code of ISO 4217', 'P1.8', money(1, 'EURO'), money(1, 'DEM')],
  ['a currency may be UNDEFINED', 'P1.8', money(1, 'NONE'), money(1, 'UNDEFINED')],
  [
    'a fraction of a hundredth is of currencies with a smaller unit only',
    'P12 (money)',
    money(123.4, 'EUR'),
    money(123.4, 'KWD'),
  ],
  [
    'a country is one of the list, or UNDEFINED',
    'P1.8, P13',
    rich({ supplier: { name: 'PAPER', country: 'DNK' } }),
    rich({ supplier: { name: 'PAPER', country: 'UNDEFINED' } }),
  ],
  [
    'what accounts payable is owed to is named',
    'P1.8 (BookkeepingMethod)',
    item(1, { bookkeeping: { method: 'accounts_payable' }, vendor: null }),
    item(1, { bookkeeping: { method: 'accounts_payable' }, vendor: VENDOR }),
  ],
  [
    'a vendor has an id, a name and a currency',
    'P1.8',
    rich({ vendor: { id: VENDOR.id, name: 'Paper Ltd' } }),
    rich({ vendor: VENDOR }),
  ],
  [
    'a contra account is of an item that impacts the balance',
    'P1.8',
    item(1, { type: 'mileage', contraAccount: CONTRA }),
    item(1, { type: 'fee', contraAccount: CONTRA }),
  ],
  ['a user has an id in version 3', 'P1.9', rich({ user: { id: null, name: 'Ida' } }), rich({ user: null })],
  ['an account of a line has an id', 'P1.8', line({ account: { name: 'Travel' } }), line({ account: null })],
  [
    'a tag has an id, a code and the code of its group',
    'P1.8',
    line({ tags: [{ code: 'x' }] }),
    line({ tags: [null] }),
  ],
  [
    'a tax has an amount, an id, a rate and a type',
    'P1.8',
    line({ tax: { id: VENDOR.id, rate: 0.2, type: 'inclusive' } }),
    line({ tax: { id: VENDOR.id, rate: 0.2, type: 'inclusive', amount: euros(1) } }),
  ],
  [
    'an item may be without lines',
    'P13',
    item(1, { accountingEntryLines: null }),
    item(1, { accountingEntryLines: [] }),
  ],
  [
    'a file has a size, a type and an address',
    'P13',
    rich({ files: [{ url: 'https://files.example/1.pdf' }] }),
    rich({ files: [null] }),
  ],
  [
    'reconciled entries are of reimbursements only',
    'P1.8',
    more({ reconciledEntries: ['book-2'] }),
    more({ reconciledEntries: ['book-2'] }, 'direct_reimbursement'),
  ],
  [
    'reconciled entries stand once each',
    'P1.8',
    more({ reconciledEntries: ['book-2', 'book-2'] }, 'direct_reimbursement'),
    more({ reconciledEntries: ['book-2', null] }, 'direct_reimbursement'),
  ],
  [
    'invoice data is of invoices only',
    'P9.6',
    more({ invoiceInformation: INVOICE }),
    more({ invoiceInformation: INVOICE }, 'invoice'),
  ],
  [
    'the dates of an invoice are days or times',
    'P1.8',
    more({ invoiceInformation: { ...INVOICE, invoiceDate: '22.04.2026' } }, 'invoice'),
    more({ invoiceInformation: { ...INVOICE, invoiceDate: '2026-04-22T00:00:00Z' } }, 'invoice'),
  ],
  ['an attendee may be null', 'P13', more({ attendees: [1] }), more({ attendees: ['Ida', null] })],
];

/** A simulator that is asked for what is documented lets no client add what the platform could never send. */
export const ITEM_RULE_ROWS: readonly ConformanceRow[] = RULES.map(([fact, source, never, mayBe]) => ({
  fact,
  source,
  needs: 'sandbox' as const,
  observe: async ({ sandbox }: Platform) => {
    const companyId = await (await sandbox.customer()).companyId();
    return [await sandbox.refusesItem(companyId, never), await sandbox.refusesItem(companyId, mayBe)];
  },
  expected: [true, false],
}));
