import { Problem } from '../../foundation/http/problem.js';

/** An opaque place in a list: the values of the last row's sort keys. */
export function encodeCursor(values: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

/**
 * @param pattern one expression per value that the list's cursors hold
 * @throws Problem 400 for a cursor that this list did not give out
 */
export function decodeCursor(cursor: string, pattern: readonly RegExp[]): readonly string[] {
  const values = parse(cursor);
  if (
    values.length !== pattern.length ||
    !pattern.every((expression, index) => expression.test(values[index] ?? ''))
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
    return isPlace(values) ? values.map(String) : [];
  } catch {
    return [];
  }
}

function isPlace(values: unknown): values is readonly (string | number)[] {
  return (
    Array.isArray(values) && values.every((value) => typeof value === 'string' || typeof value === 'number')
  );
}
