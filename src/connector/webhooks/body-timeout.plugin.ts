import { httpPlugin, type HttpPlugin } from '../../foundation/http/http-plugin.js';
import { Problem } from '../../foundation/http/problem.js';
import { sendProblem, toProblem } from '../../foundation/http/problem.filter.js';

const MAX_WAIT_MS = 5_000;

/**
 * A request to a route with `promptBody` in its config must arrive in full within five seconds; slower senders get 408 and
 * lose the connection (D1.8).
 */
export const bodyTimeout: HttpPlugin = httpPlugin('body-timeout', (fastify, _options, done) => {
  fastify.addHook('onRequest', (request, reply, next) => {
    if (Reflect.get(request.routeOptions.config, 'promptBody') === true) {
      const timer = setTimeout(() => {
        const detail = 'The message did not arrive within five seconds.';
        const problem = new Problem({ status: 408, type: 'request-timeout', detail });
        void reply.header('connection', 'close');
        sendProblem(reply, toProblem(problem), request.id);
      }, MAX_WAIT_MS);
      request.raw.once('end', () => {
        clearTimeout(timer);
      });
      request.raw.once('close', () => {
        clearTimeout(timer);
      });
    }
    next();
  });
  done();
});
