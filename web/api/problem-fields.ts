import type { ProblemResponse } from './schema.js';

/**
 * What a problem of the API says about one value of the request, to stand beside its field.
 * @param pointer JSON pointer (RFC 6901) of the value
 * @returns undefined when the problem is about something else
 */
export function problemAt(error: unknown, pointer: string): string | undefined {
  const { errors = [] } = Object(error) as Partial<ProblemResponse>;
  const details = errors.flatMap((one) => (one.pointer === pointer ? one.detail : []));
  return details.length === 0 ? undefined : details.join(' ');
}
