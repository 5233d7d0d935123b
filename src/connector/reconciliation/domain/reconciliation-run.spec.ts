import { describe, expect, it } from '@jest/globals';
import { usualPeriod } from './reconciliation-run.js';

describe('the usual period of a run', () => {
  it.each([
    ['Europe/Tallinn', '2026-08-31T21:00:00Z'],
    ['Pacific/Kiritimati', '2026-08-31T10:00:00Z'],
    ['America/Chicago', '2026-09-01T05:00:00Z'],
  ])('in November has all of September in %s', (_zone, begin) => {
    const now = new Date('2026-11-27T23:46:37Z');
    const { from, until } = usualPeriod(now);
    expect(from.getTime()).toBeLessThanOrEqual(Date.parse(begin));
    expect(until).toEqual(now);
  });
});
