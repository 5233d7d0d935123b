import { describe, expect, it } from '@jest/globals';
import type { OpenItem } from './open-item.js';
import { planSettlements } from './plan-settlements.js';
import { creditNote, invoice, PaperBooks, payment, receipt, usd } from './settlement.fixtures.js';

type Open = Readonly<Record<string, readonly [amountMinor: bigint, baseMinor: bigint]>>;

interface Case {
  readonly name: string;
  /** Each in a posting of its own, or together. */
  readonly posted: readonly (OpenItem | readonly OpenItem[])[];
  /** What is not closed in the end. */
  readonly open: Open;
  readonly said?: readonly string[];
  /** Debit of the account of realised differences. */
  readonly realised?: bigint;
}

const CASES: readonly Case[] = [
  {
    name: 'a payment settles its invoice (example 13)',
    posted: [invoice('i', 'A-17', 62_500n), payment('p', ['A-17'], 62_500n)],
    open: {},
  },
  {
    name: 'a payment before its invoice waits for it',
    posted: [payment('p', ['A-17'], 62_500n), invoice('i', 'A-17', 62_500n)],
    open: {},
    said: ['p: left-open'],
  },
  {
    name: 'a returned payment opens the invoice again (example 20)',
    posted: [invoice('i', 'A-17', 62_500n), payment('p', ['A-17'], 62_500n), receipt('r', ['A-17'], 62_500n)],
    open: { i: [-62_500n, -62_500n] },
  },
  {
    name: 'a payment whose return was there first is not for the invoice',
    posted: [receipt('r', ['A-17'], 62_500n), invoice('i', 'A-17', 62_500n), payment('p', ['A-17'], 62_500n)],
    open: { i: [-62_500n, -62_500n] },
    said: ['r: left-open'],
  },
  {
    name: 'an invoice paid within its group is closed (examples 14 and 19)',
    posted: [[invoice('i', 'R-1', 9_900n, { groupId: 'g' }), payment('p', [], 9_900n, { groupId: 'g' })]],
    open: {},
  },
  {
    name: 'the other half of a group comes before a payment that waited for the number',
    posted: [
      payment('w', ['R-1'], 9_900n),
      [invoice('i', 'R-1', 9_900n, { groupId: 'g' }), payment('p', [], 9_900n, { groupId: 'g' })],
    ],
    open: { w: [9_900n, 9_900n] },
    said: ['w: left-open'],
  },
  {
    name: 'the halves of a group find each other without a number, one after the other',
    posted: [
      payment('p', [], 9_900n, { groupId: 'g' }),
      invoice('i', '', 9_900n, { groupId: 'g', documentNumber: null }),
    ],
    open: {},
  },
  {
    name: 'a credit note is closed by the receipt of its group',
    posted: [[creditNote('c', 'R-2', 500n, { groupId: 'g' }), receipt('r', [], 500n, { groupId: 'g' })]],
    open: {},
  },
  {
    name: 'a credit note left open is closed by a receipt that names it',
    posted: [creditNote('c', 'R-2', 500n), receipt('r', ['R-2'], 500n)],
    open: {},
  },
  {
    name: 'a partial payment leaves the rest of the invoice open, and the next one closes it',
    posted: [invoice('i', 'A-17', 62_500n), payment('p', ['A-17'], 20_000n), payment('q', ['A-17'], 42_500n)],
    open: {},
    said: ['p: partly-settled'],
  },
  {
    name: 'what is paid too much stays open',
    posted: [invoice('i', 'A-17', 62_500n), payment('p', ['A-17'], 70_000n)],
    open: { p: [7_500n, 7_500n] },
    said: ['p: left-open'],
  },
  {
    name: 'two invoices of one number are paid in their order',
    posted: [invoice('i', 'A-17', 10_000n), invoice('j', 'A-17', 10_000n), payment('p', ['A-17'], 15_000n)],
    open: { j: [-5_000n, -5_000n] },
    said: ['p: partly-settled'],
  },
  {
    name: 'a payment of several numbers pays them all',
    posted: [
      invoice('i', 'A-17', 10_000n),
      invoice('j', 'A-18', 2_500n),
      payment('p', ['A-18', 'A-17'], 12_500n),
    ],
    open: {},
  },
  {
    name: 'the return of a payment of several invoices opens them all',
    posted: [
      [invoice('i', 'A-17', 10_000n), invoice('j', 'A-18', 2_500n)],
      payment('p', ['A-17', 'A-18'], 12_500n),
      receipt('r', ['A-17', 'A-18'], 12_500n),
    ],
    open: { i: [-10_000n, -10_000n], j: [-2_500n, -2_500n] },
  },
  {
    name: 'the return of a part opens that part, of the newest settlement',
    posted: [
      invoice('i', 'A-17', 62_500n),
      payment('p', ['A-17'], 30_000n),
      payment('q', ['A-17'], 32_500n),
      receipt('r', ['A-17'], 12_500n),
    ],
    open: { i: [-12_500n, -12_500n] },
    said: ['p: partly-settled', 'r: partly-settled'],
  },
  {
    name: 'a return more than was paid leaves the difference open',
    posted: [invoice('i', 'A-17', 100n), payment('p', ['A-17'], 100n), receipt('r', ['A-17'], 130n)],
    open: { i: [-100n, -100n], r: [-30n, -30n] },
    said: ['r: left-open'],
  },
  {
    name: 'two returns in one posting take back a payment together',
    posted: [
      [invoice('i', 'A-17', 100n), payment('p', ['A-17'], 100n)],
      [receipt('r', ['A-17'], 40n), receipt('s', ['A-17'], 60n)],
    ],
    open: { i: [-100n, -100n] },
    said: ['r: partly-settled'],
  },
  {
    name: 'what a return opens is paid by a payment that waited',
    posted: [
      invoice('i', 'A-17', 100n),
      payment('p', ['A-17'], 100n),
      payment('q', ['A-17'], 100n),
      receipt('r', ['A-17'], 100n),
    ],
    open: {},
    said: ['q: left-open'],
  },
  {
    name: 'a return does not take back what a reversal settled',
    posted: [
      [
        invoice('i', 'A-17', 100n, { groupId: 'g' }),
        { ...payment('v', [], 100n, { groupId: 'g' }), role: 'reversal' },
      ],
      receipt('r', ['A-17'], 100n),
    ],
    open: { r: [-100n, -100n] },
    said: ['r: left-open'],
  },
  {
    name: 'blanks around a number do not matter',
    posted: [invoice('i', 'A-17', 100n), payment('p', [' A-17\t'], 100n)],
    open: {},
  },
  {
    name: 'the same number of another vendor is not touched',
    posted: [invoice('i', 'A-17', 100n, { vendorNumber: 'V-9' }), payment('p', ['A-17'], 100n)],
    open: { i: [-100n, -100n], p: [100n, 100n] },
    said: ['p: left-open'],
  },
  {
    name: 'the same number in another currency is not touched',
    posted: [invoice('i', 'A-17', 100n, { currency: 'USD' }), payment('p', ['A-17'], 100n)],
    open: { i: [-100n, -100n], p: [100n, 100n] },
    said: ['p: left-open'],
  },
  {
    name: 'what is meant for one vendor does nothing on the entry’s line of another',
    posted: [
      [invoice('i', 'A-17', 100n), invoice('j', 'A-17', 50n, { vendorNumber: 'V-9' })],
      [payment('p', ['A-17'], 100n), { ...payment('p', ['A-17'], 50n), lineNo: 2, vendorNumber: 'V-9' }],
    ],
    open: { j: [-50n, -50n], p: [50n, 50n] },
  },
  {
    name: 'an invoice without payment is open and nothing is said',
    posted: [invoice('i', 'A-17', 100n)],
    open: { i: [-100n, -100n] },
  },
];

