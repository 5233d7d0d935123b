import { describe, expect, it } from '@jest/globals';
import { fieldInWords, pointerInWords } from './pointer.js';

// What a browser has: the reader has chosen English.
Object.assign(globalThis, { localStorage: { getItem: () => 'en' } });

const WORDS: Readonly<Record<string, string>> = { entries: 'entry', lines: 'line', postingDate: 'posting date' };

describe('the position of a value in an entry', () => {
  it.each([
    ['/entries/0/lines/1/account/code', 'entry 1, line 2, account'],
    ['/entries/1/postingDate', 'entry 2, posting date'],
    ['/lines/9', 'line 10'],
    ['', ''],
  ])('%s is shown as "%s"', (pointer, words) => {
    expect(pointerInWords(pointer, (name) => WORDS[name] ?? name)).toBe(words);
  });
});

describe('the position of a setting', () => {
  it.each([
    ['/accounts/accountsPayable', 'accounts, Accounts payable'],
    ['/accounts/companyBankByCurrency/EUR', 'accounts, company bank, EUR'],
    ['/accounts/fallbackAccounts/atm_withdrawal', 'accounts, fallback account, cash withdrawal'],
    ['/policies/closedPeriod', 'policies, Closed period'],
    ['/policies/ofALaterVersion', 'policies, ofALaterVersion'],
  ])('%s is shown as "%s"', (pointer, words) => {
    expect(pointerInWords(pointer, fieldInWords)).toBe(words);
  });
});

it.each([
  ['/0/rate', 'exchange rate'],
  ['/0/lines/1/tax/rate', 'line 2, tax, tax rate'],
])('the rate of %s is shown as "%s"', (pointer, words) => {
  expect(pointerInWords(pointer, fieldInWords)).toBe(words);
});
