import type { FastifyRequest } from 'fastify';

const known = new WeakSet<FastifyRequest>();

/** The credentials of the request were looked up and are somebody's, whatever they may do. */
export function markCallerKnown(request: FastifyRequest): void {
  known.add(request);
}

/** @returns false for credentials that are wrong, and for those that nobody has looked up */
export function isCallerKnown(request: FastifyRequest): boolean {
  return known.has(request);
}
