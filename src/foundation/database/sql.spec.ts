import { describe, expect, it } from '@jest/globals';
import { prepared, settingTogether, sql, sqlList } from './sql.js';

describe('sql', () => {
  it('binds values', () => {
    expect(sql`SELECT ${1}, ${'two'}`).toEqual({ text: 'SELECT $1, $2', values: [1, 'two'] });
  });

  it('nests statements and renumbers their values', () => {
    const inner = sql`b = ${2} AND c ~ '^$1'`;
    expect(sql`WHERE a = ${1} AND (${inner}) AND d = ${4} ${sql`LIMIT ${5}`}`).toEqual({
      text: "WHERE a = $1 AND (b = $2 AND c ~ '^$1') AND d = $3 LIMIT $4",
      values: [1, 2, 4, 5],
    });
  });

  it('binds a value that only looks like a statement', () => {
    const foreign = { text: 'DROP TABLE company', values: [] };
    expect(sql`SELECT ${foreign}`).toEqual({ text: 'SELECT $1', values: [foreign] });
  });

  it('has a distinct text for each nested statement, at the same position too', () => {
    const where = (part: unknown) => sql`SELECT 1 WHERE ${part}`.text;
    expect([where(sql`a`), where(1), where(sql`b`), where(2)]).toEqual([
      'SELECT 1 WHERE a',
      'SELECT 1 WHERE $1',
      'SELECT 1 WHERE b',
      'SELECT 1 WHERE $1',
    ]);
  });

  it('joins parts with commas', () => {
    expect(sqlList([sql`a`, sql`b + ${1}`])).toEqual({ text: 'a, b + $1', values: [1] });
  });
});

describe('a prepared statement', () => {
  it('has one name for each text, regardless of its values', () => {
    const first = prepared(sql`SELECT ${1}`);
    expect(first).toEqual({ text: 'SELECT $1', values: [1], name: expect.stringMatching(/^planned_\d+$/) });
    expect(prepared(sql`SELECT ${2}`).name).toBe(first.name);
    expect(prepared(sql`SELECT -${1}`).name).not.toBe(first.name);
  });
});

describe('several settings', () => {
  it('are one statement, with names and values bound', () => {
    const settings = [
      ['app.actor', "O'Hara"],
      ['role', 'reader'],
    ] as const;
    expect(settingTogether(settings)).toEqual({
      text: 'SELECT set_config($1, $2, true), set_config($3, $4, true)',
      values: ['app.actor', "O'Hara", 'role', 'reader'],
    });
  });
});
