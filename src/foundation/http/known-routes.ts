import type { FastifyInstance } from 'fastify';

/** Which methods an address has, for whoever comes with another one. */
export class KnownRoutes {
  private readonly routes: { readonly method: string; readonly pattern: RegExp }[] = [];

  /**
   * Has to be made before the first route is.
   * @param listedAt path under which the routes are described
   */
  constructor(
    fastify: FastifyInstance,
    readonly listedAt: string,
  ) {
    fastify.addHook('onRoute', ({ method, url }) => {
      // Behind a wildcard stand files, or another router: neither says which addresses it knows.
      if (!url.includes('*')) {
        const pattern = patternOf(url);
        this.routes.push(...[method].flat().map((one) => ({ method: one, pattern })));
      }
    });
  }

  /** @param path without query, as it came; empty when nothing is there */
  methodsOf(path: string): readonly string[] {
    const found = this.routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    return [...new Set(found)].sort();
  }
}

/** A part that begins with a colon stands for any text. */
function patternOf(url: string): RegExp {
  const parts = url
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')));
  return new RegExp(`^${parts.join('/')}$`);
}
