import type { FastifyRequest } from 'fastify';

const known = new WeakSet<FastifyRequest>();

/** The credentials of the request were looked up and are valid, whatever role they have. */
export function markCallerKnown(request: FastifyRequest): void {
  known.add(request);
}

/** @returns false for credentials that are wrong, and for those that were not looked up */
export function isCallerKnown(request: FastifyRequest): boolean {
  return known.has(request);
}
