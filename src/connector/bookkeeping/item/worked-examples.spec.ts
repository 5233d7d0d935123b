import { describe, expect, it } from '@jest/globals';
import {
  baseOf,
  bookOf,
  contextWith,
  currency,
  day,
  fail,
  itemOf,
  linesOf,
  onlyEntry,
  post,
} from './planning.fixtures.js';

// The examples of B8, by number.

const invoiceA17 = {
  invoiceNumber: ' A-17 ',
  invoiceDate: '2026-02-03',
  dueDate: '2026-03-05',
  status: 'ready',
};

describe('worked examples, one entry', () => {
  it.each([
    {
      number: 1,
      item: itemOf({
        type: 'card_purchase',
        amount: '12500',
        lines: [{ amount: '12500', account: '6071', tax: { type: 'inclusive', amount: '2500' } }],
      }),
      lines: ['6071 +10000', '2641 +2500', '1935 -12500'],
    },
    {
      number: 2,
      item: itemOf({
        type: 'card_purchase',
        amount: '10000',
        lines: [
          { amount: '6000', account: '5611', tags: ['CC=100'] },
          { amount: '4000', account: '6110' },
        ],
      }),
      lines: ['5611 +6000 {CC:100}', '6110 +4000', '1935 -10000'],
    },
    {
      number: 3,
      item: itemOf({
        type: 'card_purchase',
        amount: '100000',
        lines: [{ amount: '100000', account: '6540', tax: { type: 'reverse', amount: '25000' } }],
      }),
      lines: ['6540 +100000', '2641 +25000', '2614 -25000', '1935 -100000'],
    },
    {
      number: 4,
      item: itemOf({
        type: 'refund',
        amount: '-5000',
        lines: [{ amount: '-5000', account: '6071', tax: { type: 'inclusive', amount: '-1000' } }],
      }),
      lines: ['1935 +5000', '6071 -4000', '2641 -1000'],
    },
    {
      number: 5,
      item: itemOf({
        type: 'out_of_pocket',
        amount: '8000',
        lines: [{ amount: '8000', net: '6400', account: '7690', tax: { type: 'exclusive', amount: '1600' } }],
      }),
      lines: ['7690 +6400', '2641 +1600', '2890 -8000'],
    },
    {
      number: 6,
      item: itemOf({ type: 'direct_reimbursement', amount: '8000' }),
      lines: ['2890 +8000', '1935 -8000'],
    },
    {
      number: 7,
      item: itemOf({
        type: 'direct_reimbursement',
        subType: 'reimbursement_to_employee_refund',
        amount: '8000',
      }),
      lines: ['1935 +8000', '2890 -8000'],
    },
    {
      number: 8,
      item: itemOf({ type: 'wallet_topup', amount: '500000' }),
      lines: ['1935 +500000', '1930 -500000'],
    },
    {
      number: 9,
      item: itemOf({ type: 'fee', amount: '250', lines: [{ amount: '250', account: null }] }),
      lines: ['6570 +250', '1935 -250'],
      warnings: ['fallback-account'],
    },
    {
      number: 10,
      item: itemOf({
        type: 'card_purchase',
        amount: '3000',
        lines: [
          { amount: '5000', account: '5410' },
          { amount: '-2000', account: '3730' },
        ],
      }),
      lines: ['5410 +5000', '3730 -2000', '1935 -3000'],
    },
    {
      number: 17,
      item: itemOf({
        type: 'card_purchase',
        amount: '-4000',
        lines: [{ amount: '-4000', account: '6071', tax: { type: 'inclusive', amount: '-800' } }],
      }),
      lines: ['1935 +4000', '6071 -3200', '2641 -800'],
    },
    {
      number: 18,
      item: itemOf({
        type: 'refund',
        amount: '100000',
        lines: [{ amount: '100000', account: '6540', tax: { type: 'reverse', amount: '25000' } }],
      }),
      lines: ['1935 +100000', '6540 -100000', '2641 -25000', '2614 +25000'],
    },
    {
      number: 21,
      item: itemOf({
        type: 'card_purchase',
        amount: '10000',
        lines: [{ amount: '10000', account: '6070', tax: { type: 'inclusive', amount: '2000', code: 'HALF' } }],
      }),
      lines: ['6070 +9000', '2641 +1000', '1935 -10000'],
    },
    {
      number: 24,
      item: itemOf({
        type: 'card_purchase',
        amount: '5000',
        lines: [
          { amount: '0', account: '5410' },
          { amount: '5000', account: '6110' },
        ],
      }),
      lines: ['6110 +5000', '1935 -5000'],
    },
    {
      number: 25,
      item: itemOf({ type: 'personal_spend', amount: '1500', employee: 'E-3' }),
      lines: ['2890·E-3 +1500', '1935 -1500'],
    },
  ])('example $number', ({ item, lines, warnings }) => {
    const plan = post(item);
    const entry = onlyEntry(plan);
    expect(entry.role).toBe('entry');
    expect(linesOf(entry)).toEqual(lines);
    expect(entry.lines.map((line) => line.baseMinor)).toEqual(entry.lines.map((line) => line.amountMinor));
    const kinds = plan.warnings.map(({ kind }) => kind).filter((kind) => kind !== 'employee-missing');
    expect(kinds).toEqual(warnings ?? []);
  });
});

