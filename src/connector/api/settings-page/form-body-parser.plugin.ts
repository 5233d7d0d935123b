import { fastifyPlugin } from 'fastify-plugin';
import type { HttpPlugin } from '../../../foundation/http/http-plugin.js';
import { message } from '../../../kernel/message.js';
import { problem } from '../http/problems.js';

const FORM = 'application/x-www-form-urlencoded';
const MAX_BYTES = 16_384;
const FIELD_NAME = /^[a-zA-Z]{1,40}$/;

/** Parses forms for routes whose config has `formBody`: a flat object of the fields. */
export const formBodies: HttpPlugin = fastifyPlugin((fastify, _options, done) => {
  fastify.addContentTypeParser(FORM, { parseAs: 'string', bodyLimit: MAX_BYTES }, (request, body, parsed) => {
    if (Reflect.get(request.routeOptions.config, 'formBody') !== true) {
      parsed(problem('unsupported-media-type', message('problem.unsupported-media-type.detail')));
      return;
    }
    const text = body.toString();
    if (!isUtf8(text)) {
      parsed(problem('invalid-form', message('problem.invalid-form.bytes')));
      return;
    }
    const fields = [...new URLSearchParams(text)];
    const names = new Set(fields.map(([name]) => name));
    if (names.size < fields.length || fields.some(([name]) => !FIELD_NAME.test(name))) {
      parsed(problem('invalid-form', message('problem.invalid-form.detail')));
      return;
    }
    if (fields.some(([, value]) => value.includes('\0'))) {
      parsed(problem('invalid-form', message('problem.invalid-form.character')));
      return;
    }
    parsed(null, Object.fromEntries(fields));
  });
  done();
});

/** A decoder of forms replaces other bytes with U+FFFD, as if that had been sent. */
function isUtf8(text: string): boolean {
  try {
    decodeURIComponent(text);
    return !text.includes('\ufffd');
  } catch {
    return false;
  }
}
