import { describe, expect, it } from '@jest/globals';
import { englishText } from '../../messages/texts.js';
import { currency, day } from '../../bookkeeping/item/planning.fixtures.js';
import {
  conflictText,
  afterReversal,
  reversalInDoubt,
  whileEntryStands,
  whileInDoubt,
  replacedWarning,
} from './conflict-text.js';
import type { EntryLines, KnownPosting } from './plans/known-entry.js';
import type { Reason } from './item-failure.js';
import { decideVerdict, MAX_REASON_LENGTH } from './verdict.js';

const ADVICE = 'Do this, then that.';

function lines(text: string, more: Partial<EntryLines> = {}): EntryLines {
  return {
    role: 'entry',
    postingDate: day('2026-11-01'),
    currency: currency('EUR'),
    lines: text.split(' · ').map((one) => {
      const [accountCode = '', minor = ''] = one.split(' ');
      return { accountCode, amountMinor: BigInt(minor) };
    }),
    ...more,
  };
}

function posting(content: readonly EntryLines[], externalId = 'J-1'): KnownPosting {
  return { externalId, externalUrl: 'erp://J-1', contentDigest: '0123456789abcdef', content, warnings: [] };
}

const meal = lines('6071 10000 · 1935 -10000');
const dearer = lines('6071 12000 · 1935 -12000');

describe('the reason of a conflict', () => {
  it('shows what is in the books, what the export contains, and what to do', () => {
    expect(conflictText(posting([meal]), [dearer], ADVICE)).toBe(
      'This entry is in the books already (J-1) with other content. ' +
        'In the books: 6071 +100.00 · 1935 −100.00 EUR on 2026-11-01. ' +
        'The export says now: 6071 +120.00 · 1935 −120.00 EUR on 2026-11-01. Do this, then that.',
    );
  });

  it.each<readonly [string, readonly EntryLines[], string]>([
    [
      'names the roles of several entries',
      [
        lines('5410 9900 · 2441 -9900', { role: 'invoice' }),
        lines('2441 9900 · 1935 -9900', { role: 'payment', postingDate: day('2026-11-02') }),
      ],
      'invoice 5410 +99.00 · 2441 −99.00 EUR on 2026-11-01; payment 2441 +99.00 · 1935 −99.00 EUR on 2026-11-02',
    ],
    [
      'writes amounts with the digits of their currency',
      [lines('5800 1500 · 1937 -1500', { currency: currency('JPY') })],
      '5800 +1500 · 1937 −1500 JPY on 2026-11-01',
    ],
    [
      'leaves out the line that has an amount in the functional currency only',
      [lines('5410 1000 · 1936 -1000 · 3960 0', { currency: currency('USD') })],
      '5410 +10.00 · 1936 −10.00 USD on 2026-11-01',
    ],
  ])('%s', (_, content, text) => {
    expect(conflictText(posting(content), [meal], ADVICE)).toContain(`In the books: ${text}.`);
    expect(conflictText(posting([meal]), content, ADVICE)).toContain(`The export says now: ${text}.`);
  });

  it('states what is known of an entry without lines', () => {
    expect(conflictText(posting([]), [meal], ADVICE)).toContain(
      'In the books: lines that are not known here (content 0123456789ab). The export says now: 6071 +100.00',
    );
  });

  it('describes what cannot be booked', () => {
    expect(conflictText(posting([meal]), 'fee of 3.00 EUR', ADVICE)).toContain(
      'The export says now: fee of 3.00 EUR. Do this',
    );
  });

  it('states that the lines are equal and something else has changed', () => {
    expect(conflictText(posting([meal]), [meal], ADVICE)).toContain(
      'In the books: 6071 +100.00 · 1935 −100.00 EUR on 2026-11-01. ' +
        'The export says now: the same lines; something else of it was changed: its time of day, type, tax codes, tags, vendor, or invoice number or dates. Do this',
    );
  });
});

