// Compressed responses, and ETags that avoid sending one again.
import { fastifyCompress } from '@fastify/compress';
import { fastifyEtag } from '@fastify/etag';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { httpPlugin, type HttpPlugin } from '../http-plugin.js';

const JSON_TYPE = /^application\/(?:problem\+)?json(?:;|$)/;

/**
 * Compresses what is read as JSON below an address and gives every response of known length an ETag, so that a request with
 * `If-None-Match` gets 304; not where a route has set an ETag of its own, which is a version to save with. Left as they are:
 * pages, which hold the tokens of their forms; what is sent while it is read, since events must not wait until there is enough
 * to compress; responses to changes; and routes with `compress: false` in their config, whose response is a secret: its
 * compressed length says something of it to who can have text of his own put beside it. Compressed requests are refused as before.
 * @param prefix of the addresses, for instance `/api/`
 */
export function compression(prefix: string): HttpPlugin {
  return httpPlugin('compression', async (fastify: FastifyInstance) => {
    // Before that of the library, which reads it.
    fastify.addHook('onRoute', (route) => {
      if (!mayBeCompressed(route, prefix)) {
        route.compress = false;
      }
    });
    fastify.addHook('onSend', (request, reply, payload, next) => {
      // Other parts of such a response change while its version stays, as the lists of an accounting system do.
      if (reply.hasHeader('etag')) {
        delete request.headers['if-none-match'];
      }
      const isText = typeof payload === 'string' || Buffer.isBuffer(payload);
      if (!isText || !JSON_TYPE.test(String(reply.getHeader('content-type')))) {
        // The library has a table of types that it always compresses; this is how a client refuses compression.
        request.headers['x-no-compression'] = 'true';
      }
      next();
    });
    // Weak: the same response has the same one, compressed or not.
    await fastify.register(fastifyEtag, { algorithm: 'sha256', weak: true });
    await fastify.register(fastifyCompress, { encodings: ['br', 'gzip'], globalDecompression: false });
  });
}

function mayBeCompressed({ method, url, config }: RouteOptions, prefix: string): boolean {
  const isRead = [method].flat().every((each) => each === 'GET' || each === 'HEAD');
  return isRead && url.startsWith(prefix) && Reflect.get(Object(config), 'compress') !== false;
}
