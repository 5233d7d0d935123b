import { expect, it } from '@jest/globals';
import type { OpenItem } from './open-item.js';
import { invoice, InMemoryBooks, payment, receipt, usd } from './settlement.fixtures.js';

const messagesOf = (...posted: readonly OpenItem[]): readonly string[] => {
  const books = new InMemoryBooks();
  return posted.flatMap((item) => [...books.post(item).warnings.values()].flat().map(({ message }) => message));
};

it.each<[name: string, posted: readonly OpenItem[], message: string]>([
  [
    'nothing to pay',
    [payment('p', ['A-17', 'A-18'], 62_500n)],
    '625.00 EUR of the payment stay open on vendor V-7: no open document A-17, A-18 in EUR.',
  ],
  [
    'paid too much',
    [invoice('i', 'A-17', 62_500n), payment('p', ['A-17'], 70_000n)],
    '75.00 EUR of the payment stay open on vendor V-7: no further open document A-17 in EUR.',
  ],
  [
    'paid in part',
    [invoice('i', 'A-17', 62_500n), payment('p', ['A-17'], 20_000n)],
    '425.00 EUR of invoice A-17 of vendor V-7 are open.',
  ],
  [
    'nothing to undo',
    [receipt('r', ['A-17'], 62_500n)],
    '625.00 EUR of the returned payment stay open: no settlement of A-17 of vendor V-7 was found to undo.',
  ],
  [
    'no account for the difference',
    [
      invoice('i', 'U-1', 100n, usd(90n)),
      payment('p', ['U-1'], 100n, { ...usd(93n), fxAccount: null, documentNumber: 'PAY-1' }),
    ],
    'Not settled with each other on vendor V-8: payment PAY-1 and invoice U-1. Their exchange rates differ, and no account for realized differences is given.',
  ],
  [
    'an archived account for the difference',
    [invoice('i', 'U-1', 100n, usd(90n)), payment('p', ['U-1'], 100n, { ...usd(93n), fxAccount: '7999' })],
    'Not settled with each other on vendor V-8: payment and invoice U-1. Their exchange rates differ, and account 7999 is not active.',
  ],
  [
    'an archived account of the payable',
    [invoice('i', 'U-1', 100n, { ...usd(90n), accountCode: '2449' }), payment('p', ['U-1'], 100n, usd(93n))],
    'Not settled with each other on vendor V-8: payment and invoice U-1. They are on the accounts 2440 and 2449, and account 2449 is not active.',
  ],
])('describes in a sentence: %s', (_, posted, message) => {
  expect(messagesOf(...posted)).toEqual([message]);
});
