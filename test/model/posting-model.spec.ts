import { describe, expect, it } from '@jest/globals';
import { explore } from './explore.js';
import type { Rules } from './flights.js';
import { GUARANTEES, type Content } from './world.js';

const CORRECT = {
  isFenced: true,
  asksBeforeSending: true,
  writesIntents: true,
  believesSearch: false,
  mostUnderWay: 2,
};
const [permanentKey, expiringKey, searchable, none] = GUARANTEES;

/** One job, or two that export the same entry, with its content changed in between or not. */
const EXPLORATIONS: readonly [string, typeof permanentKey, readonly Content[], Partial<Rules>, boolean][] = [
  ['permanent-key, one export', permanentKey, ['a'], { mostUnderWay: 1 }, true],
  ['expiring-key, one export, as far as the limit goes', expiringKey, ['a'], {}, false],
  ['searchable-reference, one export', searchable, ['a'], {}, true],
  ['searchable-reference, a changed one, as far as the limit goes', searchable, ['a', 'b'], { mostUnderWay: 1 }, false],
  ['none, one export', none, ['a'], {}, true],
  ['none, the same again', none, ['a', 'a'], {}, true],
  ['none, a changed one', none, ['a', 'b'], {}, true],
];

it.each(EXPLORATIONS)(
  '%s: nothing is posted twice, nothing wrong is reported, and every job can reach a verdict',
  (_, guarantee, contents, rules, isComplete) => {
    const limit = isComplete ? 200_000 : 40_000;
    const explored = explore(contents, { ...CORRECT, ...rules, guarantee: guarantee ?? { level: 'none' } }, limit);
    expect(explored.violation).toBeUndefined();
    expect(explored.isComplete).toBe(isComplete);
  },
);

describe('the model detects', () => {
  it.each<[string, Partial<Rules>, string]>([
    ['a worker that has lost its lease and goes on', { isFenced: false }, 'reported as failed, and in the books'],
    ['a sending without a question', { asksBeforeSending: false }, 'reported as failed, and in the books'],
    ['an effect before its intent', { writesIntents: false }, 'there is no record of what is in the books'],
    ['a search that is believed too early', { believesSearch: true }, 'the entry is in the books twice'],
  ])('%s', (_, broken, what) => {
    const guarantee = searchable ?? { level: 'none' };
    const { violation } = explore(['a'], { ...CORRECT, ...broken, guarantee });
    expect(violation?.what).toBe(what);
  });
});
