import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

/** Header of a program's request; a form has the field `csrf` instead. */
const HEADER = 'x-csrf-token';

/** Whether a request brings the token of its session along, which only a page of ours can read. */
export function bringsCsrfToken(request: FastifyRequest, expected: string): boolean {
  const header = request.headers[HEADER];
  const field: unknown = Reflect.get(Object(request.body), 'csrf');
  const given = typeof header === 'string' ? header : field;
  return typeof given === 'string' && timingSafeEqual(digest(given), digest(expected));
}

/** Digests have one length, so the comparison takes the same time for every candidate. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
