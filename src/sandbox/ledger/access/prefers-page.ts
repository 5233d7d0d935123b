import type { FastifyRequest } from 'fastify';

/** Whether the client is a browser: browsers accept HTML before anything else, programs do not. */
export function prefersPage({ method, headers: { accept = '' } }: FastifyRequest): boolean {
  return method === 'GET' && /^\s*text\/html\b/i.test(accept);
}
