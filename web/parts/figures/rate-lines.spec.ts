import { describe, expect, it } from '@jest/globals';
import { csvOfRates, missingRate, rateLike, ratesOf, rateTyped, withoutRate, withRate } from './rate-lines.js';

const FILE = 'date,from,to,rate\n2026-03-02,USD,EUR,0.9123\n2026-03-02,JPY,EUR,0.0061\n';
const [dollar, yen] = ratesOf(FILE);

describe('a file of exchange rates', () => {
  it('round-trips', () => {
    expect(csvOfRates(ratesOf(FILE))).toBe(FILE);
    expect(ratesOf('date,from,to,rate\n')).toEqual([]);
    expect(ratesOf('')).toEqual([]);
  });

  it('has one rate for a day and two currencies: a corrected one replaces the former', () => {
    const corrected = { date: '2026-03-02', from: 'USD', to: 'EUR', rate: '0.9132' };
    expect(withRate(ratesOf(FILE), corrected)).toEqual([yen, corrected]);
    expect(withRate(ratesOf(FILE), { ...corrected, date: '2026-03-03' })).toHaveLength(3);
    expect(withoutRate(ratesOf(FILE), corrected)).toEqual([yen]);
    expect(rateLike(ratesOf(FILE), corrected)).toEqual(dollar);
    expect(rateLike(ratesOf(FILE), { ...corrected, to: 'SEK' })).toBeUndefined();
  });
});

describe('an entered rate', () => {
  it.each([
    ['0.9123', '0.9123'],
    [' 0,9123 ', '0.9123'],
    ['11', '11'],
    ['0', undefined],
    ['0,000', undefined],
    ['-1', undefined],
    ['1.234,5', undefined],
    ['.9', undefined],
    ['', undefined],
  ])('%j is read as %j', (text, rate) => {
    expect(rateTyped(text, '.')).toBe(rate);
  });

  it.each([
    ['.', '17.250', undefined],
    ['.', '17,250', '17.250'],
    [',', '17,250', undefined],
    [',', '17.250', '17.250'],
  ])('where thousands have a "%s", %j is read as %j', (groupMark, text, rate) => {
    expect(rateTyped(text, groupMark)).toBe(rate);
  });
});

describe('the key of an issue', () => {
  it.each([
    ['rate:USD-EUR-2026-02-10', { date: '2026-02-10', from: 'USD', to: 'EUR' }],
    ['rate:usd-eur-2026-02-10', { date: '2026-02-10', from: 'USD', to: 'EUR' }],
    ['account:6475', undefined],
    ['rate:USD', undefined],
  ])('%s names the missing %j', (key, rate) => {
    expect(missingRate(key)).toEqual(rate);
  });
});
