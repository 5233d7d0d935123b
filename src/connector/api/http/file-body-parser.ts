import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { IdentifyCaller, authenticationRequired } from './identify-caller.js';
import { problem } from './problems.js';

/**
 * Lets a route receive files: `bodyLimit` in its config is its own limit in bytes, `csvBody` gives it `text/csv` as raw
 * bytes. A provider, since both must be registered before the first route.
 */
@Injectable()
export class FileBodyParser {
  constructor(host: HttpAdapterHost, identify: IdentifyCaller) {
    const fastify = host.httpAdapter.getInstance<FastifyInstance>();
    fastify.addHook('onRoute', (route) => {
      const limit: unknown = Reflect.get(Object(route.config), 'bodyLimit');
      if (typeof limit === 'number') {
        route.bodyLimit = limit;
      }
    });
    // A large body is read only for a known caller; the guard then checks the role.
    fastify.addHook('preParsing', async (request) => {
      const isLarge = Reflect.get(request.routeOptions.config, 'bodyLimit') !== undefined;
      if (isLarge && (await identify.identify(request)) === undefined) {
        throw authenticationRequired(request);
      }
    });
    fastify.addContentTypeParser('text/csv', { parseAs: 'buffer' }, (request, body, done) => {
      const isWanted = Reflect.get(request.routeOptions.config, 'csvBody') === true;
      const problemOrNull = isWanted ? null : problem('unsupported-media-type', 'This route takes application/json.');
      done(problemOrNull, isWanted ? body : undefined);
    });
  }
}
