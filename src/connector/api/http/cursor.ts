import { Problem } from '../../../foundation/http/problem.js';
import { isUuid } from '../../../kernel/ids.js';
import { storableText } from '../../../kernel/text.js';

const INSTANT_FORM = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** What one value of a cursor has to look like. */
interface CursorPart {
  test(value: string): boolean;
}

/** An instant that there is: written again, it is the same text. */
export const INSTANT: CursorPart = {
  test: (value) =>
    INSTANT_FORM.test(value) && !Number.isNaN(Date.parse(value)) && new Date(value).toISOString() === value,
};

export const UUID: CursorPart = { test: isUuid };

/** An opaque place in a list: the values of the last row's sort keys. */
export function encodeCursor(values: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

/**
 * @param pattern what each value that the list's cursors hold looks like
 * @throws Problem 400 for a cursor that this list did not give out
 */
export function decodeCursor(cursor: string, pattern: readonly CursorPart[]): readonly string[] {
  const values = parse(cursor);
  if (
    values.length !== pattern.length ||
    !pattern.every((part, index) => part.test(values[index] ?? '')) ||
    !values.every((value) => storableText(value) === value)
  ) {
    throw new Problem({
      status: 400,
      type: 'invalid-cursor',
      detail: 'The cursor "after" is none that this list gave out.',
    });
  }
  return values;
}

function parse(cursor: string): readonly string[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return isPosition(values) ? values.map(String) : [];
  } catch {
    return [];
  }
}

function isPosition(values: unknown): values is readonly (string | number)[] {
  return (
    Array.isArray(values) && values.every((value) => typeof value === 'string' || typeof value === 'number')
  );
}
