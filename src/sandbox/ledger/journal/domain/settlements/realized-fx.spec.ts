import { expect, it } from '@jest/globals';
import {
  creditNote,
  DAYS,
  endOf,
  invoice,
  InMemoryBooks,
  payment,
  receipt,
  usd,
  type Case,
} from './settlement.fixtures.js';

const CASES: readonly Case[] = [
  {
    name: 'a difference in base is realized (example 23)',
    posted: [invoice('i', 'U-1', 100_000n, usd(90_000n)), payment('p', ['U-1'], 100_000n, usd(93_000n))],
    open: {},
    realized: 3_000n,
  },
  {
    name: 'a gain is a credit',
    posted: [invoice('i', 'U-1', 100_000n, usd(90_000n)), payment('p', ['U-1'], 100_000n, usd(88_000n))],
    open: {},
    realized: -2_000n,
  },
  {
    name: 'part by part',
    posted: [
      invoice('i', 'U-1', 100_000n, usd(90_000n)),
      payment('p', ['U-1'], 50_000n, usd(46_500n)),
      payment('q', ['U-1'], 50_000n, usd(44_000n)),
    ],
    open: {},
    messages: ['p: partly-settled'],
    realized: 500n,
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
    messages: ['p: partly-settled', 'q: partly-settled'],
    realized: 1n,
  },
  {
    name: 'the invoice is open in full again when the payment comes back at another rate',
    posted: [
      invoice('i', 'U-1', 100_000n, usd(90_000n)),
      payment('p', ['U-1'], 100_000n, usd(93_000n)),
      receipt('r', ['U-1'], 100_000n, usd(95_000n)),
    ],
    open: { i: [-100_000n, -90_000n] },
    messages: ['r: partly-settled'],
    realized: -2_000n,
  },
  {
    name: 'without an account for the difference nothing is settled',
    posted: [
      invoice('i', 'U-1', 100_000n, usd(90_000n)),
      payment('p', ['U-1'], 100_000n, { ...usd(93_000n), fxAccount: null }),
    ],
    open: { i: [-100_000n, -90_000n], p: [100_000n, 93_000n] },
    messages: ['p: fx-account-missing'],
    realized: 0n,
  },
  {
    name: 'an archived account takes no difference',
    posted: [
      payment('p', ['U-1'], 100_000n, { ...usd(93_000n), fxAccount: '7999' }),
      invoice('i', 'U-1', 100_000n, usd(90_000n)),
    ],
    open: { i: [-100_000n, -90_000n], p: [100_000n, 93_000n] },
    messages: ['p: left-open', 'i: fx-account-missing'],
    realized: 0n,
  },
  {
    name: 'neither does an archived account of the payable',
    posted: [
      invoice('i', 'U-1', 100_000n, { ...usd(90_000n), accountCode: '2449' }),
      payment('p', ['U-1'], 100_000n, usd(93_000n)),
    ],
    open: { i: [-100_000n, -90_000n], p: [100_000n, 93_000n] },
    messages: ['p: transfer-refused'],
    realized: 0n,
  },
  {
    name: 'from another payable account the difference is left there',
    posted: [
      invoice('i', 'U-1', 100_000n, usd(90_000n)),
      payment('p', ['U-1'], 100_000n, { ...usd(93_000n), accountCode: '2441' }),
    ],
    open: {},
    realized: 3_000n,
  },
  {
    name: 'of a credit note the base of the document is moved, too',
    posted: [
      creditNote('c', 'U-1', 100_000n, usd(90_000n)),
      receipt('r', ['U-1'], 100_000n, { ...usd(93_000n), accountCode: '2441' }),
    ],
    open: {},
    realized: -3_000n,
  },
  {
    name: 'equal rates need no account',
    posted: [
      invoice('i', 'U-1', 100_000n, usd(90_000n)),
      payment('p', ['U-1'], 100_000n, { ...usd(90_000n), fxAccount: null }),
    ],
    open: {},
    realized: 0n,
  },
  {
    name: 'a return without an account opens the invoice, takes no second payment back, and says so',
    posted: [
      invoice('i', 'U-1', 300n, usd(270n)),
      payment('p', ['U-1'], 100n, { ...usd(90n), fxAccount: null }),
      payment('q', ['U-1'], 200n, { ...usd(180n), fxAccount: null }),
      receipt('r', ['U-1'], 200n, { ...usd(190n), fxAccount: null }),
    ],
    open: { i: [-200n, -180n], q: [200n, 180n], r: [-200n, -190n] },
    messages: ['p: partly-settled', 'r: fx-account-missing', 'r: partly-settled', 'r: partly-settled'],
    realized: 0n,
  },
];

it.each(CASES)('$name', ({ posted, open, messages = [], realized }) => {
  expect(endOf(posted)).toEqual({ open, messages, realized });
});

it('a difference is booked on the payable of the document, in the group of the payment', () => {
  const books = new InMemoryBooks();
  books.post(invoice('i', 'U-1', 100n, usd(90n)));
  expect(books.post(payment('p', ['U-1'], 100n, { ...usd(93n), documentNumber: 'PAY-1' })).settled).toEqual([
    {
      debit: { entryId: 'p', lineNo: 1 },
      credit: { entryId: 'i', lineNo: 1 },
      amountMinor: 100n,
      debitBaseMinor: 93n,
      creditBaseMinor: 90n,
      settledOn: DAYS[0],
      fx: {
        accountCode: '7960',
        payableAccountCode: '2440',
        vendorNumber: 'V-8',
        currency: 'USD',
        documentNumber: 'U-1',
        groupId: 'p',
        baseMinor: 3n,
      },
    },
  ]);
});
