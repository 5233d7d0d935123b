import { expect, it } from '@jest/globals';
import { expectedBalances } from './beancount-balances.js';

const SUMS = [
  { account: 'Assets:A1', currency: 'EUR', amountMinor: 100n, baseMinor: 100n },
  { account: 'Assets:A1', currency: 'USD', amountMinor: 50n, baseMinor: 45n },
  { account: 'Income:A3', currency: 'USD', amountMinor: 0n, baseMinor: 7n },
];
const BASE_ONLY = [
  { account: 'Assets:A1', baseMinor: 3n },
  { account: 'Income:A3', baseMinor: 7n },
];

it('in transaction currencies: amounts, and what is in base only in the functional currency', () => {
  expect(expectedBalances(SUMS, BASE_ONLY, 'EUR', 'transaction')).toEqual([
    { account: 'Assets:A1', currency: 'EUR', minor: 103n },
    { account: 'Assets:A1', currency: 'USD', minor: 50n },
    { account: 'Income:A3', currency: 'USD', minor: 0n },
    { account: 'Income:A3', currency: 'EUR', minor: 7n },
  ]);
});

it('in the functional currency: base amounts over all currencies', () => {
  expect(expectedBalances(SUMS, BASE_ONLY, 'EUR', 'functional')).toEqual([
    { account: 'Assets:A1', currency: 'EUR', minor: 145n },
    { account: 'Income:A3', currency: 'EUR', minor: 7n },
  ]);
});
