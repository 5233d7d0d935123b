import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeCursor, encodeCursor } from './cursor.js';
import type { Query } from '../wire/parse-request.js';
import { parsePageRequest } from './page-request.js';
import { planDenseWindow, planPage, type Page } from './page.js';
import { sortKeyOf, type ListKey } from './sorting.js';

const ascii = fc.string({ unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)) });
const ids = fc.uniqueArray(fc.uuid(), { maxLength: 60 });
const limits = fc.integer({ min: 1, max: 25 });
const sortings = fc.constantFrom(
  {},
  { sorting_keys: 'id' },
  { sorting_keys: 'id', sorting_order: 'DESC_NULLS_LAST' },
);

const keysOf = (all: readonly string[]): readonly ListKey[] =>
  all.map((id, index) => ({ id, position: BigInt(index * 7) }));
const cursor = (page: Page, side: 'startCursor' | 'endCursor') => page.pagination[side] ?? '';

describe('cursors', () => {
  it('come back as they were and use the alphabet', () => {
    fc.assert(
      fc.property(ascii, ascii, (sortKey, id) => {
        const encoded = encodeCursor(sortKey, id);
        expect(encoded).toMatch(/^[A-Z2-7]*~[A-Z2-7]*$/);
        expect(decodeCursor(encoded)).toEqual({ sortKey, id });
      }),
    );
  });

  it.each(['', 'AB', 'ab~AB', 'A~B~C', 'A1~B'])('%j is none', (text) => {
    expect(decodeCursor(text)).toBeUndefined();
  });
});

describe('planPage', () => {
  it('shows each element once, forward by endCursor and back by startCursor', () => {
    fc.assert(
      fc.property(ids, limits, sortings, (all, limit, sorting) => {
        const request = (place: object) =>
          parsePageRequest({ limit: limit.toString(), ...sorting, ...place }, 100);
        const keys = keysOf(all);
        const whole = planPage(keys, parsePageRequest({ limit: '100', ...sorting }, 100)).ids;
        let page = planPage(keys, request({}));
        const seen = [...page.ids];
        while (page.pagination.hasNextPage) {
          const next = planPage(keys, request({ after: cursor(page, 'endCursor') }));
          const back = planPage(keys, request({ before: cursor(next, 'startCursor') }));
          expect(back.ids).toEqual(page.ids);
          expect(next.pagination.hasPreviousPage).toBe(true);
          seen.push(...next.ids);
          page = next;
        }
        expect(seen).toEqual(whole);
        expect(new Set(seen)).toEqual(new Set(all));
        expect(page.pagination.total).toBe(all.length);
      }),
    );
  });

  it('goes on after an element that is gone', () => {
    const first = planPage(keysOf(['a', 'b', 'c']), parsePageRequest({ limit: '2' }, 100));
    const left: readonly ListKey[] = [
      { id: 'a', position: 0n },
      { id: 'c', position: 14n },
    ];
    const next = planPage(left, parsePageRequest({ after: cursor(first, 'endCursor') }, 100));
    expect(next.ids).toEqual(['c']);
  });
});

describe('planDenseWindow', () => {
  it('cuts the same pages as a list of positions 1, 2, 3, …', () => {
    const place = fc.nat({ max: 70 }).map((position) => encodeCursor(sortKeyOf(position), 'x'));
    const start = fc.oneof(
      fc.constant({}),
      place.map((after) => ({ after })),
      place.map((before) => ({ before })),
      fc.nat({ max: 70 }).map((offset) => ({ offset: offset.toString() })),
    );
    fc.assert(
      fc.property(fc.nat({ max: 60 }), limits, start, (total, limit, from) => {
        const request = parsePageRequest({ limit: limit.toString(), ...from }, 100);
        const keys = Array.from({ length: total }, (_, index) => ({
          id: index.toString(),
          position: BigInt(index + 1),
        }));
        const window = planDenseWindow(total, request);
        const page = planPage(keys, request);
        expect(keys.slice(window.from, window.to).map(({ id }) => id)).toEqual(page.ids);
        expect([window.to < total, window.from > 0]).toEqual([
          page.pagination.hasNextPage,
          page.pagination.hasPreviousPage,
        ]);
      }),
    );
  });
});

describe('sorting', () => {
  const rows = [
    { id: 'a', position: 1n, sortValues: { name: 'Ö', code: null } },
    { id: 'b', position: 2n, sortValues: { name: 'A', code: '2' } },
    { id: 'c', position: 3n, sortValues: { name: 'A', code: null } },
    { id: 'd', position: 4n, sortValues: { name: 'A', code: '1' } },
  ];
  const idsOf = (query: Query) => planPage(rows, parsePageRequest(query, 100, ['name', 'code', 'id'])).ids;

  it.each([
    [['code'], ['ASC'], ['d', 'b', 'a', 'c']],
    [['code'], [], ['d', 'b', 'a', 'c']],
    [['code'], ['ASC_NULLS_FIRST'], ['a', 'c', 'd', 'b']],
    [['code'], ['DESC'], ['a', 'c', 'b', 'd']],
    [['code'], ['DESC_NULLS_LAST'], ['b', 'd', 'a', 'c']],
    [
      ['name', 'code'],
      ['ASC', 'DESC_NULLS_LAST'],
      ['b', 'd', 'c', 'a'],
    ],
    [
      ['name', 'id'],
      ['DESC', 'DESC'],
      ['a', 'd', 'c', 'b'],
    ],
  ])('by %j %j', (sorting_keys, sorting_order, expected) => {
    expect(idsOf({ sorting_keys, sorting_order })).toEqual(expected);
  });

  it('goes on after a place with a null and letters beyond ASCII', () => {
    const sorted = { sorting_keys: ['name', 'code'], sorting_order: ['DESC', 'ASC'] };
    const first = planPage(rows, parsePageRequest({ ...sorted, limit: '1' }, 100, ['name', 'code']));
    expect(first.ids).toEqual(['a']);
    const rest = { ...sorted, after: cursor(first, 'endCursor') };
    expect(planPage(rows, parsePageRequest(rest, 100, ['name', 'code'])).ids).toEqual(['d', 'b', 'c']);
    const other = parsePageRequest({ sorting_keys: 'name', after: rest.after }, 100, ['name', 'code']);
    expect(() => planPage(rows, other)).toThrow('the cursor is none of this sorting');
  });
});
