import { expect, it } from '@jest/globals';

// What a browser has: the reader has chosen English.
Object.assign(globalThis, { localStorage: { getItem: () => 'en' } });
const { settingInWords } = await import('./setting-words.js');

it.each([
  ['Company bank', 'Company bank'],
  ['Company bank (EUR)', 'Company bank (EUR)'],
  ['Wallet (USD)', 'Wallet (USD)'],
  ['Fallback account (fee)', 'Fallback account (fee)'],
  ['FX rounding', 'FX rounding'],
  ['Realized FX gain/loss', 'Realized FX gain/loss'],
  ['Of a later release (EUR)', 'Of a later release (EUR)'],
])('the setting %s is shown as "%s", as at Set-up', (name, words) => {
  expect(settingInWords(name)).toBe(words);
});
