import { describe, expect, it } from '@jest/globals';
import { Bug } from './faults.js';
import { isUuid, toCompanyId, toErpVendorId } from './ids.js';

describe('identifiers', () => {
  it.each([
    ['018f2f6a-3c1e-7d2b-9a4e-0123456789ab', true],
    ['018F2F6A-3C1E-7D2B-9A4E-0123456789AB', true],
    ['00000000-0000-0000-0000-000000000000', true],
    ['018f2f6a3c1e7d2b9a4e0123456789ab', false],
    ['018f2f6a-3c1e-7d2b-9a4e-0123456789ab ', false],
    ['', false],
  ])('isUuid("%s") is %s', (text, expected) => {
    expect(isUuid(text)).toBe(expected);
  });

  it('normalizes the spelling of a UUID', () => {
    expect(toCompanyId('018F2F6A-3C1E-7D2B-9A4E-0123456789AB')).toBe('018f2f6a-3c1e-7d2b-9a4e-0123456789ab');
  });

  it('refuses to brand a text that is not a UUID', () => {
    expect(() => toCompanyId('7')).toThrow(Bug);
  });

  it('keeps external identifiers unchanged, but refuses an empty or endless one', () => {
    expect(toErpVendorId('V-7')).toBe('V-7');
    expect(() => toErpVendorId('')).toThrow(Bug);
    expect(() => toErpVendorId('x'.repeat(256))).toThrow(Bug);
  });

  it('counts characters, as requests and the database do, not the two halves that some of them have', () => {
    expect(toErpVendorId('😀'.repeat(255))).toBe('😀'.repeat(255));
    expect(() => toErpVendorId('😀'.repeat(256))).toThrow(Bug);
    expect(() => toErpVendorId(`${'😀'.repeat(150)}${'x'.repeat(106)}`)).toThrow(Bug);
  });
});
