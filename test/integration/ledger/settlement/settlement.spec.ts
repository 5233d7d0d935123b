import { beforeEach, describe, expect, it } from '@jest/globals';
import { startLedger } from '../ledger-harness.js';
import {
  codesOf,
  creditNote,
  dollars,
  invoice,
  messagesOf,
  type Outcomes,
  Payables,
  payment,
  purchase,
  refund,
  returned,
} from '../payables.js';
import { startedOnce } from '../../../support/started-once.js';

// What vendors' entries do to each other in the books (B3.7, and the examples of B8).

const ledger = startedOnce(startLedger);
let books: Payables;

beforeEach(async () => {
  books = await Payables.open(ledger);
});

const A17 = invoice('#12', 'A-17', 62_500, { against: '4010' });
const PAID = payment('#13', ['A-17'], 62_500);
const BACK = returned('#20', ['A-17'], 62_500, { postingDate: '2026-04-02' });

describe('the worked examples', () => {
  it('13: a later payment settles the invoice', async () => {
    const outcomes = await books.createdOneByOne(A17, PAID);
    expect(codesOf(outcomes)).toEqual([[], []]);
    expect(await books.open()).toEqual({});
    expect(await books.settlements()).toEqual([['#13', '#12', '62500', '62500', '62500', '2026-03-20', 'made']]);
    expect(await books.balances()).toEqual({ '1935': '-62500', '4010': '62500' });
  });

  it('14: a card purchase of a vendor with an own account is settled at once', async () => {
    const outcomes = await books.createdOneByOne(
      purchase('#14', 'R-14', 9_900, { vendorNumber: 'V-9', payable: '2441' }),
    );
    expect(codesOf(outcomes)).toEqual([[]]);
    expect(await books.open()).toEqual({});
    expect(await books.settlements()).toEqual([['#14', '#14', '9900', '9900', '9900', '2026-03-20', 'made']]);
    expect(await books.balances()).toEqual({ '1935': '-9900', '5410': '9900' });
  });

  it('19: an employee pays a supplier', async () => {
    await books.createdOneByOne(purchase('#19', 'R-19', 12_000, { against: '2890', employee: 'E-3' }));
    expect(await books.open()).toEqual({});
    expect(await books.settlements()).toHaveLength(1);
    expect(await books.balances()).toEqual({ '2890': '-12000', '5410': '12000' });
  });

  it('20: the payment is returned, and the invoice is reopened', async () => {
    const outcomes = await books.createdOneByOne(A17, PAID, BACK);
    expect(codesOf(outcomes)).toEqual([[], [], ['partly-settled']]);
    expect(await books.open()).toEqual({ '#12 invoice': ['-62500', '-62500'] });
    expect(await books.settlements()).toEqual([
      ['#13', '#12', '62500', '62500', '62500', '2026-03-20', 'made'],
      ['#13', '#12', '-62500', '-62500', '-62500', '2026-04-02', 'undone'],
      ['#13', '#20', '62500', '62500', '62500', '2026-04-02', 'made'],
    ]);
  });

  it('23: the exchange difference is realized at settlement, in base only', async () => {
    await books.createdOneByOne(
      invoice('bought', 'U-1', 100_000, dollars(90_000)),
      payment('paid', ['U-1'], 100_000, dollars(93_000, { against: '1936' })),
    );
    expect(await books.linesOf('realized-fx')).toEqual([
      ['paid', '2026-03-20', '7960', null, '0', '3000'],
      ['paid', '2026-03-20', '2440', 'V-8', '0', '-3000'],
    ]);
    expect(await books.open()).toEqual({});
    expect(await books.settlements()).toEqual([['paid', 'bought', '100000', '93000', '90000', '2026-03-20', 'made']]);
    expect(await books.balances()).toEqual({ '1936': '-93000', '5410': '90000', '7960': '3000' });
  });
});

/** All orders of some things. */
const ordersOf = <T>(things: readonly T[]): readonly (readonly T[])[] =>
  things.length <= 1
    ? [things]
    : things.flatMap((first) => ordersOf(things.filter((each) => each !== first)).map((rest) => [first, ...rest]));

const NAMES: Readonly<Record<string, object>> = { invoice: A17, payment: PAID, return: BACK };

