// What a response of the platform is turned into (P0.1).
import { parse as parseLossless } from 'lossless-json';
import { z } from 'zod';
import type { HttpResponse } from '../../foundation/http/client/http-client.js';
import { storableText } from '../../kernel/text.js';
import { InvalidPlatformResponse } from './platform-error.js';

/** How JSON becomes values; as `JSON.parse`, or keeping of numbers what that would lose. */
type ParseJson = (text: string, reviver?: (key: string, value: unknown) => unknown) => unknown;

/**
 * Looks for numbers that `JSON.parse` and `String` do not give back digit by digit: of more than 15 digits, with an exponent, a zero
 * at the end of their fraction or many at its beginning, and the negative zero. What stands in a string only looks like one.
 */
const INEXACT_NUMBER = /(?:^|[:[,])\s*(?:-0(?![.\d])|-?(?:[\d.]{16}|0\.00000|\d+\.\d*0(?!\d)|[\d.]+e))/i;

/** Keeps every number as the text it was sent as. */
export const exactNumbers: ParseJson = (text, reviver) =>
  reviver !== undefined || INEXACT_NUMBER.test(text)
    ? parseLossless(text, reviver, (digits) => digits)
    : withTextsForNumbers(JSON.parse(text));

/** In place: only what was parsed a moment ago comes here. */
function withTextsForNumbers(value: unknown): unknown {
  if (typeof value === 'number') {
    return String(value);
  }
  if (typeof value === 'object' && value !== null) {
    const members = value as Record<string, unknown>;
    for (const key of Object.keys(members)) {
      const element = members[key];
      if (typeof element === 'number' || typeof element === 'object') {
        members[key] = withTextsForNumbers(element);
      }
    }
  }
  return value;
}

/** Escapes that may stand for what no database stores; a JSON text without them needs no second look. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;
const storable = (_: string, value: unknown) => (typeof value === 'string' ? storableText(value) : value);

/**
 * All texts in it can be stored: one character that cannot must not stop more than what it stands in.
 * @returns a function that gives what the schema says, and throws InvalidPlatformResponse when the response is something else
 */
export function responseParser<T extends z.ZodType>(
  schema: T,
  parse: ParseJson = JSON.parse,
): (response: HttpResponse) => z.output<T> {
  return ({ text }) => {
    let body: unknown;
    try {
      body = parse(text, UNSTORABLE.test(text) ? storable : undefined);
    } catch (error) {
      throw new InvalidPlatformResponse('the platform sent a body that is not JSON', { cause: error });
    }
    const parsed = schema.safeParse(body);
    if (!parsed.success) {
      const where = parsed.error.issues.slice(0, 3).map((issue) => `${issue.path.join('.')}: ${issue.message}`);
      throw new InvalidPlatformResponse(`the platform sent a body of another shape (${where.join('; ')})`);
    }
    return parsed.data;
  };
}

/**
 * For a response of which nothing is needed, and whose shape is not documented: a page of something between is none.
 * @throws InvalidPlatformResponse
 */
export function acknowledgment(response: HttpResponse): void {
  if (response.text.trim() !== '') {
    responseParser(z.looseObject({}))(response);
  }
}
