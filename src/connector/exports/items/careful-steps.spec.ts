import { describe, expect, it } from '@jest/globals';
import { goesCarefully, itemToPutAside, mayBeLookedUp, nextStep } from './careful-steps.js';

const ITEMS = Array.from({ length: 120 }, (_, index) => ({ accountingEntryId: `E-${index}`, unreadable: '' }));
const deaths = (takeovers: number, suspect?: string, suspectDeaths = 0) => ({ takeovers, suspect, suspectDeaths });

/** The sizes of all steps of a run. */
function sizesOf(takeovers: number, suspect?: string): readonly number[] {
  const sizes: number[] = [];
  for (let done = 0; done < ITEMS.length; done += sizes.at(-1) ?? 0) {
    sizes.push(nextStep(ITEMS.slice(done), done, deaths(takeovers, suspect)).length);
  }
  return sizes;
}

describe('a run goes carefully', () => {
  it('after two workers in a row have died', () => {
    expect([0, 1, 2, 3, 9].map((takeovers) => goesCarefully(deaths(takeovers)))).toEqual([
      false,
      false,
      true,
      true,
      true,
    ]);
  });

  it('in smaller steps with each death, as far as the last worker can have died', () => {
    const ones = Array<number>(50).fill(1);
    expect(sizesOf(2)).toEqual([50, 50, 20]);
    expect(sizesOf(3)).toEqual([...Array<number>(10).fill(5), 50, 20]);
    expect(sizesOf(4)).toEqual([...ones, 50, 20]);
    expect(sizesOf(40)).toEqual([...ones, 50, 20]);
  });

  it('with the item alone at which the last worker died', () => {
    expect(sizesOf(2, 'E-60')).toEqual([50, 10, 1, 50, 9]);
    expect(sizesOf(2, 'E-0')).toEqual([1, 50, 50, 19]);
  });
});

describe('an item is put aside', () => {
  const [item, other] = ITEMS;
  const alone = item === undefined ? [] : [item];

  it('after two deaths at it alone', () => {
    expect([0, 1, 2, 3].map((count) => itemToPutAside(alone, deaths(4, 'E-0', count)))).toEqual([
      undefined,
      undefined,
      item,
      item,
    ]);
  });

  it('and no other one', () => {
    expect(itemToPutAside(alone, deaths(6, 'E-1', 2))).toBeUndefined();
    expect(itemToPutAside(alone, deaths(6))).toBeUndefined();
    expect(itemToPutAside(other === undefined ? [] : [...alone, other], deaths(6, 'E-0', 2))).toBeUndefined();
    expect(itemToPutAside([], deaths(6, 'E-0', 2))).toBeUndefined();
  });

  it('and looked up unless two more died of that', () => {
    expect([2, 3, 4].map((count) => mayBeLookedUp(deaths(6, 'E-0', count)))).toEqual([true, true, false]);
  });
});
