import { httpPlugin, type HttpPlugin } from '../../../foundation/http/http-plugin.js';
import { message } from '../../../kernel/message.js';
import { problem } from './problems.js';

/**
 * Lets a route receive files: `bodyLimit` in its config is its own limit in bytes, `csvBody` gives it `text/csv` as raw
 * bytes. Both are registered before the first route.
 */
export const fileBodies: HttpPlugin = httpPlugin('file-bodies', (fastify, _options, done) => {
  fastify.addHook('onRoute', (route) => {
    const limit: unknown = Reflect.get(Object(route.config), 'bodyLimit');
    if (typeof limit === 'number') {
      route.bodyLimit = limit;
    }
  });
  // No route takes a plain text, which would be validated as if it were an object.
  fastify.removeContentTypeParser('text/plain');
  fastify.addContentTypeParser('text/csv', { parseAs: 'buffer' }, (request, body, parsed) => {
    const isWanted = Reflect.get(request.routeOptions.config, 'csvBody') === true;
    const problemOrNull = isWanted
      ? null
      : problem('unsupported-media-type', message('problem.unsupported-media-type.detail'));
    parsed(problemOrNull, isWanted ? body : undefined);
  });
  done();
});
