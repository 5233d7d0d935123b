// Security headers of every response (S50).
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet, { type HelmetOptions } from 'helmet';
import { httpPlugin, type HttpPlugin } from '../http-plugin.js';

/** Nothing but our own files and forms, in no frame. A page that needs less or more says so itself. */
const SOURCES = {
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
const DOCUMENTATION_SOURCES = {
  ...SOURCES,
  'img-src': [`'self'`, 'data:'],
  'style-src': [`'self'`, `'unsafe-inline'`],
};

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
  const [policy, documentationPolicy] = [policyOf(SOURCES), policyOf(DOCUMENTATION_SOURCES)];
  const always = headersOf({
    contentSecurityPolicy: false,
    frameguard: { action: 'deny' },
    hsts: overHttps,
    referrerPolicy: { policy: 'no-referrer' },
  });
  return httpPlugin('security-headers', (fastify, _options, done) => {
    fastify.addHook('onRequest', (_request, reply, next) => {
      void reply.headers(always);
      next();
    });
    fastify.addHook('onSend', (request, reply, _payload, next) => {
      if (!reply.hasHeader('cache-control')) {
        void reply.header('cache-control', 'no-store');
      }
      if (!reply.hasHeader('content-security-policy')) {
        const isDocumentation = request.routeOptions.url === documentation;
        void reply.header('content-security-policy', isDocumentation ? documentationPolicy : policy);
      }
      next();
    });
    done();
  });
}

/** What the library sets is the same for every response, so it is read once: repeating it costs a webhook a tenth of its time. */
function headersOf(options: HelmetOptions): Readonly<Record<string, string>> {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  helmet(options)(request, response, () => undefined);
  return Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]));
}

function policyOf(sources: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(sources)
    .map(([name, allowed]) => `${name} ${allowed.join(' ')}`)
    .join(';');
}
