import { describe, expect, it } from '@jest/globals';
import { Bug } from '../../kernel/faults.js';
import { sql, sqlList, withLiterals } from './sql.js';

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

  it('has each value in its place', () => {
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
