import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { SecretSearch } from './secret-search.js';

/** Has every answer of an application searched for secrets. To be called before its routes are made. */
export function watchResponses(app: NestFastifyApplication, search: SecretSearch): void {
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload === 'string' || Buffer.isBuffer(payload)) {
      const { method, headers, routeOptions } = request;
      const seen = { method, path: routeOptions.url ?? '/', headers };
      search.learnResponse(seen, { headers: reply.getHeaders(), body: payload.toString() });
    }
    done(null, payload);
  });
}
