import { describe, expect, it } from '@jest/globals';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsInt, ValidateBy, ValidateNested } from 'class-validator';
import { Problem } from './problem.js';
import { requestValidation } from './validation.js';

let validated = 0;
const Counted = () =>
  ValidateBy({
    name: 'counted',
    validator: {
      validate() {
        validated += 1;
        return true;
      },
    },
  });

class Row {
  @Counted()
  @IsInt()
  readonly size!: number;
}

class Rows {
  @IsArray()
  @ArrayMaxSize(500)
  @ValidateNested({ each: true })
  @Type(() => Row)
  readonly rows!: readonly Row[];
}

async function problemOf(value: unknown): Promise<Problem | undefined> {
  try {
    await requestValidation().transform(value, { type: 'body', metatype: Rows });
    return undefined;
  } catch (error) {
    if (error instanceof Problem) {
      return error;
    }
    throw error;
  }
}

describe('validation of a request', () => {
  it('refuses a list by its length before it validates any element', async () => {
    validated = 0;
    const problem = await problemOf({ rows: Array.from({ length: 85_000 }, () => ({})) });
    expect(problem?.options.errors).toMatchObject([
      { pointer: '/rows', detail: 'rows must contain no more than 500 elements' },
    ]);
    expect(validated).toBe(0);
  });

  it('refuses more than a hundred unknown names before anything else, also within a list', async () => {
    validated = 0;
    const names = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`n${index.toString()}`, 0]));
    const problem = await problemOf({ rows: Array.from({ length: 500 }, () => ({ size: 1, ...names })) });
    expect(problem?.options.errors).toHaveLength(100);
    expect(problem?.options.errors?.[50]).toMatchObject({
      pointer: '/rows/1/n0',
      detail: 'property n0 should not exist',
    });
    expect(validated).toBe(0);
  });

  it('refuses a list as a body', async () => {
    const problem = await problemOf([{ rows: [] }]);
    expect(problem?.options.errors).toMatchObject([{ pointer: '', detail: 'the body must be an object' }]);
  });

  it('names no more than the beginning of a long unknown name, in any place', async () => {
    const long = 'n'.repeat(200_000);
    const detail = `property ${'n'.repeat(60)}… should not exist`;
    expect((await problemOf({ rows: [], [long]: 0 }))?.options.errors).toMatchObject([
      { pointer: `/${'n'.repeat(60)}…`, detail },
    ]);
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`${long}${index.toString()}`, 0]));
    const { errors = [] } = (await problemOf({ rows: [{ size: 1, ...many }] }))?.options ?? {};
    expect(errors).toHaveLength(100);
    expect(errors[99]).toMatchObject({ pointer: `/rows/0/${'n'.repeat(60)}…`, detail });
  });

  it.each(['constructor', 'toString', 'hasOwnProperty'])('refuses the unknown name %s, in any place', async (name) => {
    const detail = `property ${name} should not exist`;
    const first = await problemOf({ rows: [], [name]: { prototype: { size: 1 } } });
    expect(first?.options.errors).toMatchObject([{ pointer: `/${name}`, detail }]);
    const inner = await problemOf({ rows: [{ size: 1, [name]: 1 }] });
    expect(inner?.options.errors).toMatchObject([{ pointer: `/rows/0/${name}`, detail }]);
  });

  it('ignores a body without a class', async () => {
    const rows = Array.from({ length: 200 }, () => ({}));
    for (const metatype of [Array, Object, undefined]) {
      expect(await requestValidation().transform(rows, { type: 'body', metatype })).toBe(rows);
    }
  });

  it('reports at most a hundred errors', async () => {
    const problem = await problemOf({ rows: Array.from({ length: 500 }, () => ({ size: 'x' })) });
    expect(problem?.options.errors).toHaveLength(100);
  });

  it('accepts a list of the maximum length', async () => {
    expect(await problemOf({ rows: Array.from({ length: 500 }, (_, size) => ({ size })) })).toBeUndefined();
  });
});
