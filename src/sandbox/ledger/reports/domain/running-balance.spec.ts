import { expect, it } from '@jest/globals';
import { addBalances, baseBalance, withRunningBalance, type CurrencyBalance } from './running-balance.js';

const balance = (currency: string, balanceMinor: bigint, baseBalanceMinor: bigint): CurrencyBalance => ({
  currency,
  balanceMinor,
  baseBalanceMinor,
});
const movement = (currency: string, amountMinor: bigint, baseMinor: bigint) => ({
  currency,
  amountMinor,
  baseMinor,
});

it('accumulates per currency, and in base over all of them', () => {
  const start = [balance('EUR', 100n, 100n), balance('USD', -50n, -45n)];
  const lines = [
    movement('USD', -10n, -9n),
    movement('EUR', 7n, 7n),
    movement('JPY', 1500n, 915n),
    movement('USD', 0n, 3n),
  ];
  const after = withRunningBalance(start, lines);
  expect(
    after.map(({ currency, balanceMinor, baseBalanceMinor }) => [currency, balanceMinor, baseBalanceMinor]),
  ).toEqual([
    ['USD', -60n, 46n],
    ['EUR', 107n, 53n],
    ['JPY', 1500n, 968n],
    ['USD', -60n, 971n],
  ]);
});

it('starts at zero', () => {
  expect(withRunningBalance([], [movement('EUR', -5n, -5n)])).toEqual([
    { currency: 'EUR', amountMinor: -5n, baseMinor: -5n, balanceMinor: -5n, baseBalanceMinor: -5n },
  ]);
});

it('adds balances currency by currency', () => {
  const sum = addBalances([balance('USD', 5n, 4n), balance('EUR', 1n, 1n)], [balance('USD', -7n, -6n)]);
  expect(sum).toEqual([balance('EUR', 1n, 1n), balance('USD', -2n, -2n)]);
  expect(baseBalance(sum)).toBe(-1n);
});
