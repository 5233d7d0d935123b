import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const document = readFileSync('docs/erp-adapters.md', 'utf8');
const adapter = readFileSync('test/support/tiny-books/tiny-books.erp.ts', 'utf8');

const withoutBlanks = (text: string) => text.split('\n').filter((line) => line.trim() !== '');

describe('the tutorial for ERP adapters', () => {
  it('shows the adapter that the tests compile and run, character by character', () => {
    const parts = [...document.matchAll(/^```ts\n\/\/ tiny-books\.erp\.ts, part \d+\n(.*?)^```$/gms)].map(
      ([, code = '']) => code,
    );
    expect(withoutBlanks(parts.join('\n'))).toEqual(withoutBlanks(adapter));
  });

  it('has an adapter of at most 300 lines of code', () => {
    const code = withoutBlanks(adapter).filter((line) => !/^\s*(\/\/|\/\*\*|\*)/.test(line));
    expect(code.length).toBeLessThanOrEqual(300);
  });
});