describe('a reason over the length limit', () => {
  const many = (count: number, minor: string) =>
    lines(Array.from({ length: count }, (_, index) => `${(6_000 + index).toString()} ${minor}`).join(' · '));

  it('shows as many lines of both contents as fit, and counts the omitted ones', () => {
    const text = conflictText(posting([many(500, '1')]), [many(499, '2')], ADVICE);
    expect(text).toMatch(
      /In the books: 6000 \+0\.01 · .* · … \d+ more lines EUR on 2026-11-01\. The export says now: 6000 \+0\.02 · .* · … \d+ more lines EUR on 2026-11-01\. Do this, then that\.$/,
    );
    expect(text.length).toBeGreaterThan(MAX_REASON_LENGTH - 150);
    expectToFit(text, ADVICE);
  });

  it('shows the first lines of every entry', () => {
    const text = conflictText(posting([many(500, '1'), many(400, '-1')]), [meal], ADVICE);
    expect(text).toMatch(
      /In the books: entry 6000 \+0\.01 · .* more lines EUR on 2026-11-01; entry … 400 more lines EUR on 2026-11-01\. The/,
    );
  });

  it('counts what it omits', () => {
    const short = Array.from({ length: 40 }, (_, index) => `${(6_000 + index).toString()} 1`);
    const leftOut = Array.from({ length: 40 }, (_, count) => {
      const content = lines([...short.slice(0, count), `${'8'.repeat(40)} 1`].join(' · '));
      const [inBooks = ''] = conflictText(posting([content]), [many(60, '2')], ADVICE).split('. The export');
      return / · (… .*) EUR on/.exec(inBooks)?.[1];
    });
    const counts = leftOut.filter((words) => words !== undefined);
    expect([...new Set(counts)].slice(0, 2)).toEqual(['… 1 more line', '… 2 more lines']);
  });

  it('shortens accounts before it omits lines', () => {
    const text = conflictText(posting([lines(`${'8'.repeat(255)} 1 · ${'9'.repeat(255)} -1`)]), [meal], ADVICE);
    expect(text).toContain(`In the books: ${'8'.repeat(39)}… +0.01 · ${'9'.repeat(39)}… −0.01 EUR`);
  });

  it('gives the unused room of one content to the other', () => {
    const text = conflictText(posting([meal]), [many(45, '2')], ADVICE);
    expect(text).toContain('6044 +0.02 EUR on 2026-11-01.');
    expectToFit(text, ADVICE);
  });

  it('does not treat long lists with the same beginning as equal', () => {
    const text = conflictText(posting([many(500, '1')]), [many(501, '1')], ADVICE);
    expect(text).not.toContain('the same lines');
  });

  it.each<readonly [string, () => string, string]>([
    ['accounts', () => conflictText(posting([lines(`${'8'.repeat(255)} 1`)]), [meal], ADVICE), ADVICE],
    ['an id', () => conflictText(posting([meal], 'J'.repeat(2_000)), [dearer], ADVICE), ADVICE],
    ['words', () => conflictText(posting([meal]), 'x'.repeat(2_000), ADVICE), ADVICE],
    ['many entries', () => conflictText(posting(Array<EntryLines>(300).fill(meal)), [meal], ADVICE), ADVICE],
    [
      'the same entries',
      () => conflictText(posting(Array<EntryLines>(300).fill(meal)), Array<EntryLines>(300).fill(meal), ADVICE),
      ADVICE,
    ],
    ['advice', () => conflictText(posting([meal]), [dearer], `Mend it: ${'x'.repeat(2_000)}`), '…'],
  ])('fits the limit with endless %s', (_, write, end) => {
    expectToFit(write(), end);
  });

  it('never splits a character', () => {
    const text = conflictText(posting([meal]), '😀'.repeat(1_000), ADVICE);
    expect(text.isWellFormed()).toBe(true);
    expectToFit(text, ADVICE);
  });
});

describe('another kind of reason', () => {
  const known = posting([meal]);
  it.each<readonly [string, (reason: Reason) => Reason, string]>([
    [
      'keeps what stands in the books',
      (reason) => whileEntryStands(known, reason),
      'Until then the books have it as it was exported before (J-1).',
    ],
    [
      'keeps that nothing stands',
      (reason) => afterReversal('J-1', reason),
      'Its earlier entry (J-1) is reversed, so nothing of it is in the books now.',
    ],
    [
      'keeps that a post is in doubt',
      whileInDoubt,
      'Whether it is in the books could not be asked: the next export of it looks first.',
    ],
    [
      'keeps that a reversal is in doubt',
      (reason) => reversalInDoubt(known, reason),
      'Its earlier entry (J-1) was being reversed, and whether it still stands could not be asked: the next export of it looks first.',
    ],
  ])('%s, at any length', (_, write, end) => {
    expect(write({ failureReason: 'Too late.' })).toEqual({ failureReason: `Too late. ${end}` });
    expectToFit(write({ failureReason: 'x'.repeat(5_000) }).failureReason, end);
  });
});

it('the warning about a replacement names the replaced entry', () => {
  expect(englishText(replacedWarning('J-1'))).toBe(
    'It replaces J-1, which an earlier export had posted and which was reversed.',
  );
});

/** Also behind the sentence that a job's verdict puts before it. */
function expectToFit(failureReason: string, end: string): void {
  expect(failureReason.length).toBeLessThanOrEqual(MAX_REASON_LENGTH);
  expect(failureReason.endsWith(end)).toBe(true);
  const mainFailure = { type: 'validation_failure', reason: failureReason };
  const verdict = decideVerdict({ successful: 0, failed: 100_000, mainFailure }, 100_000);
  expect(verdict.event === 'failed' && verdict.failureReason.endsWith(end)).toBe(true);
}