describe.each(ordersOf(Object.keys(NAMES)).map((names) => names.join(', ')))(
  'invoice, payment and return: %s',
  (order) => {
    const groups = order.split(', ').map((name) => NAMES[name] ?? {});
    const end = { '#12 invoice': ['-62500', '-62500'] };

    it('in one request leave only the invoice open', async () => {
      const outcomes = await books.created(...groups);
      expect(await books.open()).toEqual(end);
      expect(codesOf(outcomes)).toEqual([[], [], []]);
      expect(await books.settlements()).toHaveLength(1);
    });

    it('in three requests leave only the invoice open', async () => {
      await books.createdOneByOne(...groups);
      expect(await books.open()).toEqual(end);
    });

    it('as drafts that are posted one after the other leave only the invoice open', async () => {
      const drafts = [
        invoice('#12', 'A-17', 62_500, { state: 'draft' }),
        payment('#13', ['A-17'], 62_500, { state: 'draft' }),
        returned('#20', ['A-17'], 62_500, { state: 'draft' }),
      ];
      const made = await books.created(...drafts);
      expect(await books.open()).toEqual({});
      const ids = new Map(Object.keys(NAMES).map((name, index) => [name, made[index]?.entries?.[0]?.id]));
      for (const name of order.split(', ')) {
        await books.call('POST', '/journal-entries:post', { entryIds: [ids.get(name)] });
      }
      expect(await books.open()).toEqual(end);
    });
  },
);

describe('drafts', () => {
  const post = (...entryIds: readonly unknown[]) => books.call<Outcomes>('POST', '/journal-entries:post', { entryIds });

  it.each([
    ['invoice first', [0, 1]],
    ['payment first', [1, 0]],
  ])('of one group are settled when both are posted, in any order of numbers: %s', async (_, order) => {
    const [made] = await books.created(purchase('d', '', 9_900, { state: 'draft', documentNumber: null }));
    expect(await books.open()).toEqual({});
    const ids = order.map((index) => made?.entries?.[index]?.id);
    expect((await post(ids[0])).body.outcomes).toMatchObject([{ outcome: 'posted', warnings: [] }]);
    expect(Object.keys(await books.open())).toEqual([order[0] === 0 ? 'd invoice' : 'd payment']);
    expect((await post(ids[1])).body.outcomes).toMatchObject([{ outcome: 'posted', warnings: [] }]);
    expect(await books.open()).toEqual({});
  });

  it('that are posted report what stays open, also in a later request with the key', async () => {
    const [made] = await books.created(payment('p', ['A-17'], 62_500, { state: 'draft' }));
    expect(made?.warnings).toEqual([]);
    const warnings = [
      {
        code: 'left-open',
        message: '625.00 EUR of the payment stay open on vendor V-7: no open document A-17 in EUR.',
      },
    ];
    expect((await post(made?.entries?.[0]?.id)).body.outcomes).toMatchObject([{ warnings }]);
    const { body } = await books.call('POST', '/posting-groups:lookup', { keys: ['p'] });
    expect(body).toMatchObject({ data: [{ key: 'p', warnings }] });
  });
});

