import { describe, expect, it } from '@jest/globals';
import { pairKey, type OpenItem } from './open-item.js';
import { planSettlements } from './plan-settlements.js';
import { creditNote, endOf, invoice, InMemoryBooks, payment, receipt, usd, type Case } from './settlement.fixtures.js';

/** A credit note that names the invoice with its number. */
function settlingNote(name: string, number: string, minor: bigint): OpenItem {
  return { ...payment(name, [number], minor, { documentNumber: number }), role: 'credit-note' };
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
    messages: ['p: left-open'],
  },
  {
    name: 'a returned payment opens the invoice again (example 20)',
    posted: [invoice('i', 'A-17', 62_500n), payment('p', ['A-17'], 62_500n), receipt('r', ['A-17'], 62_500n)],
    open: { i: [-62_500n, -62_500n] },
    messages: ['r: partly-settled'],
  },
  {
    name: 'a smaller invoice leaves part of the payment that waited open (example 29)',
    posted: [payment('p', ['A-17'], 62_500n), invoice('i', 'A-17', 60_000n)],
    open: { p: [2_500n, 2_500n] },
    messages: ['p: left-open', 'i: partly-settled'],
  },
  {
    name: 'a payment from another payable account moves the invoice’s amount there (example 31)',
    posted: [
      invoice('i', 'A-17', 100_000n, { vendorNumber: 'V-8' }),
      payment('p', ['A-17'], 100_000n, { vendorNumber: 'V-8', accountCode: '2441' }),
    ],
    open: {},
  },
  {
    name: 'a credit note settles the invoice whose number it carries (example 32)',
    posted: [invoice('i', 'F-1', 10_000n), settlingNote('c', 'F-1', 15_000n)],
    open: { c: [5_000n, 5_000n] },
    messages: ['c: left-open'],
  },
  {
    name: 'and so it does when it was there first',
    posted: [settlingNote('c', 'F-1', 4_000n), invoice('i', 'F-1', 10_000n)],
    open: { i: [-6_000n, -6_000n] },
    messages: ['c: left-open', 'i: partly-settled'],
  },
  {
    name: 'a payment whose return was there first is not for the invoice',
    posted: [receipt('r', ['A-17'], 62_500n), invoice('i', 'A-17', 62_500n), payment('p', ['A-17'], 62_500n)],
    open: { i: [-62_500n, -62_500n] },
    messages: ['r: left-open'],
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
    messages: ['w: left-open'],
  },
  {
    name: 'the other half of a group comes first also when it was there later',
    posted: [
      payment('w', ['R-1'], 9_900n),
      payment('p', [], 9_900n, { groupId: 'g' }),
      invoice('i', 'R-1', 9_900n, { groupId: 'g' }),
    ],
    open: { w: [9_900n, 9_900n] },
    messages: ['w: left-open'],
  },
  {
    name: 'a payment within a group is for no document of another',
    posted: [invoice('i', 'R-1', 100n), payment('p', [], 100n, { groupId: 'g', documentNumber: 'R-1' })],
    open: { i: [-100n, -100n], p: [100n, 100n] },
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
    messages: ['p: partly-settled'],
  },
  {
    name: 'what is paid too much stays open',
    posted: [invoice('i', 'A-17', 62_500n), payment('p', ['A-17'], 70_000n)],
    open: { p: [7_500n, 7_500n] },
    messages: ['p: left-open'],
  },
  {
    name: 'two invoices of one number are paid in their order',
    posted: [invoice('i', 'A-17', 10_000n), invoice('j', 'A-17', 10_000n), payment('p', ['A-17'], 15_000n)],
    open: { j: [-5_000n, -5_000n] },
    messages: ['p: partly-settled'],
  },
  {
    name: 'a payment of several numbers pays them all',
    posted: [invoice('i', 'A-17', 10_000n), invoice('j', 'A-18', 2_500n), payment('p', ['A-18', 'A-17'], 12_500n)],
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
    messages: ['r: partly-settled', 'r: partly-settled'],
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
    messages: ['p: partly-settled', 'r: partly-settled'],
  },
  {
    name: 'the return of a part opens the document it names',
    posted: [
      [invoice('i', 'A-17', 100n), invoice('j', 'A-18', 100n)],
      payment('q', ['A-18'], 100n),
      payment('p', ['A-17'], 100n),
      receipt('r', ['A-18'], 40n),
    ],
    open: { j: [-40n, -40n] },
    messages: ['r: partly-settled'],
  },
  {
    name: 'a return more than was paid leaves the difference open',
    posted: [invoice('i', 'A-17', 100n), payment('p', ['A-17'], 100n), receipt('r', ['A-17'], 130n)],
    open: { i: [-100n, -100n], r: [-30n, -30n] },
    messages: ['r: left-open', 'r: partly-settled'],
  },
  {
    name: 'two returns in one posting take back a payment together',
    posted: [
      [invoice('i', 'A-17', 100n), payment('p', ['A-17'], 100n)],
      [receipt('r', ['A-17'], 40n), receipt('s', ['A-17'], 60n)],
    ],
    open: { i: [-100n, -100n] },
    messages: ['r: partly-settled', 's: partly-settled'],
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
    messages: ['q: left-open'],
  },
  {
    name: 'a return does not take back what a reversal settled',
    posted: [
      [invoice('i', 'A-17', 100n, { groupId: 'g' }), { ...payment('v', [], 100n, { groupId: 'g' }), role: 'reversal' }],
      receipt('r', ['A-17'], 100n),
    ],
    open: { r: [-100n, -100n] },
    messages: ['r: left-open'],
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
    messages: ['p: left-open'],
  },
  {
    name: 'the same number in another currency is not touched',
    posted: [invoice('i', 'A-17', 100n, { currency: 'USD' }), payment('p', ['A-17'], 100n)],
    open: { i: [-100n, -100n], p: [100n, 100n] },
    messages: ['p: left-open'],
  },
  {
    name: 'what is meant for one currency does nothing in another',
    posted: [invoice('i', 'A-17', 100n), { ...payment('p', ['A-17'], 100n, { currency: 'USD' }), currency: 'EUR' }],
    open: { i: [-100n, -100n], p: [100n, 100n] },
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

it.each(CASES)('$name', ({ posted, open, messages = [] }) => {
  expect(endOf(posted)).toEqual({ open, messages, realized: 0n });
});

describe('a returned payment', () => {
  it('is matched with the payment of its own amount, and leaves the others unchanged', () => {
    const books = new InMemoryBooks();
    books.post(invoice('i', 'A-17', 100n), payment('p', ['A-17'], 40n), payment('q', ['A-17'], 60n));
    const plan = books.post(receipt('r', ['A-17'], 40n));
    expect(plan.undone.map(({ settlement }) => settlement.debit.entryId)).toEqual(['p']);
    expect(plan.settled.map(({ debit, credit }) => [debit.entryId, credit.entryId])).toEqual([['p', 'r']]);
  });

  it('in part is taken from the newest payment', () => {
    const books = new InMemoryBooks();
    books.post(invoice('i', 'A-17', 100n), payment('p', ['A-17'], 40n), payment('q', ['A-17'], 60n));
    const plan = books.post(receipt('r', ['A-17'], 10n));
    expect(plan.undone.map(({ settlement }) => settlement.debit.entryId)).toEqual(['q']);
  });

  it('uses overpayments before it undoes a settlement', () => {
    const books = new InMemoryBooks();
    books.post(invoice('i', 'A-17', 100n), payment('p', ['A-17'], 140n));
    const plan = books.post(receipt('r', ['A-17'], 40n));
    expect(plan.undone).toEqual([]);
    expect(books.open).toEqual({});
  });

  it('does not undo a settlement whose exchange difference is on an archived account', () => {
    const books = new InMemoryBooks();
    books.post(invoice('i', 'U-1', 100n, usd(90n)), payment('p', ['U-1'], 100n, usd(93n)));
    const archived = {
      ...books.view([receipt('r', ['U-1'], 100n, usd(93n))]),
      activeAccounts: new Set(['2440']),
    };
    expect(books.standing).toMatchObject([{ accountCodes: ['7960', '2440'] }]);
    expect(planSettlements(archived)).toMatchObject({
      undone: [],
      settled: [],
      warnings: new Map([
        [
          'r',
          [
            {
              code: 'account-inactive',
              message:
                'invoice U-1 of vendor V-8 stays settled although its payment was returned. Account 7960 is not active.',
            },
          ],
        ],
      ]),
    });
  });
});

describe('items that have been open for a while', () => {
  const bought = invoice('i', 'U-1', 100n, usd(90n));
  const unnamed = payment('p', ['U-1'], 100n, { ...usd(93n), fxAccount: null });
  const refs = { debit: { entryId: 'p', lineNo: 1 }, credit: { entryId: 'i', lineNo: 1 } };
  const open = () => {
    const books = new InMemoryBooks();
    books.post(bought, unnamed);
    return { ...books.view([unnamed]), others: [bought] };
  };

  it('are settled with the account given now when their entries name none', () => {
    expect(planSettlements({ ...open(), realizedFxAccountCode: '7960' })).toMatchObject({
      settled: [{ ...refs, fx: { accountCode: '7960', baseMinor: 3n } }],
      blocked: [],
    });
  });

  it.each([
    ['no account is given', {}, 'fx-account-missing'],
    ['the given account is not active', { realizedFxAccountCode: '7961' }, 'fx-account-missing'],
    ['no day is open', { realizedFxAccountCode: '7960', openDays: new Map<string, string>() }, 'left-open'],
    [
      'a person has taken it apart',
      { realizedFxAccountCode: '7960', separatedPairs: new Set([pairKey(refs)]) },
      'taken-apart',
    ],
  ])('stay open while %s', (_, given, code) => {
    const { settled, blocked } = planSettlements({ ...open(), ...given });
    expect(settled).toEqual([]);
    expect(blocked).toMatchObject([{ entryIds: ['p', 'i'], warning: { code } }]);
  });

  it('without a counterpart block no other settlement', () => {
    const { settled, blocked } = planSettlements({ ...open(), others: [] });
    expect([settled, blocked]).toEqual([[], []]);
  });
});
