import { describe, expect, it } from '@jest/globals';
import { sql, sqlList } from './sql.js';

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
