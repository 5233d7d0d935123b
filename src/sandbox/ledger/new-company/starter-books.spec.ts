import { describe, expect, it } from '@jest/globals';
import { starterPeriods } from './starter-books.js';

describe('the periods that a new company begins with', () => {
  it('follow one another without a gap, a month each', () => {
    const periods = starterPeriods(2028);
    expect(periods).toHaveLength(36);
    expect(periods[0]).toEqual({ fiscalYear: 2027, from: '2027-01-01', to: '2027-01-31', state: 'open' });
    expect(periods.at(-1)).toEqual({ fiscalYear: 2029, from: '2029-12-01', to: '2029-12-31', state: 'open' });
    expect(periods.find(({ from }) => from === '2028-02-01')?.to).toBe('2028-02-29');
    for (const [index, { to }] of periods.slice(0, -1).entries()) {
      expect(Date.parse(periods[index + 1]?.from ?? '') - Date.parse(to)).toBe(86_400_000);
    }
  });
});
