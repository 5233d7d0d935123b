import { describe, expect, it } from '@jest/globals';
import { parseCurrency } from '../../../kernel/currency.js';
import { Bug } from '../../../kernel/faults.js';
import { AccountTotalAccumulator, explainedPart, monthIn } from './close-report.js';

function currency(code: string) {
  const parsed = parseCurrency(code);
  if (parsed === undefined) {
    throw new Bug(code);
  }
  return parsed;
}
const [EUR, SEK] = [currency('EUR'), currency('SEK')];

describe('a month', () => {
  it.each<[string, string, string, string]>([
    ['2026-03', 'UTC', '2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z'],
    ['2026-12', 'UTC', '2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z'],
    ['2028-02', 'UTC', '2028-02-01T00:00:00Z', '2028-03-01T00:00:00Z'],
    // The clocks go forward, and back, within it.
    ['2026-03', 'Europe/Stockholm', '2026-02-28T23:00:00Z', '2026-03-31T22:00:00Z'],
    ['2026-10', 'Europe/Stockholm', '2026-09-30T22:00:00Z', '2026-10-31T23:00:00Z'],
    ['2026-03', 'America/New_York', '2026-03-01T05:00:00Z', '2026-04-01T04:00:00Z'],
    ['2026-11', 'America/New_York', '2026-11-01T04:00:00Z', '2026-12-01T05:00:00Z'],
    // At its first midnight: an hour that does not exist, and one that is there twice.
    ['2017-10', 'America/Asuncion', '2017-10-01T04:00:00Z', '2017-11-01T03:00:00Z'],
    ['2020-11', 'America/Havana', '2020-11-01T04:00:00Z', '2020-12-01T05:00:00Z'],
    // The zones that are furthest ahead and behind, and one of odd quarters.
    ['2026-03', 'Pacific/Kiritimati', '2026-02-28T10:00:00Z', '2026-03-31T10:00:00Z'],
    ['2026-03', 'Pacific/Pago_Pago', '2026-03-01T11:00:00Z', '2026-04-01T11:00:00Z'],
    ['2026-03', 'Asia/Kathmandu', '2026-02-28T18:15:00Z', '2026-03-31T18:15:00Z'],
  ])('%s in %s is from %s to %s', (month, timeZone, from, until) => {
    expect(monthIn(month, timeZone)).toEqual({ from: new Date(from), until: new Date(until) });
  });

  it.each(['2026-13', '2026-00', '2026-3', 'march', ''])('%j is none', (month) => {
    expect(monthIn(month, 'UTC')).toBeUndefined();
  });
});

describe('the explained part', () => {
  it.each<[bigint, bigint, number, bigint, string]>([
    [10_000n, 0n, 0, 10_000n, '1.000000000'],
    [10_000n, 10_000n, 0, 0n, '0.000000000'],
    [10_000n, 2_500n, 0, 7_500n, '0.750000000'],
    [300n, 100n, 0, 200n, '0.666666666'],
    // One minor unit of a great sum is not rounded away.
    [100_000_000_000_000n, 1n, 0, 99_999_999_999_999n, '0.999999999'],
    // What has no amount is in no sum, and still is not explained.
    [10_000n, 0n, 1, 10_000n, '0.999999999'],
    [10_000n, 2_500n, 1, 7_500n, '0.750000000'],
    [0n, 0n, 1, 0n, '0.000000000'],
    [0n, 0n, 0, 0n, '1.000000000'],
  ])('of %s without %s and %d of no amount is %s', (total, unexplained, withoutAmount, explained, fraction) => {
    expect(explainedPart(EUR, total, unexplained, withoutAmount)).toEqual({
      currency: EUR,
      totalMinor: total,
      explainedMinor: explained,
      fraction,
    });
  });
});

describe('totals of accounts', () => {
  it('are added up over jobs, by currency and account', () => {
    const totals = new AccountTotalAccumulator();
    const of = (accountCode: string, debitMinor: bigint, creditMinor: bigint, code = EUR) => ({
      currency: code,
      accountCode,
      debitMinor,
      creditMinor,
    });
    totals.add([of('5410', 10_000n, 0n), of('1935', 0n, 10_000n)]);
    totals.add([of('5410', 700n, 200n), of('1935', 0n, 500n), of('1935', 0n, 9n, SEK), of('5410', 9n, 0n, SEK)]);
    expect(totals.sorted()).toEqual([
      of('1935', 0n, 10_500n),
      of('5410', 10_700n, 200n),
      of('1935', 0n, 9n, SEK),
      of('5410', 9n, 0n, SEK),
    ]);
    expect([...totals.debits()]).toEqual([
      ['EUR', 10_700n],
      ['SEK', 9n],
    ]);
  });
});
