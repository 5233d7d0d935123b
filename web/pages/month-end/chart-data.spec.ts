import { describe, expect, it } from '@jest/globals';
import { byDay, secondsToVerdict } from './chart-data.js';

describe('the charts of a month', () => {
  const counted = [
    { day: '2026-11-02', series: 'period', count: 1 },
    { day: '2026-11-01', series: 'account', count: 2 },
    { day: '2026-11-01', series: 'account', count: 3 },
    { day: '2026-11-02', series: 'vendor', count: 4 },
  ];

  it('sum by day and series, the largest first', () => {
    expect(byDay(counted, 5, 'others')).toEqual({
      series: ['account', 'vendor', 'period'],
      bars: [
        { name: '2026-11-01', values: [5, 0, 0] },
        { name: '2026-11-02', values: [0, 4, 1] },
      ],
    });
  });

  it('put the smallest together where there are more than colors', () => {
    expect(byDay(counted, 2, 'others')).toEqual({
      series: ['account', 'others'],
      bars: [
        { name: '2026-11-01', values: [5, 0] },
        { name: '2026-11-02', values: [0, 5] },
      ],
    });
  });

  it('count from the detection to the verdict', () => {
    expect(secondsToVerdict({ detectedAt: '2026-11-01T10:00:00Z', finishedAt: '2026-11-01T10:01:30Z' })).toBe(90);
    expect(secondsToVerdict({ detectedAt: '2026-11-01T10:00:00Z', finishedAt: null })).toBeUndefined();
  });
});
