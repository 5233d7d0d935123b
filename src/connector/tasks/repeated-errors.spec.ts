import { expect, it } from '@jest/globals';
import { RepeatedErrors } from './repeated-errors.js';

it('reports an error once in ten seconds, and another one at once', () => {
  const errors = new RepeatedErrors(10_000);
  const met = [
    [0, 'connection refused', true],
    [1, 'connection refused', false],
    [9_999, 'connection refused', false],
    [10_000, 'connection refused', true],
    [10_001, 'permission denied', true],
    [10_002, 'connection refused', true],
  ] as const;
  for (const [nowMs, message, isNew] of met) {
    expect([nowMs, errors.isNew(new Error(message), nowMs)]).toEqual([nowMs, isNew]);
  }
});
