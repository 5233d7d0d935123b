import type { z } from 'zod';
import { Problem } from '../../../foundation/http/problem.js';

/**
 * Reads a body that zod checks.
 * @throws Problem 400 naming every value that is wrong
 */
export function parsedBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body);
  if (!result.success) {
    throw new Problem({
      status: 400,
      type: 'invalid-request',
      detail: 'Some values of the request are not valid; "errors" names each of them.',
      errors: result.error.issues.map((issue) => ({ pointer: pointerOf(issue.path), detail: issue.message })),
    });
  }
  return result.data;
}

/** JSON pointer (RFC 6901) of a place in a body. */
export function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