const FX_CASES: readonly Case[] = [
  {
    name: 'a difference in base is realised (example 23)',
    posted: [invoice('i', 'U-1', 100_000n, usd(90_000n)), payment('p', ['U-1'], 100_000n, usd(93_000n))],
    open: {},
    realised: 3_000n,
  },
  {
    name: 'a gain is a credit',
    posted: [invoice('i', 'U-1', 100_000n, usd(90_000n)), payment('p', ['U-1'], 100_000n, usd(88_000n))],
    open: {},
    realised: -2_000n,
  },
  {
    name: 'part by part',
    posted: [
      invoice('i', 'U-1', 100_000n, usd(90_000n)),
      payment('p', ['U-1'], 50_000n, usd(46_500n)),
      payment('q', ['U-1'], 50_000n, usd(44_000n)),
    ],
    open: {},
    said: ['p: partly-settled'],
    realised: 500n,
  },
  {
    name: 'three parts of an odd base amount leave nothing in base',
    posted: [
      invoice('i', 'U-1', 10_000n, usd(8_999n)),
      payment('p', ['U-1'], 3_333n, usd(3_000n)),
      payment('q', ['U-1'], 3_333n, usd(3_000n)),
      payment('s', ['U-1'], 3_334n, usd(3_000n)),
    ],
    open: {},
    said: ['p: partly-settled', 'q: partly-settled'],
    realised: 1n,
  },
  {
    name: 'the invoice is open in full again when the payment comes back at another rate',
    posted: [
      invoice('i', 'U-1', 100_000n, usd(90_000n)),
      payment('p', ['U-1'], 100_000n, usd(93_000n)),
      receipt('r', ['U-1'], 100_000n, usd(95_000n)),
    ],
    open: { i: [-100_000n, -90_000n] },
    realised: -2_000n,
  },
  {
    name: 'without an account for the difference nothing is settled',
    posted: [
      invoice('i', 'U-1', 100_000n, usd(90_000n)),
      payment('p', ['U-1'], 100_000n, { ...usd(93_000n), fxAccount: null }),
    ],
    open: { i: [-100_000n, -90_000n], p: [100_000n, 93_000n] },
    said: ['p: fx-account-missing'],
    realised: 0n,
  },
  {
    name: 'an archived account takes no difference',
    posted: [
      payment('p', ['U-1'], 100_000n, { ...usd(93_000n), fxAccount: '7999' }),
      invoice('i', 'U-1', 100_000n, usd(90_000n)),
    ],
    open: { i: [-100_000n, -90_000n], p: [100_000n, 93_000n] },
    said: ['p: left-open', 'i: fx-account-missing'],
    realised: 0n,
  },
  {
    name: 'neither does an archived account of the payable',
    posted: [
      invoice('i', 'U-1', 100_000n, { ...usd(90_000n), accountCode: '2449' }),
      payment('p', ['U-1'], 100_000n, usd(93_000n)),
    ],
    open: { i: [-100_000n, -90_000n], p: [100_000n, 93_000n] },
    said: ['p: fx-account-missing'],
    realised: 0n,
  },
  {
    name: 'equal rates need no account',
    posted: [
      invoice('i', 'U-1', 100_000n, usd(90_000n)),
      payment('p', ['U-1'], 100_000n, { ...usd(90_000n), fxAccount: null }),
    ],
    open: {},
    realised: 0n,
  },
  {
    name: 'a return without an account opens the invoice, takes no second payment back, and says so once',
    posted: [
      invoice('i', 'U-1', 300n, usd(270n)),
      payment('p', ['U-1'], 100n, { ...usd(90n), fxAccount: null }),
      payment('q', ['U-1'], 200n, { ...usd(180n), fxAccount: null }),
      receipt('r', ['U-1'], 200n, { ...usd(190n), fxAccount: null }),
    ],
    open: { i: [-200n, -180n], q: [200n, 180n], r: [-200n, -190n] },
    said: ['p: partly-settled', 'r: fx-account-missing'],
  },
];

