import type { FastifyRequest } from 'fastify';

const BEARER = /^bearer ([\x21-\x7e]{1,512})$/i;

/** The token of an `Authorization` header; undefined where there is none in that form (RFC 6750 §2.1). */
export function bearerTokenOf(request: FastifyRequest): string | undefined {
  return BEARER.exec(request.headers.authorization ?? '')?.[1];
}
