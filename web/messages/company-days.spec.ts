import { describe, expect, it } from '@jest/globals';
import { dayOrNone, latestMonth, monthLater, newestBegun, startOfDay } from './company-days.js';

describe('a day of the company', () => {
  it.each([
    ['2026-01-15', 'UTC', 0, '2026-01-15T00:00:00.000Z'],
    ['2026-01-15', 'Europe/Tallinn', 0, '2026-01-14T22:00:00.000Z'],
    ['2026-01-15', 'Europe/Tallinn', 1, '2026-01-15T22:00:00.000Z'],
    ['2026-07-15', 'America/New_York', 0, '2026-07-15T04:00:00.000Z'],
    // Clocks go forward in this night, and back in that one.
    ['2026-03-29', 'Europe/Copenhagen', 0, '2026-03-28T23:00:00.000Z'],
    ['2026-03-29', 'Europe/Copenhagen', 1, '2026-03-29T22:00:00.000Z'],
    ['2026-10-25', 'Europe/Copenhagen', 1, '2026-10-25T23:00:00.000Z'],
    ['2026-12-31', 'Asia/Tokyo', 1, '2026-12-31T15:00:00.000Z'],
  ])('%s begins in %s, %d days later, at %s', (day, zone, later, instant) => {
    expect(startOfDay(day, zone, later)).toBe(instant);
  });
});

describe('a text of an address', () => {
  // A browser has a day of the year 2, 20 and 202 while 2026 is typed.
  const typed = ['0002-11-27', '0020-11-27', '0202-11-27'];
  it.each(['', 'yesterday', '2026-13-01', '2026-02-30', '2026-2-3', '27.11.2026', '2026-11-27T10:00', ...typed])(
    '"%s" is no day',
    (text) => {
      expect(dayOrNone(text)).toBe('');
    },
  );

  it.each(['2026-11-27', '2024-02-29'])('"%s" is a day', (text) => {
    expect(dayOrNone(text)).toBe(text);
  });
});

describe('a month', () => {
  it.each([
    ['2026-01', -1, '2025-12'],
    ['2026-12', 1, '2027-01'],
    ['2026-03', 0, '2026-03'],
  ])('%s and %d is %s', (month, later, other) => {
    expect(monthLater(month, later)).toBe(other);
  });
});

describe('the latest month that can be chosen', () => {
  it.each([
    ['2026-11-30T09:59:59.999Z', '2026-11'],
    ['2026-11-30T10:00:00.000Z', '2026-12'],
    ['2026-12-31T10:00:00.000Z', '2027-01'],
  ])('is at %s %s', (now, month) => {
    expect(latestMonth(new Date(now))).toBe(month);
  });

  it.each([
    [['2027-01', '2026-11', '2026-10'], '2026-11'],
    [['2027-02', '2027-01'], '2027-02'],
    [[], undefined],
  ])('of the months %j, %s is shown first', (months, shown) => {
    expect(
      newestBegun(
        months.map((month) => ({ month })),
        '2026-12',
      ),
    ).toBe(shown);
  });
});
