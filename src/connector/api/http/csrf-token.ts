import type { FastifyRequest } from 'fastify';
import { isSameSecret } from '../../../foundation/crypto/secret-text.js';

/** Header of a program's request; a form has the field `csrf` instead. */
const HEADER = 'x-csrf-token';

/** Whether a request brings the token of its session along, which only a page of ours can read. */
export function hasValidCsrfToken(request: FastifyRequest, expected: string): boolean {
  const header = request.headers[HEADER];
  const field: unknown = Reflect.get(Object(request.body), 'csrf');
  const given = typeof header === 'string' ? header : field;
  return typeof given === 'string' && isSameSecret(expected, given);
}