describe.each([...CASES, ...FX_CASES])('$name', ({ posted, open, said = [], realised = 0n }) => {
  it('leaves open what it should', () => {
    const books = new PaperBooks();
    for (const step of posted) books.post(...[step].flat());
    expect(books.open).toEqual(open);
    expect(books.said).toEqual(said);
    expect(books.realised).toBe(realised);
  });
});

describe('a return', () => {
  it('prefers the payment of its own amount, and leaves the others as they are', () => {
    const books = new PaperBooks();
    books.post(invoice('i', 'A-17', 100n), payment('p', ['A-17'], 40n), payment('q', ['A-17'], 60n));
    const plan = books.post(receipt('r', ['A-17'], 40n));
    expect(plan.undone.map(({ settlement }) => settlement.debit.entryId)).toEqual(['p']);
    expect(plan.settled.map(({ debit, credit }) => [debit.entryId, credit.entryId])).toEqual([['p', 'r']]);
  });

  it('takes what was paid too much before it takes anything back', () => {
    const books = new PaperBooks();
    books.post(invoice('i', 'A-17', 100n), payment('p', ['A-17'], 140n));
    const plan = books.post(receipt('r', ['A-17'], 40n));
    expect(plan.undone).toEqual([]);
    expect(books.open).toEqual({});
  });

  it('does not undo a settlement whose exchange difference is on an archived account', () => {
    const books = new PaperBooks();
    books.post(invoice('i', 'U-1', 100n, usd(90n)), payment('p', ['U-1'], 100n, usd(93n)));
    const archived = {
      ...books.view([receipt('r', ['U-1'], 100n, usd(93n))]),
      activeAccounts: new Set(['2440']),
    };
    expect(books.standing).toMatchObject([{ fxAccountCodes: ['7960', '2440'] }]);
    expect(planSettlements(archived)).toMatchObject({
      undone: [],
      settled: [],
      warnings: new Map([
        [
          'r',
          [
            {
              code: 'fx-account-missing',
              message:
                'Though its payment came back, invoice U-1 of vendor V-8 stays settled. Their exchange rates differ, and account 7960 is not active.',
            },
          ],
        ],
      ]),
    });
  });
});
