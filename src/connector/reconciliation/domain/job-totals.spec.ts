import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ExportItem } from '../../bookkeeping/item/export-item.js';
import type { PlannedEntry } from '../../bookkeeping/item/posting-plan.js';
import { currency, itemOf, post } from '../../bookkeeping/item/planning.fixtures.js';
import { planItem } from '../../bookkeeping/item/plan-item.js';
import {
  MAX_LINES,
  randomContext,
  randomItemOf,
  TYPE_ROWS,
  type Code,
} from '../../bookkeeping/item/random-items.fixtures.js';
import { amountOfItem } from './evidence.js';
import { entryTotal, JobTotals } from './job-totals.js';

const EUR = currency('EUR');
const USD = currency('USD');
const euros = (minor: bigint) => ({ currency: EUR, minor });

function totalOf(item: ExportItem, entries: readonly PlannedEntry[]) {
  const amount = amountOfItem(item.amount.inWalletCurrency);
  return amount && entryTotal(amount, entries);
}

describe('the expense debits of an entry', () => {
  const invoice = { invoiceNumber: 'A-17', invoiceDate: '2026-02-03', dueDate: null, status: 'ready' };
  const payable = { vendor: 'V-7', method: 'accounts_payable', amount: '62500', invoice };
  const inYen = { amount: '150000', currency: 'JPY', contra: '1937' };
  const inDollars = { currency: 'USD', contra: '1936' };
  it.each([
    [1, 'card_purchase', { amount: '12500', lines: [tax('12500', 'inclusive', '2500')] }, 12_500n],
    [3, 'card_purchase', { amount: '100000', lines: [tax('100000', 'reverse', '25000')] }, 100_000n],
    [4, 'refund', { amount: '-5000', lines: [tax('-5000', 'inclusive', '-1000')] }, 5_000n],
    [5, 'out_of_pocket', { amount: '8000', lines: [tax('8000', 'exclusive', '1600', '6400')] }, 8_000n],
    [6, 'direct_reimbursement', { amount: '8000' }, 8_000n],
    [8, 'wallet_topup', { amount: '500000' }, 500_000n],
    [9, 'fee', { amount: '250', lines: [{ amount: '250', account: null }] }, 250n],
    [10, 'card_purchase', { amount: '3000', lines: [own('5000'), own('-2000', '3730')] }, 3_000n],
    [11, 'card_purchase', { ...inDollars, amount: '3003', lines: [own('1000'), own('2003')] }, 3_003n],
    [12, 'invoice', { ...payable, lines: [tax('62500', 'exclusive', '12500', '50000')] }, 62_500n],
    [13, 'invoice_payment', payable, 62_500n],
    [14, 'card_purchase', { amount: '9900', vendor: 'V-9', method: 'accounts_payable' }, 9_900n],
    [15, 'card_purchase', { ...inYen, lines: [own('150000', '5800')] }, 1_500n],
    [17, 'card_purchase', { amount: '-4000', lines: [tax('-4000', 'inclusive', '-800')] }, 4_000n],
    [18, 'refund', { amount: '100000', lines: [tax('100000', 'reverse', '25000')] }, 100_000n],
    [19, 'out_of_pocket', { ...payable, employee: 'E-3' }, 62_500n],
    [20, 'invoice_payment', { ...payable, subType: 'invoice_payment_returned' }, 62_500n],
    [22, 'card_purchase', { ...inYen, lines: [tax('150000', 'inclusive', '13636')] }, 1_500n],
    [24, 'card_purchase', { amount: '5000', lines: [own('0'), own('5000', '6110')] }, 5_000n],
    [25, 'personal_spend', { amount: '1500', employee: 'E-3' }, 1_500n],
  ])('of worked example %i, %s, are its amount', (_, type, text, minor) => {
    const item = itemOf({ ...text, type });
    const total = totalOf(item, post(item).entries);
    expect([total?.item.minor, total?.booked.minor]).toEqual([minor, minor]);
    expect(total?.booked.currency).toBe(item.amount.inWalletCurrency.currency);
  });

  it('are the amount of every item that is booked', () => {
    let booked = 0;
    fc.assert(
      fc.property(randomItems, ({ item }) => {
        const plan = planItem(item, randomContext);
        if (plan.outcome !== 'post') return;
        booked += 1;
        const total = totalOf(item, plan.entries);
        expect(total?.booked).toEqual(total?.item);
      }),
      { numRuns: 500 },
    );
    expect(booked).toBeGreaterThan(300);
  });

  it('are unknown where the connector has not planned the entry', () => {
    const found = { role: 'entry', currency: EUR, lines: [{ account: {}, amountMinor: '100' }] } as const;
    expect([entryTotal(euros(100n), [found]), entryTotal(euros(100n), [])]).toEqual([undefined, undefined]);
  });
});

describe('the totals of a job', () => {
  it('are compared currency by currency', () => {
    const totals = new JobTotals();
    expect(totals.differing()).toEqual([]);
    totals.add({ item: euros(100n), booked: euros(100n) });
    totals.add({ item: { currency: USD, minor: 50n }, booked: { currency: USD, minor: 70n } });
    expect(totals.differing()).toEqual([{ currency: USD, itemsMinor: 50n, bookedMinor: 70n }]);
  });

  it('differ in both currencies when an item is booked in another one', () => {
    const totals = new JobTotals();
    totals.add({ item: euros(100n), booked: { currency: USD, minor: 100n } });
    expect(totals.differing()).toEqual([
      { currency: EUR, itemsMinor: 100n, bookedMinor: 0n },
      { currency: USD, itemsMinor: 0n, bookedMinor: 100n },
    ]);
  });
});

function own(amount: string, account = '5410') {
  return { amount, account };
}

function tax(amount: string, type: string, taxed: string, net = amount) {
  return { amount, net, account: '6071', tax: { type, amount: taxed } };
}

const randomItems = fc
  .record({
    row: fc.constantFrom(...TYPE_ROWS),
    code: fc.constantFrom<Code>('EUR', 'USD', 'JPY', 'KWD'),
    method: fc.constantFrom('journal', 'none', 'accounts_payable', null),
    vendor: fc.constantFrom('V-7', 'V-9', 'E-3', undefined),
    reconciledEntries: fc.constantFrom([], ['R-7']),
    drafts: fc.array(
      fc.record({
        minor: fc.integer({ min: -5_000_000, max: 5_000_000 }),
        tax: fc.constantFrom('none', 'inclusive', 'exclusive', 'reverse'),
        taxTenths: fc.constantFrom(0, 10, 2_500),
        taxCode: fc.constantFrom('25', 'HALF', 'NONE'),
      }),
      { minLength: 1, maxLength: MAX_LINES },
    ),
  })
  .map(randomItemOf);
