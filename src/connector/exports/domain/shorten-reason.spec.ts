import { expect, it } from '@jest/globals';
import { MAX_REASON_LENGTH, shortenReason } from './verdict.js';

const MORE = ' … and more: the connector shows all of it.';

it.each([
  ['what fits', 'Line 1: no such account.', 'Line 1: no such account.'],
  ['what just fits', 'x'.repeat(1_000), 'x'.repeat(1_000)],
  ['sentences', `First. ${'x'.repeat(600)}. ${'y'.repeat(600)}.`, `First. ${'x'.repeat(600)}.${MORE}`],
  ['one endless word', 'x'.repeat(1_001), `${'x'.repeat(1_000 - MORE.length)}${MORE}`],
  ['a character of two units at the edge', `${'x'.repeat(956)}🍕${'y'.repeat(100)}`, `${'x'.repeat(956)}${MORE}`],
])('shortens the reason of %s', (_, reason, expected) => {
  const short = shortenReason(reason);
  expect(short).toBe(expected);
  expect(short.length).toBeLessThanOrEqual(MAX_REASON_LENGTH);
  expect(short.isWellFormed()).toBe(true);
});

it('leaves room for what comes after it', () => {
  expect(shortenReason('x'.repeat(900), 100)).toBe('x'.repeat(900));
  expect(shortenReason('x'.repeat(901), 100)).toBe(`${'x'.repeat(900 - MORE.length)}${MORE}`);
});
