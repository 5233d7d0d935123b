import { expect, it } from '@jest/globals';
import { AGES, spread, type AgedPart } from './aged-amounts.js';

const part = (age: AgedPart['age'], amountMinor: bigint, baseMinor: bigint): AgedPart => ({
  currency: 'USD',
  age,
  amountMinor,
  baseMinor,
});

it('puts each part into its age group and all of them into the total', () => {
  const parts = AGES.map((age, index) => part(age, 10n ** BigInt(index), -(2n ** BigInt(index))));
  expect(spread(parts)).toEqual({
    notDue: { amountMinor: '1', baseMinor: '-1' },
    overdue1To30: { amountMinor: '10', baseMinor: '-2' },
    overdue31To60: { amountMinor: '100', baseMinor: '-4' },
    overdue61To90: { amountMinor: '1000', baseMinor: '-8' },
    overdueOver90: { amountMinor: '10000', baseMinor: '-16' },
    baseOnly: { amountMinor: '100000', baseMinor: '-32' },
    total: { amountMinor: '111111', baseMinor: '-63' },
  });
});

it('adds parts of the same age', () => {
  expect(spread([part('notDue', 5n, 4n), part('notDue', -7n, -6n)]).notDue).toEqual({
    amountMinor: '-2',
    baseMinor: '-2',
  });
});

it('is empty without amounts', () => {
  expect(spread([]).total).toEqual({ amountMinor: '0', baseMinor: '0' });
});
