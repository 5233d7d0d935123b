import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addDays, isTimeZone, localDateIn, parseLocalDate, type LocalDate } from './local-date.js';

function day(text: string): LocalDate {
  const parsed = parseLocalDate(text);
  if (parsed === undefined) throw new Error(`${text} is no day`);
  return parsed;
}

describe('local dates', () => {
  it.each([
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-1-1',
    '2026-01-01T00:00:00Z',
    '',
    '20260101',
    '2026-04-31',
    '0000-01-01',
  ])('"%s" is not a day', (text) => {
    expect(parseLocalDate(text)).toBeUndefined();
  });

  it('knows the leap days', () => {
    const years = ['2028', '2027', '2000', '1900'];
    expect(years.map((year) => parseLocalDate(`${year}-02-29`))).toEqual([
      '2028-02-29',
      undefined,
      '2000-02-29',
      undefined,
    ]);
  });

  it('match the calendar of the JavaScript runtime', () => {
    const twoDigits = fc.integer({ min: 0, max: 33 }).map((number) => number.toString().padStart(2, '0'));
    fc.assert(
      fc.property(fc.integer({ min: 1000, max: 9999 }), twoDigits, twoDigits, (year, month, dayOfMonth) => {
        const text = `${year.toString()}-${month}-${dayOfMonth}`;
        const time = new Date(`${text}T00:00:00Z`);
        const isDay = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
        expect(parseLocalDate(text)).toBe(isDay ? text : undefined);
      }),
      { numRuns: 2_000 },
    );
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

  // St. John's changed its clocks a minute after midnight; Kathmandu is 5:45 hours ahead; Amsterdam's offset had seconds once.
  it.each(['America/St_Johns', 'Asia/Kathmandu', 'Europe/Amsterdam', 'Africa/Cairo', 'Pacific/Apia', 'UTC'])(
    'in %s match its clocks at every second, and around every clock change',
    (timeZone) => {
      const clocks = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
      const seconds = fc.oneof(
        fc.integer({ min: -1_500_000_000, max: 2_500_000_000 }),
        fc.integer({ min: -900, max: 3_700 }).map((second) => Date.parse('2007-11-04T02:00:00Z') / 1_000 + second),
        fc.integer({ min: -900, max: 3_700 }).map((second) => Date.parse('2011-12-30T09:30:00Z') / 1_000 + second),
      );
      fc.assert(
        fc.property(seconds, (second) => {
          const instant = new Date(second * 1_000 + 7);
          expect(localDateIn(instant, timeZone)).toBe(clocks.format(instant));
        }),
        { numRuns: 500 },
      );
    },
  );

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

it.each([
  ['Europe/Copenhagen', true],
  ['UTC', true],
  ['Etc/GMT+5', true],
  ['Mars/Olympus', false],
  ['+05:30', false],
  ['', false],
])('a time zone of the name "%s": %s', (name, expected) => {
  expect(isTimeZone(name)).toBe(expected);
});
