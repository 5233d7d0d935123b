import type { z } from 'zod';
import { isUuid } from '../../../kernel/ids.js';
import { ApiError, badParameter } from './api-error.js';

/**
 * Checks a parsed JSON body; unknown fields are ignored, as the platform does.
 * @throws ApiError 400 `VALIDATION_FAILED` that names each problem
 */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`);
    throw new ApiError(400, 'VALIDATION_FAILED', `Validation failed for the request body: ${problems.join('; ')}`);
  }
  return parsed.data;
}

/**
 * The id of a path or query parameter, in lower case.
 * @throws ApiError 400 `PARAMETER_VALIDATION_FAILED` when it is no UUID
 */
export function parseUuid(name: string, text: string): string {
  if (!isUuid(text)) {
    throw badParameter(`${name}: is not a UUID`);
  }
  return text.toLowerCase();
}

/** Query parameters as they arrive: a key may be repeated. */
export type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * All values of a repeatable parameter, in order (P0.1: the key is repeated).
 * @throws ApiError 400 for a character that PostgreSQL cannot compare with
 */
export function queryList(query: Query, name: string): readonly string[] {
  const value = query[name] ?? [];
  const values = typeof value === 'string' ? [value] : value;
  if (values.some((text) => text.includes('\0'))) {
    throw badParameter(`${name}: must not hold the character 0`);
  }
  return values;
}

/**
 * As `queryList`, for a parameter whose values are declared to be different.
 * @throws ApiError 400 for a value that is given twice
 */
export function distinctQueryList(query: Query, name: string): readonly string[] {
  const values = queryList(query, name);
  if (new Set(values).size < values.length) {
    throw badParameter(`${name}: must not repeat a value`);
  }
  return values;
}

/**
 * The value of a parameter that may be given once.
 * @throws ApiError 400 when it is repeated
 */
export function queryValue(query: Query, name: string): string | undefined {
  const values = queryList(query, name);
  if (values.length > 1) {
    throw badParameter(`${name}: may be given once`);
  }
  return values[0];
}

/**
 * A flag; unset means false.
 * @throws ApiError 400 for anything but `true` and `false`
 */
export function queryFlag(query: Query, name: string): boolean {
  const text = queryValue(query, name) ?? 'false';
  if (text !== 'true' && text !== 'false') {
    throw badParameter(`${name}: may be true or false`);
  }
  return text === 'true';
}

/**
 * The ids of a repeatable parameter, in lower case.
 * @throws ApiError 400 when one is no UUID
 */
export function queryUuids(query: Query, name: string): readonly string[] {
  return queryList(query, name).map((text) => parseUuid(name, text));
}
