import { describe, expect, it } from '@jest/globals';
import { localize } from '../../messages/texts.js';
import { discrepancyText } from './discrepancy-text.js';

type Line = readonly [accountCode: string, amountMinor: string];

const entry = (state: string, lines: readonly Line[], lineCount = lines.length) => ({
  ...{ state, currency: 'EUR', lineCount },
  lines: lines.map(([accountCode, amountMinor]) => ({ accountCode, amountMinor, dimensions: {} })),
});
const PLANNED = entry('posted', [
  ['6430', '6480'],
  ['1130', '-6480'],
]);
const MOVED = [
  ['6440', '6480'],
  ['1130', '-6480'],
] as const;
const evidence = (...booked: readonly object[]) => ({
  platform: {},
  record: { posting: { entries: [PLANNED] } },
  erp: [{ key: 'k', entries: booked }],
});
const said = (language: string, kind: string, of: unknown) => localize(language, discrepancyText(kind, of)).text;

describe('a discrepancy of accounts', () => {
  it('names those that differ, with both figures', () => {
    const found = evidence(entry('reversed', [['9999', '1']]), entry('posted', MOVED));
    expect(said('en', 'account-drift', found)).toBe(
      'An account differs. 6430: planned 64.80 EUR, in the books 0.00 EUR. 6440: planned 0.00 EUR, in the books 64.80 EUR.',
    );
    expect(said('de', 'account-drift', found)).toBe(
      'Ein Konto weicht ab. 6430: geplant 64,80 EUR, in den Büchern 0,00 EUR. 6440: geplant 0,00 EUR, in den Büchern 64,80 EUR.',
    );
  });

  it.each([
    ['not all lines were kept', evidence(entry('posted', MOVED, 21))],
    ['each account has the same sum', evidence(PLANNED)],
    ['the evidence is of another shape', { erp: 'not-verifiable' }],
  ])('names none where %s', (_, of) => {
    expect(said('en', 'account-drift', of)).toBe('An account differs.');
  });
});

it('another discrepancy is described by its kind', () => {
  expect(said('en', 'amount-drift', evidence(entry('posted', MOVED)))).toBe('The amount differs.');
});
