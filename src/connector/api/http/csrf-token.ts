import type { FastifyRequest } from 'fastify';
import { isSameSecret } from '../../../foundation/crypto/secret-text.js';

/** Of programs; a form has the field `csrf` instead. */
const HEADER = 'x-csrf-token';

/** Whether a request carries the CSRF token of its session, which only our own pages can read. */
export function hasValidCsrfToken(request: FastifyRequest, expected: string): boolean {
  const header = request.headers[HEADER];
  const field: unknown = Reflect.get(Object(request.body), 'csrf');
  const given = typeof header === 'string' ? header : field;
  return typeof given === 'string' && isSameSecret(expected, given);
}
