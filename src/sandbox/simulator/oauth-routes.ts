import type { FastifyInstance } from 'fastify';
import type { Provider } from 'oidc-provider';

const PROVIDER_ROUTES = [
  '/oauth/authorize',
  '/oauth/authorize/:uid',
  '/oauth/token',
  '/oauth/jwks',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
];
const FORM = 'application/x-www-form-urlencoded';
const MAX_FORM_BYTES = 65_536;

/**
 * Mounts the authorization server beside Nest's routes. It reads its bodies itself, so on its routes nothing else does;
 * everywhere else forms become flat objects.
 */
export function mountOAuth(fastify: FastifyInstance, provider: Provider): void {
  fastify.addContentTypeParser(
    FORM,
    { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
    (_request, text, done) => {
      done(null, Object.fromEntries(new URLSearchParams(text.toString())));
    },
  );
  const answer = provider.callback();
  void fastify.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, parsed) => {
      parsed(null);
    });
    for (const url of PROVIDER_ROUTES) {
      scope.route({
        method: ['GET', 'POST'],
        url,
        handler: async (request, reply) => {
          reply.hijack();
          await answer(request.raw, reply.raw);
        },
      });
    }
    done();
  });
}
