import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { beancountAccount, type AccountType } from './beancount-account.js';

const TYPES: readonly AccountType[] = ['asset', 'liability', 'equity', 'income', 'expense'];

it.each<[AccountType, string, string]>([
  ['liability', '2440', 'Liabilities:A2440'],
  ['asset', '1935', 'Assets:A1935'],
  ['equity', 'x', 'Equity:Ax'],
  ['income', '39-60', 'Income:A39-2d-60'],
  ['expense', '20 1/b', 'Expenses:A20-20-1-2f-b'],
  ['expense', 'å', 'Expenses:A-e5-'],
  ['expense', '😀', 'Expenses:A-1f600-'],
])('%s %s is %s', (type, code, name) => {
  expect(beancountAccount(type, code)).toBe(name);
});

it('every code becomes a valid Beancount name, from which it can be parsed back', () => {
  const code = fc.string({ unit: 'binary', minLength: 1, maxLength: 100 });
  fc.assert(
    fc.property(fc.constantFrom(...TYPES), code, (type, text) => {
      const name = beancountAccount(type, text);
      expect(name).toMatch(/^(Assets|Liabilities|Equity|Income|Expenses):A[0-9A-Za-z-]+$/);
      const [, written = ''] = name.split(':A');
      const readBack = written.replaceAll(/-([0-9a-f]+)-/g, (_, hex: string) =>
        String.fromCodePoint(parseInt(hex, 16)),
      );
      expect(readBack).toBe(text);
    }),
  );
});
