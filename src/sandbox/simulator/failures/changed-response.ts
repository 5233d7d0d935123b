import { isLosslessNumber, parse, stringify } from 'lossless-json';
import type { ResponseChange } from './failure-switch.repository.js';

/** Fields whose values come from a published list. */
const LISTED_FIELDS: ReadonlySet<string> = new Set(['status', 'state', 'type', 'failureReasonType', 'authMethod']);
const UNKNOWN_VALUE = 'something_new';
const UNKNOWN_FIELD = 'somethingNew';

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * An answer as a faulty or newer platform would give it. Amounts keep every digit.
 * @param text JSON; what is no JSON stays as it is, unless it becomes malformed
 * @param after cursor the request came with, if it had one
 */
export function changeResponse(change: ResponseChange, text: string, after: string | null): string {
  if (change === 'malformed') {
    return text.slice(0, -1);
  }
  const answer = parsed(text);
  if (!isObject(answer)) {
    return text;
  }
  switch (change) {
    case 'endless_paging':
      return written(withoutEnd(answer, after));
    case 'unknown_values':
      return written(mapped(answer, (value, key) => (isListed(key, value) ? UNKNOWN_VALUE : value)));
    case 'unknown_fields':
      return written(
        mapped(answer, (value) => (isObject(value) ? { ...value, [UNKNOWN_FIELD]: { version: 9 } } : value)),
      );
  }
}

/** A page that says another one follows, for ever: the cursor after the last page is the one that led to it. */
function withoutEnd(answer: JsonObject, after: string | null): JsonObject {
  const { pagination } = answer;
  return isObject(pagination)
    ? {
        ...answer,
        pagination: { ...pagination, hasNextPage: true, endCursor: pagination['endCursor'] ?? after ?? 'AA' },
      }
    : answer;
}

function isListed(key: string, value: unknown): boolean {
  return LISTED_FIELDS.has(key) && typeof value === 'string';
}

/** Applies a change to every value, inner ones first. */
function mapped(value: unknown, change: (value: unknown, key: string) => unknown, key = ''): unknown {
  if (Array.isArray(value)) {
    return value.map((element: unknown) => mapped(element, change, key));
  }
  const inner = isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, field]) => [name, mapped(field, change, name)]))
    : value;
  return change(inner, key);
}

function parsed(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

function written(value: unknown): string {
  return stringify(value) ?? '';
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
}
