import { describe, expect, it } from '@jest/globals';
import { Problem } from './problem.js';
import { input } from './input.js';
import { shape } from './shape.js';
import { requestValidation } from './validation.js';

class Reasoned extends shape({ reason: input.text({ minLength: 1, maxLength: 20 }) }) {}

async function detailsOf(reason: unknown): Promise<readonly string[]> {
  try {
    await requestValidation().transform({ reason }, { type: 'body', metatype: Reasoned });
    return [];
  } catch (error) {
    if (error instanceof Problem) {
      return error.options.errors?.map(({ detail }) => detail) ?? [];
    }
    throw error;
  }
}

describe('a text that has to say something', () => {
  it.each([
    ['nothing', ''],
    ['blanks', '   '],
    ['a tab and a line break', '\t\n'],
    ['a blank of another width', '\u3000\u00a0'],
    ['characters that show nothing', '\u200b\u2060\ufeff\u3164'],
  ])('is refused as %s', async (_, reason) => {
    expect(await detailsOf(reason)).toEqual(['reason must have something else than blanks']);
  });

  it.each(['x', ' x ', '–', '審査', '😀', 'é'])('is taken as %j', async (reason) => {
    expect(await detailsOf(reason)).toEqual([]);
  });

  it('is no longer than it may be, and a text', async () => {
    expect(await detailsOf('x'.repeat(21))).toEqual(['reason must be shorter than or equal to 20 characters']);
    expect(await detailsOf(7)).toContain('reason must be a string');
  });
});
