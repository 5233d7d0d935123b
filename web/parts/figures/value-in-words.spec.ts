import { describe, expect, it } from '@jest/globals';
import type { PlannedEntryResponse } from '../../api/schema.js';

// What a browser has: the reader has chosen English.
Object.assign(globalThis, { localStorage: { getItem: () => 'en' } });
const { valueInWords } = await import('./value-in-words.js');

const money = { amountMinor: '1320', currency: 'USD', exponent: 2 };
const line = { account: { code: '1510' }, amountMinor: '1320', money, baseMoney: { ...money, currency: 'EUR' } };
const entries = [{ lines: [line] }] as unknown as readonly PlannedEntryResponse[];

describe('a value that differs', () => {
  it.each([
    ['/0/lines/0/amountMinor', '1320', '13.20 USD'],
    ['/0/lines/0/baseMinor', '1130', '11.30 EUR'],
    ['/0/lines/0/tax/taxMinor', '2640', '26.40 USD'],
    ['/0/lines/0/tax/taxBaseMinor', '2260', '22.60 EUR'],
    ['/0/lines/4/tax/taxableMinor', '11000', '110.00 USD'],
    ['/0/lines/0/tax/place', 'input', 'input tax'],
    ['/0/role', 'invoice', 'Invoice'],
    ['/0/state', 'posted', 'Posted'],
    ['/0/reference', 'posted', 'posted'],
    ['/policies/closedPeriod', 'fail', 'report as failed'],
  ])('at %s, %s, is shown as %s', (pointer, text, words) => {
    expect(valueInWords(pointer, text, entries).replaceAll('\u00a0', ' ')).toBe(words);
  });
});
