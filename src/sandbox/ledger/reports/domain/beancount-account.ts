export type AccountType = 'asset' | 'liability' | 'equity' | 'income' | 'expense';

const ROOTS: Readonly<Record<AccountType, string>> = {
  asset: 'Assets',
  liability: 'Liabilities',
  equity: 'Equity',
  income: 'Income',
  expense: 'Expenses',
};

/**
 * The name of an account in Beancount, from which type and code can be read back: 2440, a liability, is
 * `Liabilities:A2440`. A character that is neither an ASCII letter nor a digit becomes its code point in hexadecimal
 * between two hyphens: "20 1/b" is `A20-20-1-2f-b`.
 * @param code any text that is not empty
 */
export function beancountAccount(type: AccountType, code: string): string {
  const written = code.replaceAll(/[^0-9A-Za-z]/gu, (character) => `-${(character.codePointAt(0) ?? 0).toString(16)}-`);
  return `${ROOTS[type]}:A${written}`;
}