describe('worked examples, foreign currency', () => {
  it('example 11: three lines in USD leave a cent for FX rounding', () => {
    const entry = onlyEntry(
      post(
        itemOf({
          type: 'card_purchase',
          amount: '3003',
          currency: 'USD',
          contra: '1936',
          lines: [
            { amount: '1000', account: '5410' },
            { amount: '1001', account: '6110' },
            { amount: '1002', account: '5611' },
          ],
        }),
      ),
    );
    expect(linesOf(entry)).toEqual(['5410 +1000', '6110 +1001', '5611 +1002', '1936 -3003', '3960 0']);
    expect(baseOf(entry)).toEqual(['5410 +912', '6110 +913', '5611 +914', '1936 -2740', '3960 +1']);
    expect(entry.currency).toBe('USD');
    expect(entry.functionalCurrency).toBe('EUR');
  });

  it('example 15: yen have no decimals, wire hundredths do', () => {
    const item = { type: 'card_purchase', amount: '150000', currency: 'JPY', contra: '1937' };
    const entry = onlyEntry(post(itemOf({ ...item, lines: [{ amount: '150000', account: '5800' }] })));
    expect(linesOf(entry)).toEqual(['5800 +1500', '1937 -1500']);
    expect(baseOf(entry)).toEqual(['5800 +915', '1937 -915']);
  });

  it('example 22: tax of 136.36 yen is rounded and the expense absorbs it', () => {
    const tax = { type: 'inclusive', amount: '13636' };
    const item = { type: 'card_purchase', amount: '150000', currency: 'JPY', contra: '1937' };
    const entry = onlyEntry(post(itemOf({ ...item, lines: [{ amount: '150000', account: '5800', tax }] })));
    expect(linesOf(entry)).toEqual(['5800 +1364', '2641 +136', '1937 -1500']);
    expect(baseOf(entry)).toEqual(['5800 +832', '2641 +83', '1937 -915']);
  });

  it('example 23: an invoice at 0.90, paid at 0.93', () => {
    const usd = currency('USD');
    const rates = [
      { from: usd, to: currency('EUR'), date: day('2026-02-10'), rate: '0.90' },
      { from: usd, to: currency('EUR'), date: day('2026-03-10'), rate: '0.93' },
    ];
    const context = contextWith({ rates });
    const shared = {
      amount: '100000',
      currency: 'USD',
      vendor: 'V-8',
      method: 'accounts_payable',
      invoice: invoiceA17,
    };
    const invoice = onlyEntry(post(itemOf({ ...shared, type: 'invoice' }), context));
    expect(linesOf(invoice)).toEqual(['5410 +100000', '2440·V-8 -100000']);
    expect(baseOf(invoice)).toEqual(['5410 +90000', '2440·V-8 -90000']);
    expect([invoice.documentNumber, invoice.settlement]).toEqual(['A-17', undefined]);
    const paid = itemOf({ ...shared, type: 'invoice_payment', date: '2026-03-10T12:00:00Z', contra: '1936' });
    const payment = onlyEntry(post(paid, context));
    expect(linesOf(payment)).toEqual(['2440·V-8 +100000', '1936 -100000']);
    expect(baseOf(payment)).toEqual(['2440·V-8 +93000', '1936 -93000']);
    expect(payment.settlement).toEqual({
      kind: 'settles',
      vendor: { id: 'erp-V-8', code: 'V-8' },
      numbers: ['A-17'],
      currency: 'USD',
      amountMinor: 100000n,
      realizedFx: {
        id: 'acc-7960',
        code: '7960',
        decision: { by: 'setting', setting: 'Realized FX gain/loss' },
      },
    });
  });
});

