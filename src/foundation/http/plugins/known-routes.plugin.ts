import { httpPlugin, type HttpPlugin } from '../http-plugin.js';

/** Which methods an address has, for a request with another one. */
export class KnownRoutes {
  private readonly routes: { readonly method: string; readonly pattern: RegExp }[] = [];

  readonly plugin: HttpPlugin = httpPlugin('known-routes', (fastify, _options, done) => {
    fastify.addHook('onRoute', ({ method, url }) => {
      // Behind a wildcard stand files, or another router: neither says which addresses it knows.
      if (!url.includes('*')) {
        const pattern = patternOf(url);
        this.routes.push(...[method].flat().map((one) => ({ method: one, pattern })));
      }
    });
    done();
  });

  /** @param listedAt path under which the routes are described */
  constructor(readonly listedAt: string) {}

  /** @param path without query, as it came; empty when nothing is there */
  methodsOf(path: string): readonly string[] {
    const found = this.routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    return [...new Set(found)].sort();
  }
}

/**
 * A name behind a colon stands for any text without a colon, which would begin an operation of its own, or for what the name's
 * pattern takes; two colons are one.
 */
function patternOf(url: string): RegExp {
  const pattern = url.replace(/::|:\w+(?:\(\^?([^)]*)\))?|[.*+?^${}()|[\]\\]/g, (found, own?: string) =>
    found === '::' ? ':' : found.startsWith(':') ? (own ?? '[^/:]+') : `\\${found}`,
  );
  return new RegExp(`^${pattern}$`);
}
