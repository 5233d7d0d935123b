import type { FastifyRequest } from 'fastify';

/** The path of a request, without its query. */
export function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '';
}

/** The control and the page are no part of the platform: they never fail on purpose and are not logged. */
export function isControlOrPage(request: FastifyRequest): boolean {
  return /^\/($|page\/|control(\/|$))/.test(pathOf(request));
}

/** Some clients encode each colon of a path; the router compares those of `…:search` letter by letter. */
export function withPlainColons(url: string): string {
  const [path = '', ...query] = url.split('?');
  return [path.replaceAll(/%3a/gi, ':'), ...query].join('?');
}
