import { describe, expect, it } from '@jest/globals';
import { overtakenBy } from './overtaken.js';

describe('a form whose values were saved anew elsewhere', () => {
  const initial = { address: '', kinds: ['export-failed'] };

  it('knows what was entered, which the newer values have replaced', () => {
    const values = { address: 'mine', kinds: [] };
    expect(overtakenBy({ address: 'theirs', kinds: [] }, { initial, values })).toBe(values);
  });

  it('has nothing to give back where nothing was entered', () => {
    expect(overtakenBy({ address: 'theirs', kinds: [] }, { initial, values: { ...initial } })).toBeUndefined();
  });

  it('has nothing to give back where just that was saved, whatever the order of its fields', () => {
    const values = { address: 'mine', kinds: ['a'] };
    expect(overtakenBy({ kinds: ['a'], address: 'mine' }, { initial, values })).toBeUndefined();
  });

  it('still knows what was entered when it is saved elsewhere a second time', () => {
    const overtaken = { address: 'mine', kinds: [] };
    const theirs = { address: 'theirs', kinds: [] };
    expect(overtakenBy({ address: 'last', kinds: [] }, { initial: theirs, values: theirs, overtaken })).toBe(overtaken);
  });
});
