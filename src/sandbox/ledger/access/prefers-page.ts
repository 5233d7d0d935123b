import type { FastifyRequest } from 'fastify';

/** Whether a person's browser asks: browsers name HTML before anything else, programs do not. */
export function prefersPage({ method, headers: { accept = '' } }: FastifyRequest): boolean {
  return method === 'GET' && /^\s*text\/html\b/i.test(accept);
}