describe('a payment of invoices', () => {
  it('before its invoice is left open with a warning, and settled when the invoice comes', async () => {
    const [paid] = await books.createdOneByOne(PAID);
    expect(messagesOf([paid ?? {}])).toEqual([
      '625.00 EUR of the payment stay open on vendor V-7: no open document A-17 in EUR.',
    ]);
    expect(await books.open()).toEqual({ '#13 payment': ['62500', '62500'] });
    expect(codesOf(await books.createdOneByOne(A17))).toEqual([[]]);
    expect(await books.open()).toEqual({});
    expect(await books.settlements()).toEqual([['#13', '#12', '62500', '62500', '62500', '2026-03-20', 'made']]);
  });

  it('in part leaves the rest of the invoice open with a warning', async () => {
    const outcomes = await books.createdOneByOne(A17, payment('p', ['A-17'], 20_000));
    expect(messagesOf(outcomes)).toEqual(['425.00 EUR of invoice A-17 of vendor V-7 are open.']);
    expect(codesOf(outcomes)).toEqual([[], ['partly-settled']]);
    expect(await books.open()).toEqual({ '#12 invoice': ['-42500', '-42500'] });
  });

  it('over the amount stays open with the rest', async () => {
    const outcomes = await books.createdOneByOne(A17, payment('p', ['A-17'], 70_000));
    expect(codesOf(outcomes)).toEqual([[], ['left-open']]);
    expect(await books.open()).toEqual({ 'p payment': ['7500', '7500'] });
  });

  it('in three uneven parts leaves nothing open, not even in base', async () => {
    await books.createdOneByOne(
      invoice('i', 'U-1', 10_000, dollars(8_999)),
      payment('p', ['U-1'], 3_333, dollars(3_000)),
      payment('q', ['U-1'], 3_333, dollars(3_000)),
      payment('r', ['U-1'], 3_334, dollars(3_000)),
    );
    expect(await books.open()).toEqual({});
    expect(await books.balances()).toEqual({ '1935': '-9000', '5410': '8999', '7960': '1' });
  });

  it('settles the older of two invoices with one number', async () => {
    const outcomes = await books.createdOneByOne(
      invoice('i', 'A-17', 10_000),
      invoice('j', 'A-17', 10_000),
      payment('p', ['A-17'], 10_000),
    );
    expect(codesOf(outcomes)).toEqual([[], ['possible-duplicate'], []]);
    expect(await books.open()).toEqual({ 'j invoice': ['-10000', '-10000'] });
  });

  it('settles all the numbers it names', async () => {
    await books.createdOneByOne(
      invoice('i', 'A-17', 10_000),
      invoice('j', 'A-18', 2_500),
      invoice('k', 'A-19', 1),
      payment('p', ['A-18', 'A-17'], 12_500),
    );
    expect(await books.open()).toEqual({ 'k invoice': ['-1', '-1'] });
    expect(await books.settlements()).toHaveLength(2);
  });

  it.each([
    ['around the invoice’s', ' A-17\t', 'A-17'],
    ['around the payment’s', 'A-17', '\u00a0A-17 '],
  ])('matches a number with blanks: %s', async (_, written, named) => {
    await books.createdOneByOne(invoice('i', written, 100), payment('p', [named], 100));
    expect(await books.open()).toEqual({});
  });

  it.each([
    ['another vendor', { vendorNumber: 'V-9', payable: '2441' }],
    ['another currency', { currency: 'USD', base: 100 }],
  ])('does not match the same number of %s', async (_, options) => {
    const outcomes = await books.createdOneByOne(invoice('i', 'A-17', 100, options), payment('p', ['A-17'], 100));
    expect(codesOf(outcomes)).toEqual([[], ['left-open']]);
    expect(await books.open()).toEqual({ 'i invoice': ['-100', '-100'], 'p payment': ['100', '100'] });
    expect(await books.settlements()).toEqual([]);
  });

  it('with a vendor or a currency of none of its lines is refused', async () => {
    const settlement = {
      kind: 'settles',
      vendorNumber: 'V-9',
      numbers: ['A-17'],
      currency: 'EUR',
      amountMinor: '100',
    };
    const { entries: [entry] = [] } = PAID as { readonly entries?: readonly object[] };
    const wrong = { key: 'w', contentDigest: 'w', entries: [{ ...entry, settlement }] };
    expect(await books.post(wrong)).toEqual([
      {
        key: 'w',
        outcome: 'refused',
        code: 'settlement_mismatch',
        message: 'No line of the entry is on vendor V-9 in EUR, so it can settle nothing there.',
        field: '/entries/0/settlement',
      },
    ]);
  });

  it('does not settle across companies', async () => {
    await books.createdOneByOne(A17);
    const other = await Payables.open(ledger);
    await other.created(PAID);
    expect(Object.keys(await other.open())).toEqual(['#13 payment']);
    expect(Object.keys(await books.open())).toEqual(['#12 invoice']);
  });
});

it('a full batch is settled even when it is the first in the books', async () => {
  const keys = Array.from({ length: 500 }, (_, index) => index.toString());
  const outcomes = await books.created(...keys.map((key) => purchase(key, `R-${key}`, 100)));
  expect(codesOf(outcomes).flat()).toEqual([]);
  expect(await books.open()).toEqual({});
  expect(await books.settlements()).toHaveLength(500);
});

