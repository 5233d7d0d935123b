import { describe, expect, it } from '@jest/globals';
import { indexVendors } from '../item/bookkeeping-context.js';
import { vendor } from '../item/planning.fixtures.js';
import { normalizedTaxNumber, vendorNameKey } from './vendor-keys.js';

describe('the key of a tax number', () => {
  it.each([
    ['DK 12-34.56 78', 'DK12345678'],
    ['dk12345678', 'DK12345678'],
    ['ångström 1', 'ÅNGSTRÖM1'],
    [' - ', undefined],
    ['', undefined],
    [null, undefined],
    [undefined, undefined],
  ])('%j is %j', (text, key) => {
    expect(normalizedTaxNumber(text)).toBe(key);
  });
});

describe('the key of a name', () => {
  it.each([
    ['Acme Ltd', 'DK', 'DK acme ltd'],
    ['ACME LTD', ' dk ', 'DK acme ltd'],
    [' Acme \t  Ltd ', 'DK', 'DK acme ltd'],
    ['Acme\u00a0Ltd', 'DK', 'DK acme ltd'],
    ['Straße', 'DE', 'DE strasse'],
    ['ΟΔΟΣ', 'GR', 'GR οδος'],
    ['Ｆin', 'FI', 'FI fin'],
    ['Cafe\u0301', 'FR', 'FR café'],
  ])('%j of %j is %j', (name, country, key) => {
    expect(vendorNameKey(name, country)).toBe(key);
  });

  it.each([null, undefined, '', ' ', 'UNDEFINED', 'undefined'])('needs a country, which %j is not', (country) => {
    expect(vendorNameKey('Acme', country)).toBeUndefined();
  });
});

describe('the vendors of the accounting system are found', () => {
  const indexes = indexVendors([vendor(' V-1 ', { externalId: ' X-1 ' }), vendor('', { name: 'Two', externalId: '' })]);

  it('by number and platform id without the blanks around them', () => {
    expect([...indexes.vendorsByCode.keys()]).toEqual(['V-1']);
    expect([...indexes.vendorsByExternalId.keys()]).toEqual(['erp- V-1 ', 'X-1', 'erp-']);
  });

  it('by no number that they do not have', () => {
    expect(indexes.vendorsByCode.has('')).toBe(false);
    expect(indexes.vendorsByExternalId.has('')).toBe(false);
  });
});
