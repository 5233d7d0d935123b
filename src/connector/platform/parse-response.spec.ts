import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parse as parseLossless } from 'lossless-json';
import { exactNumbers } from './parse-response.js';

const lossless = (text: string) => parseLossless(text, undefined, (digits) => digits);

describe('numbers in a response', () => {
  it.each([
    '0',
    '-0',
    '12',
    '-12.5',
    '1.50',
    '100.0',
    '0.05',
    '0.0000001',
    '-0.0',
    '-0.5',
    '1e3',
    '1E-7',
    '12.5e2',
    '123456789012345',
    '1234567890123456',
    '9007199254740993',
    '0.1234567890123456',
    '10',
    '1.005',
    '20.01',
  ])('%s is kept as it was sent, at any position', (digits) => {
    const text = `{"a":${digits},"b":[ ${digits},{"c" : ${digits}}],"d":"x:1e5"}`;
    expect(exactNumbers(text)).toEqual({ a: digits, b: [digits, { c: digits }], d: 'x:1e5' });
    expect(exactNumbers(digits)).toBe(digits);
  });

  it('equal those of the reference parser, for any JSON', () => {
    const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,18})(\.\d{1,18})?(e[+-]?\d{1,2})?$/);
    const document = fc.record({ texts: fc.array(fc.json()), numbers: fc.array(digits) });
    fc.assert(
      fc.property(document, ({ texts, numbers }) => {
        const text = `{"texts":[${texts.join(',')}],"numbers":[${numbers.join(' , ')}]}`;
        expect(JSON.stringify(exactNumbers(text))).toBe(JSON.stringify(lossless(text)));
      }),
      { numRuns: 2_000 },
    );
  });
});
