import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../../../foundation/http/problem.js';

const FORM = 'application/x-www-form-urlencoded';
const MAX_BYTES = 16_384;
const FIELD_NAME = /^[a-z]{1,40}$/;

/** Lets a route whose config says `formBody` take a form; a flat object of its fields. */
@Injectable()
export class FormBodyParser {
  constructor(host: HttpAdapterHost) {
    const fastify = host.httpAdapter.getInstance<FastifyInstance>();
    fastify.addContentTypeParser(FORM, { parseAs: 'string', bodyLimit: MAX_BYTES }, (request, body, done) => {
      if (Reflect.get(request.routeOptions.config, 'formBody') !== true) {
        const detail = 'This route takes application/json.';
        done(new Problem({ status: 415, type: 'unsupported-media-type', detail }));
        return;
      }
      const fields = [...new URLSearchParams(body.toString())];
      const names = new Set(fields.map(([name]) => name));
      if (names.size < fields.length || fields.some(([name]) => !FIELD_NAME.test(name))) {
        const detail = 'The form has a field twice, or one that no form of ours has.';
        done(new Problem({ status: 400, type: 'invalid-form', detail }));
        return;
      }
      done(null, Object.fromEntries(fields));
    });
  }
}
