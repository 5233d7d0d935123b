import { describe, expect, it } from '@jest/globals';
import { addDays, localDateIn, parseLocalDate, type LocalDate } from './local-date.js';

function day(text: string): LocalDate {
  const parsed = parseLocalDate(text);
  if (parsed === undefined) throw new Error(`${text} is no day`);
  return parsed;
}

describe('local dates', () => {
  it.each(['2026-02-29', '2026-13-01', '2026-00-10', '2026-1-1', '2026-01-01T00:00:00Z', '', '20260101', '2026-04-31'])(
    '"%s" is no day',
    (text) => {
      expect(parseLocalDate(text)).toBeUndefined();
    },
  );

  it('knows the leap day', () => {
    expect(parseLocalDate('2028-02-29')).toBe('2028-02-29');
  });

  it.each([
    ['2026-01-31T23:30:00Z', 'Europe/Copenhagen', '2026-02-01'],
    ['2026-01-31T22:59:59Z', 'Europe/Copenhagen', '2026-01-31'],
    ['2026-07-31T22:00:00Z', 'Europe/Copenhagen', '2026-08-01'], // summer time
    ['2026-02-01T04:59:59Z', 'America/New_York', '2026-01-31'],
    ['2026-01-31T12:00:00Z', 'UTC', '2026-01-31'],
    ['0999-05-06T12:00:00Z', 'UTC', undefined],
  ])('%s in %s is %s', (instant, timeZone, expected) => {
    const localDate = () => localDateIn(new Date(instant), timeZone);
    if (expected === undefined) expect(localDate).toThrow(RangeError);
    else expect(localDate()).toBe(expected);
  });

  it('throws for a time zone or an instant that does not exist', () => {
    expect(() => localDateIn(new Date('2026-01-01T00:00:00Z'), 'Europe/Atlantis')).toThrow(RangeError);
    expect(() => localDateIn(new Date('not a date'), 'UTC')).toThrow(RangeError);
  });

  it.each([
    ['2026-02-28', 1, '2026-03-01'],
    ['2026-01-01', -1, '2025-12-31'],
    ['2026-03-29', 1, '2026-03-30'], // the day of 23 hours
    ['2026-05-05', 0, '2026-05-05'],
  ])('%s plus %d days is %s', (from, days, to) => {
    expect(addDays(day(from), days)).toBe(to);
  });

  it('cannot leave the four-digit years', () => {
    expect(() => addDays(day('9999-12-31'), 1)).toThrow(RangeError);
  });
});
