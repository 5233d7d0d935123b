import { describe, expect, it } from '@jest/globals';
import { Bug } from '../../kernel/faults.js';
import { prepared, sql, sqlList, withLiterals, withPlainLiterals } from './sql.js';

describe('sql', () => {
  it('binds values', () => {
    expect(sql`SELECT ${1}, ${'two'}`).toEqual({ text: 'SELECT $1, $2', values: [1, 'two'] });
  });

  it('takes statements into each other and numbers the values anew', () => {
    const inner = sql`b = ${2} AND c ~ '^$1'`;
    expect(sql`WHERE a = ${1} AND (${inner}) AND d = ${4} ${sql`LIMIT ${5}`}`).toEqual({
      text: "WHERE a = $1 AND (b = $2 AND c ~ '^$1') AND d = $3 LIMIT $4",
      values: [1, 2, 4, 5],
    });
  });

  it('binds what only looks like a statement', () => {
    const foreign = { text: 'DROP TABLE company', values: [] };
    expect(sql`SELECT ${foreign}`).toEqual({ text: 'SELECT $1', values: [foreign] });
  });

  it('lists parts', () => {
    expect(sqlList([sql`a`, sql`b + ${1}`])).toEqual({ text: 'a, b + $1', values: [1] });
  });
});

describe('a prepared statement', () => {
  it('has one name for each text, whatever its values are', () => {
    const first = prepared(sql`SELECT ${1}`);
    expect(first).toEqual({ text: 'SELECT $1', values: [1], name: expect.stringMatching(/^planned_\d+$/) });
    expect(prepared(sql`SELECT ${2}`).name).toBe(first.name);
    expect(prepared(sql`SELECT -${1}`).name).not.toBe(first.name);
  });
});

describe('a statement with its values as literals', () => {
  it.each<[string, string]>([
    ['liis@saltholm.example', "SELECT 'liis@saltholm.example'"],
    ["'; DROP TABLE company; --", "SELECT '''; DROP TABLE company; --'"],
    ["\\'; --", "SELECT  E'\\\\''; --'"],
    ['$1', "SELECT '$1'"],
    ['', "SELECT ''"],
  ])('quotes %j', (value, text) => {
    expect(withLiterals(sql`SELECT ${value}`)).toBe(text);
  });

  it('has each value at its position', () => {
    const many = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k'] as const;
    expect(withLiterals(sqlList(many.map((each) => sql`${each}`)))).toBe(many.map((each) => `'${each}'`).join(', '));
  });

  it.each([
    ['a text with U+0000', 'a\0b'],
    ['a number', 1],
    ['nothing', null],
  ])('refuses %s', (_, value) => {
    expect(() => withLiterals(sql`SELECT ${value}`)).toThrow(Bug);
  });
});

describe('a statement with plain values as literals', () => {
  it.each<[unknown, string]>([
    ['0198c5a0-0000-7000-8000-000000000001', "SELECT '0198c5a0-0000-7000-8000-000000000001'"],
    ['', "SELECT ''"],
    [-12.5, "SELECT '-12.5'"],
    [9_007_199_254_740_993n, "SELECT '9007199254740993'"],
    [true, "SELECT 'true'"],
    [null, 'SELECT NULL'],
    [new Date(Date.UTC(2026, 10, 24, 1, 2, 3, 4)), "SELECT '2026-11-24T01:02:03.004Z'"],
    [[], "SELECT '{}'"],
    [['running', 'ended'], "SELECT '{running,ended}'"],
    [[1, 2], "SELECT '{1,2}'"],
  ])('has %j in its place', (value, text) => {
    expect(withPlainLiterals(sql`SELECT ${value}`)).toBe(text);
  });

  it.each<[string, unknown]>([
    ['a quote', "O'Hara"],
    ['a backslash', 'a\\b'],
    ['words of a person', 'Taxi to the airport'],
    ['an address', 'liis@saltholm.example'],
    ['a long text', 'a'.repeat(65)],
    ['bytes', Buffer.from('a')],
    ['an object', { a: 1 }],
    ['a list with an empty text', ['']],
    ['a list with the word for nothing', ['NULL']],
    ['a list of lists', [[1]]],
    ['a list with a comma in a text', ['a,b']],
    ['a long list', Array.from({ length: 101 }, () => 1)],
    ['a value left out', undefined],
  ])('binds %s', (_, value) => {
    expect(withPlainLiterals(sql`SELECT ${1}, ${value}`)).toBeUndefined();
  });
});
