import { describe, expect, it } from '@jest/globals';
import { csvOfRates, missingRate, rateLike, ratesOf, rateTyped, withoutRate, withRate } from './rate-lines.js';

const FILE = 'date,from,to,rate\n2026-03-02,USD,EUR,0.9123\n2026-03-02,JPY,EUR,0.0061\n';
const [dollar, yen] = ratesOf(FILE);

describe('the file of exchange rates', () => {
  it('is the same after it was read and written', () => {
    expect(csvOfRates(ratesOf(FILE))).toBe(FILE);
    expect(ratesOf('date,from,to,rate\n')).toEqual([]);
    expect(ratesOf('')).toEqual([]);
  });

  it('has one rate for a day and two currencies: a corrected one takes the place of the other', () => {
    const corrected = { date: '2026-03-02', from: 'USD', to: 'EUR', rate: '0.9132' };
    expect(withRate(ratesOf(FILE), corrected)).toEqual([yen, corrected]);
    expect(withRate(ratesOf(FILE), { ...corrected, date: '2026-03-03' })).toHaveLength(3);
    expect(withoutRate(ratesOf(FILE), corrected)).toEqual([yen]);
    expect(rateLike(ratesOf(FILE), corrected)).toEqual(dollar);
    expect(rateLike(ratesOf(FILE), { ...corrected, to: 'SEK' })).toBeUndefined();
  });
});

describe('a rate as it is typed', () => {
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
  ])('%j is %j', (text, rate) => {
    expect(rateTyped(text)).toBe(rate);
  });
});

describe('the key of an issue', () => {
  it.each([
    ['rate:USD-EUR-2026-02-10', { date: '2026-02-10', from: 'USD', to: 'EUR' }],
    ['rate:usd-eur-2026-02-10', { date: '2026-02-10', from: 'USD', to: 'EUR' }],
    ['account:6475', undefined],
    ['rate:USD', undefined],
  ])('%s misses %j', (key, rate) => {
    expect(missingRate(key)).toEqual(rate);
  });
});
