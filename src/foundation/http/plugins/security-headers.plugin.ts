// What every answer tells a browser to be careful about (S50).
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import type { HttpPlugin } from '../http-plugin.js';

/** Nothing but our own files and forms, in no frame. A page that needs less or more says so itself. */
const POLICY = {
  'default-src': [`'none'`],
  'base-uri': [`'none'`],
  'connect-src': [`'self'`],
  'form-action': [`'self'`],
  'frame-ancestors': [`'none'`],
  'img-src': [`'self'`],
  'script-src': [`'self'`],
  'style-src': [`'self'`],
};
/** The documentation page brings styles within itself, and pictures as data. */
const DOCUMENTATION_POLICY = Object.entries({
  ...POLICY,
  'img-src': [`'self'`, 'data:'],
  'style-src': [`'self'`, `'unsafe-inline'`],
})
  .map(([name, sources]) => `${name} ${sources.join(' ')}`)
  .join('; ');

/**
 * @param overHttps whether people reach the program over https; browsers then come back that way only
 * @param documentation path of the OpenAPI page, with leading slash
 */
export function securityHeaders({
  overHttps,
  documentation,
}: {
  readonly overHttps: boolean;
  readonly documentation: string;
}): HttpPlugin {
  return fastifyPlugin(async (fastify: FastifyInstance) => {
    fastify.addHook('onSend', (request, reply, _payload, next) => {
      if (!reply.hasHeader('cache-control')) {
        void reply.header('cache-control', 'no-store');
      }
      if (request.routeOptions.url === documentation) {
        void reply.header('content-security-policy', DOCUMENTATION_POLICY);
      }
      next();
    });
    await fastify.register(helmet, {
      contentSecurityPolicy: { useDefaults: false, directives: POLICY },
      frameguard: { action: 'deny' },
      hsts: overHttps,
      referrerPolicy: { policy: 'no-referrer' },
    });
  });
}
