import { describe, expect, it } from '@jest/globals';
import { sql, type SqlStatement } from '../../../foundation/database/sql.js';
import { beyond, cursorOf, orderBy, orderOf, positionOfCursor, type SortColumns } from './keyset.js';
import { parsePageRequest } from './page-request.js';

const COLUMNS: SortColumns = {
  id: { kind: 'uuid', expression: sql`id` },
  name: { kind: 'text', expression: sql`name` },
  code: { kind: 'nullable-text', expression: sql`code` },
  createdAt: { kind: 'instant', expression: sql`created_at` },
};
const LIST = sql`FROM account WHERE company_id = ${'A'}`;
const ID = '7b0c6f1e-52d4-4d8e-9d53-1f2f3c1a0009';
const order = (...sorting: readonly string[]) => {
  const pairs = sorting.map((each) => each.split(' '));
  const query = {
    sorting_keys: pairs.map(([key = '']) => key),
    sorting_order: pairs.map(([, way = 'ASC']) => way),
  };
  return orderOf(parsePageRequest(query, 100, Object.keys(COLUMNS)), COLUMNS);
};
/** The statement with its values in it. */
const shown = ({ text, values }: SqlStatement) =>
  text.replaceAll(/\$(\d+)/g, (_, index: string) => JSON.stringify(values[Number(index) - 1]));

describe('a sort order', () => {
  it.each([
    [[], 'position'],
    [['id DESC'], 'id DESC'],
    [['name'], 'left(name, 500) COLLATE "C", id'],
    [['name DESC'], 'left(name, 500) COLLATE "C" DESC, id DESC'],
    [['code ASC'], '(code IS NULL), coalesce(left(code, 500), \'\') COLLATE "C", id'],
    [['code ASC_NULLS_FIRST'], '(code IS NOT NULL), coalesce(left(code, 500), \'\') COLLATE "C", id'],
    [['code DESC'], '(code IS NULL) DESC, coalesce(left(code, 500), \'\') COLLATE "C" DESC, id DESC'],
    [['code DESC_NULLS_LAST'], '(code IS NOT NULL) DESC, coalesce(left(code, 500), \'\') COLLATE "C" DESC, id DESC'],
    [['name', 'createdAt DESC'], 'left(name, 500) COLLATE "C", created_at DESC, id DESC'],
    // After the id nothing is left to be decided.
    [['id', 'name'], 'id'],
  ])('by %j', (sorting, expected) => {
    expect(shown(orderBy(order(...sorting), true))).toBe(expected);
  });

  it('is read backwards from its end', () => {
    expect(shown(orderBy(order('name DESC', 'id ASC'), false))).toBe('left(name, 500) COLLATE "C", id DESC');
  });
});

describe('a position', () => {
  it.each([
    [['name'], ['A', ID], true, false, `(left(name, 500) COLLATE "C", id) > ("A"::text, "${ID}"::uuid)`],
    [['name DESC'], ['A', ID], true, false, `(left(name, 500) COLLATE "C", id) < ("A"::text, "${ID}"::uuid)`],
    [['name'], ['A', ID], false, true, `(left(name, 500) COLLATE "C", id) <= ("A"::text, "${ID}"::uuid)`],
    [
      ['code ASC'],
      [null, ID],
      true,
      false,
      `((code IS NULL), coalesce(left(code, 500), '') COLLATE "C", id) > (true::boolean, ""::text, "${ID}"::uuid)`,
    ],
    [
      ['name', 'id DESC'],
      ['A', ID],
      true,
      false,
      `((left(name, 500) COLLATE "C") >= ("A"::text) AND ((left(name, 500) COLLATE "C") > ("A"::text) OR (id) < ("${ID}"::uuid)))`,
    ],
  ])('%j %j', (sorting, place, forward, inclusive, expected) => {
    expect(shown(beyond(order(...sorting), place, { forward, inclusive }))).toBe(expected);
  });

  it.each([
    [['name'], ['Ö', ID]],
    [
      ['code', 'createdAt'],
      [null, '1795265720400000', ID],
    ],
    [[], ['12']],
  ])('%j %j is restored from its cursor', (sorting, place) => {
    expect(
      positionOfCursor(LIST, order(...sorting), { kind: 'after', cursor: cursorOf(LIST, order(...sorting), place) }),
    ).toEqual(place);
  });

  it.each([
    ['name', 'code', ['x', ID]],
    ['code', 'name', ['x', ID]],
    ['name', 'name', [null, ID]],
    ['name', 'name', ['\0', ID]],
    ['name', 'name', ['x', 'no id']],
    ['createdAt', 'createdAt', ['yesterday', ID]],
    ['name', 'id', [ID]],
  ])('of %s is not valid for %s with %j', (made, asked, place) => {
    const cursor = cursorOf(LIST, order(made), place);
    expect(() => positionOfCursor(LIST, order(asked), { kind: 'before', cursor })).toThrow(
      'before: is no cursor of this sorting',
    );
  });
});
