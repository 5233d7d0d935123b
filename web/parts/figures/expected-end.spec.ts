import { describe, expect, it } from '@jest/globals';
import { expectedEnd, platformTime } from './expected-end.js';

const STARTED_AT = '2026-03-04T10:00:00Z';
const START = Date.parse(STARTED_AT);
const job = (successful: number, failed: number, numberOfItems: number, startedAt: string | null = STARTED_AT) => ({
  ...{ successful, failed, numberOfItems, startedAt },
});

describe('the expected end of an export', () => {
  it.each([
    ['goes on at the pace so far', job(90, 10, 400), 60_000, START + 240_000],
    ['is not known before some are done', job(19, 0, 400), 60_000, undefined],
    ['is not known in the first seconds', job(100, 0, 400), 4_999, undefined],
    ['is not known before it has started', job(0, 0, 400, null), 60_000, undefined],
    ['is not given once all are done', job(390, 10, 400), 60_000, undefined],
  ])('%s', (_, progress, elapsed, end) => {
    expect(expectedEnd(progress, START + elapsed)).toBe(end);
  });
});

it('the time of the platform is known from what is left until the end', () => {
  const now = platformTime({ expiresAt: '2026-11-27T11:00:00.000Z', secondsLeft: 3_000 });
  expect(new Date(now).toISOString()).toBe('2026-11-27T10:10:00.000Z');
});
