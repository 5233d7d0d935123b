import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { problem } from '../http/problems.js';

const FORM = 'application/x-www-form-urlencoded';
const MAX_BYTES = 16_384;
const FIELD_NAME = /^[a-z]{1,40}$/;

/** Parses forms for routes whose config has `formBody`: a flat object of the fields. */
@Injectable()
export class FormBodyParser {
  constructor(host: HttpAdapterHost) {
    const fastify = host.httpAdapter.getInstance<FastifyInstance>();
    fastify.addContentTypeParser(FORM, { parseAs: 'string', bodyLimit: MAX_BYTES }, (request, body, done) => {
      if (Reflect.get(request.routeOptions.config, 'formBody') !== true) {
        done(problem('unsupported-media-type', 'This route takes application/json.'));
        return;
      }
      const fields = [...new URLSearchParams(body.toString())];
      const names = new Set(fields.map(([name]) => name));
      if (names.size < fields.length || fields.some(([name]) => !FIELD_NAME.test(name))) {
        done(problem('invalid-form', 'The form has a field twice, or an unknown one.'));
        return;
      }
      done(null, Object.fromEntries(fields));
    });
  }
}
