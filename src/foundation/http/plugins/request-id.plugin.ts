import { httpPlugin, type HttpPlugin } from '../http-plugin.js';

/** Every response bears the id under which its request is logged. */
export const requestId: HttpPlugin = httpPlugin('request-id', (fastify, _options, done) => {
  fastify.addHook('onRequest', (request, reply, next) => {
    void reply.header('x-request-id', request.id);
    next();
  });
  done();
});