describe('a returned payment', () => {
  it('of a credit note settles it together with the receipt', async () => {
    await books.createdOneByOne(refund('r', 'R-30', 4_000));
    expect(await books.open()).toEqual({});
    expect(await books.settlements()).toEqual([['r', 'r', '4000', '4000', '4000', '2026-03-20', 'made']]);
    expect(await books.balances()).toEqual({ '1935': '4000', '5410': '-4000' });
  });

  it('of a credit note that was left open settles it by its number', async () => {
    await books.createdOneByOne(
      creditNote('c', 'R-9', 700, { vendorNumber: 'E-3' }),
      returned('r', ['R-9'], 700, { vendorNumber: 'E-3' }),
    );
    expect(await books.open()).toEqual({});
  });

  it('without a settlement to undo is left open with a warning', async () => {
    const outcomes = await books.createdOneByOne(BACK);
    expect(messagesOf(outcomes)).toEqual([
      '625.00 EUR of the returned payment stay open: no settlement of A-17 of vendor V-7 was found to undo.',
    ]);
  });

  it('in part reopens that part, and the rest of the payment stays with the invoice', async () => {
    await books.createdOneByOne(A17, PAID, returned('r', ['A-17'], 12_500, { postingDate: '2026-04-02' }));
    expect(await books.open()).toEqual({ '#12 invoice': ['-12500', '-12500'] });
    expect(await books.settlements()).toEqual([
      ['#13', '#12', '62500', '62500', '62500', '2026-03-20', 'made'],
      ['#13', '#12', '-62500', '-62500', '-62500', '2026-04-02', 'undone'],
      ['#13', 'r', '12500', '12500', '12500', '2026-04-02', 'made'],
      ['#13', '#12', '50000', '50000', '50000', '2026-04-02', 'made'],
    ]);
  });

  it('at another rate reverses the realized difference, and realizes the difference from its payment', async () => {
    await books.createdOneByOne(
      invoice('i', 'U-1', 100_000, dollars(90_000)),
      payment('p', ['U-1'], 100_000, dollars(93_000, { against: '1936' })),
      returned('r', ['U-1'], 100_000, dollars(95_000, { against: '1936', postingDate: '2026-04-02' })),
    );
    expect(await books.open()).toEqual({ 'i invoice': ['-100000', '-90000'] });
    expect(await books.linesOf('reversal')).toEqual([
      ['p', '2026-04-02', '7960', null, '0', '-3000'],
      ['p', '2026-04-02', '2440', 'V-8', '0', '3000'],
    ]);
    expect((await books.linesOf('realized-fx')).slice(2)).toEqual([
      ['r', '2026-04-02', '7960', null, '0', '-2000'],
      ['r', '2026-04-02', '2440', 'V-8', '0', '2000'],
    ]);
    expect(await books.balances()).toEqual({
      '1936': '2000',
      '2440': '-90000',
      '5410': '90000',
      '7960': '-2000',
    });
  });
});

describe('an employee as vendor', () => {
  const employee = { vendorNumber: 'E-3' };

  it('is reimbursed for several costs, which are all reopened when the money is returned', async () => {
    const costs = [invoice('a', 'R-7', 3_000, employee), invoice('b', 'R-8', 5_000, employee)];
    await books.createdOneByOne(...costs, payment('p', ['R-7', 'R-8'], 8_000, employee));
    expect(await books.open()).toEqual({});
    await books.createdOneByOne(returned('r', ['R-7', 'R-8'], 8_000, employee));
    expect(await books.open()).toEqual({ 'a invoice': ['-3000', '-3000'], 'b invoice': ['-5000', '-5000'] });
  });

  it('is still owed the costs that no payment names', async () => {
    const unnamed = { ...(payment('p', [], 3_000, employee) as { readonly entries: readonly object[] }) };
    const entries = unnamed.entries.map((each) => ({ ...each, settlement: undefined }));
    const outcomes = await books.createdOneByOne(invoice('a', 'R-7', 3_000, employee), {
      ...unnamed,
      entries,
    });
    expect(codesOf(outcomes)).toEqual([[], []]);
    expect(Object.keys(await books.open())).toEqual(['a invoice', 'p payment']);
  });
});
