import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../../../foundation/http/problem.js';
import { IdentifyCaller, authenticationRequired } from './identify-caller.js';

/**
 * Lets a route take files: `bodyLimit` in its config is its own limit in bytes, `csvBody` lets it have `text/csv` as raw
 * bytes. A provider, since both must be known before the first route is.
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
    // A large body is read for somebody we know only; the guard then looks at the role.
    fastify.addHook('preParsing', async (request) => {
      const isLarge = Reflect.get(request.routeOptions.config, 'bodyLimit') !== undefined;
      if (isLarge && (await identify.identify(request)) === undefined) {
        throw authenticationRequired(request);
      }
    });
    fastify.addContentTypeParser('text/csv', { parseAs: 'buffer' }, (request, body, done) => {
      const isWanted = Reflect.get(request.routeOptions.config, 'csvBody') === true;
      done(isWanted ? null : notJson(), isWanted ? body : undefined);
    });
  }
}

function notJson(): Problem {
  const detail = 'This route takes application/json.';
  return new Problem({ status: 415, type: 'unsupported-media-type', detail });
}
