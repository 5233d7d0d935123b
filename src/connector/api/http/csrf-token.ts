import type { FastifyRequest } from 'fastify';
import { isSameSecret } from '../../../foundation/crypto/secret-text.js';

const HEADER = 'x-csrf-token';

/** Whether a request carries the CSRF token of its session, which only our own pages can read. */
export function hasValidCsrfToken({ headers }: FastifyRequest, expected: string): boolean {
  const given = headers[HEADER];
  return typeof given === 'string' && isSameSecret(expected, given);
}