describe('worked examples, accounts payable', () => {
  const vendor7 = { amount: '62500', vendor: 'V-7', method: 'accounts_payable', invoice: invoiceA17 };

  it('example 12: an invoice is left open with number and dates', () => {
    const tax = { type: 'exclusive', amount: '12500' };
    const lines = [{ amount: '62500', net: '50000', account: '4010', tax }];
    const entry = onlyEntry(post(itemOf({ ...vendor7, type: 'invoice', lines })));
    expect(entry.role).toBe('invoice');
    expect(linesOf(entry)).toEqual(['4010 +50000', '2641 +12500', '2440·V-7 -62500']);
    expect(entry.documentNumber).toBe('A-17');
    expect(entry.documentDate).toBe('2026-02-03');
    expect(entry.dueDate).toBe('2026-03-05');
    expect(entry.postingDate).toBe('2026-02-10');
    expect(entry.settlement).toBeUndefined();
  });

  it('example 13: its payment settles it', () => {
    const entry = onlyEntry(post(itemOf({ ...vendor7, type: 'invoice_payment' })));
    expect(entry.role).toBe('payment');
    expect(linesOf(entry)).toEqual(['2440·V-7 +62500', '1935 -62500']);
    expect(entry.settlement).toEqual({
      kind: 'settles',
      vendor: { id: 'erp-V-7', code: 'V-7' },
      numbers: ['A-17'],
      currency: 'EUR',
      amountMinor: 62500n,
    });
  });

  it('example 14: a card purchase is invoice and payment on the vendor’s own payables account', () => {
    const plan = post(itemOf({ type: 'card_purchase', amount: '9900', vendor: 'V-9', method: 'accounts_payable' }));
    expect(bookOf(plan)).toEqual(['invoice: 5410 +9900 · 2441·V-9 -9900', 'payment: 2441·V-9 +9900 · 1935 -9900']);
    expect(plan.entries.map((entry) => entry.settlement)).toEqual([
      undefined,
      {
        kind: 'within',
        vendor: { id: 'erp-V-9', code: 'V-9' },
        numbers: ['R-1'],
        currency: 'EUR',
        amountMinor: 9900n,
      },
    ]);
  });

  it('example 19: an employee paid a supplier', () => {
    const plan = post(
      itemOf({
        type: 'out_of_pocket',
        amount: '12000',
        vendor: 'V-7',
        method: 'accounts_payable',
        employee: 'E-3',
      }),
    );
    expect(bookOf(plan)).toEqual([
      'invoice: 5410 +12000 · 2440·V-7 -12000',
      'payment: 2440·V-7 +12000 · 2890·E-3 -12000',
    ]);
    expect(plan.entries.map((entry) => entry.settlement)).toEqual([
      undefined,
      {
        kind: 'within',
        vendor: { id: 'erp-V-7', code: 'V-7' },
        numbers: ['R-1'],
        currency: 'EUR',
        amountMinor: 12000n,
      },
    ]);
  });

  it('example 20: a returned payment opens the invoice again', () => {
    const entry = onlyEntry(post(itemOf({ ...vendor7, type: 'invoice_payment', subType: 'invoice_payment_returned' })));
    expect(entry.role).toBe('receipt');
    expect(linesOf(entry)).toEqual(['1935 +62500', '2440·V-7 -62500']);
    expect(entry.settlement).toEqual({
      kind: 'reopens',
      vendor: { id: 'erp-V-7', code: 'V-7' },
      numbers: ['A-17'],
      currency: 'EUR',
      amountMinor: 62500n,
    });
  });
});

describe('worked examples, failures', () => {
  it('example 16: a cent is missing', () => {
    const plan = fail(itemOf({ type: 'card_purchase', amount: '1000', lines: [{ amount: '999', account: '5410' }] }));
    expect(plan.failureType).toBe('validation_failure');
    expect(plan.message).toBe(
      'The lines add up to 9.99, the entry is 10.00 (0.01 missing). Correct the split on the platform.',
    );
  });

  it('example 26: the contra account is not in the ERP', () => {
    const plan = fail(itemOf({ type: 'card_purchase', amount: '2000', contra: '1999' }));
    expect(plan.failureType).toBe('account_unknown');
    expect(plan.message).toBe(
      'The contra account 1999 (Name of 1999) of the wallet is not active in the accounting system: create or activate it there, or choose another contra account on the platform.',
    );
  });
});
