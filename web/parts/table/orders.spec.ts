import { describe, expect, it } from '@jest/globals';
import { orderNames, shownDirection, turnedOrder } from './orders.js';

const date = { header: 'Date', sort: 'date' };
const found = { header: 'The export', sort: 'newest', isSortedDownOnly: true };
const state = { header: 'State' };

describe('the order of a list', () => {
  it.each([
    [date, 'date', 'ascending'],
    [date, '-date', 'descending'],
    [date, 'newest', 'none'],
    [found, 'newest', 'descending'],
    [found, 'date', 'none'],
    [state, 'date', 'none'],
  ])('of the column %j is, for %s, %s', (column, by, direction) => {
    expect(shownDirection(column, by)).toBe(direction);
  });

  it.each([
    [date, 'newest', 'date'],
    [date, 'date', '-date'],
    [date, '-date', 'date'],
    [found, 'newest', 'newest'],
    [found, 'date', 'newest'],
    [state, 'date', 'date'],
  ])('is, after a click on the header of %j, from %s on %s', (column, by, turned) => {
    expect(turnedOrder(column, by)).toBe(turned);
  });

  it('can be chosen by name, each that a header shows', () => {
    expect([...orderNames([date, found, state])]).toEqual([
      ['date', 'Date ↑'],
      ['-date', 'Date ↓'],
      ['newest', 'The export ↓'],
    ]);
  });
});
