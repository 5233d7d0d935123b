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
  it('refuses a list for its length before it looks at one of its elements', async () => {
    validated = 0;
    const problem = await problemOf({ rows: Array.from({ length: 85_000 }, () => ({})) });
    expect(problem?.options.errors).toEqual([
      { pointer: '/rows', detail: 'rows must contain no more than 500 elements' },
    ]);
    expect(validated).toBe(0);
  });

  it('names at most a hundred errors', async () => {
    const problem = await problemOf({ rows: Array.from({ length: 500 }, () => ({ size: 'x' })) });
    expect(problem?.options.errors).toHaveLength(100);
  });

  it('takes a list of the longest length', async () => {
    expect(await problemOf({ rows: Array.from({ length: 500 }, (_, size) => ({ size })) })).toBeUndefined();
  });
});
