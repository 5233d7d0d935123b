import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { exceedsJsonBudget } from './json-budget.js';

function countValues(value: unknown): number {
  const inner = typeof value === 'object' && value !== null ? Object.values(value) : [];
  return inner.reduce<number>((sum, each) => sum + countValues(each), 1);
}

function depthOf(value: unknown): number {
  return typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
}

function mostNames(value: unknown): number {
  const inner = typeof value === 'object' && value !== null ? Object.values(value) : [];
  const own = Array.isArray(value) ? 0 : inner.length;
  return Math.max(own, ...inner.map(mostNames));
}

describe('the budget of a JSON text', () => {
  it.each([
    ['{"a":1,"b":[true,null]}', 5, 2, 2],
    ['[{},{},{}]', 4, 2, 0],
    ['[{"a":{"b":0,"c":0,"d":0},"e":0},{"f":0,"g":0}]', 10, 3, 3],
    ['"one, [two] {three}: \\" \\\\"', 1, 0, 0],
    [' [ 1 , -2.5e+3 , "\\u005b" ] ', 4, 1, 0],
    ['{"\\"a,b\\"":{}}', 2, 2, 1],
  ])('counts values, depth and names: %s', (text, maxValues, maxDepth, maxNames) => {
    const exact = { maxValues, maxDepth, maxNames };
    expect(exceedsJsonBudget(text, exact)).toBe(false);
    expect(exceedsJsonBudget(text, { ...exact, maxValues: maxValues - 1 })).toBe(true);
    expect(exceedsJsonBudget(text, { ...exact, maxDepth: maxDepth - 1 })).toBe(true);
    expect(exceedsJsonBudget(text, { ...exact, maxNames: maxNames - 1 })).toBe(true);
  });

  it('counts like a traversal of the parsed text', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        const parsed: unknown = JSON.parse(text);
        const exact = { maxValues: countValues(parsed), maxDepth: depthOf(parsed), maxNames: mostNames(parsed) };
        return (
          !exceedsJsonBudget(text, exact) &&
          exceedsJsonBudget(text, { ...exact, maxValues: exact.maxValues - 1 }) &&
          exceedsJsonBudget(text, { ...exact, maxDepth: exact.maxDepth - 1 }) &&
          (exact.maxNames === 0 || exceedsJsonBudget(text, { ...exact, maxNames: exact.maxNames - 1 }))
        );
      }),
    );
  });

  it('terminates for any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        exceedsJsonBudget(text, { maxValues: 3, maxDepth: 2, maxNames: 1 });
      }),
    );
  });
});
