import type { FastifyInstance } from 'fastify';
import { Problem } from './problem.js';

/**
 * Parses `application/json` bodies, and leaves them as raw bytes on routes whose config says `rawBody` (a webhook is
 * verified over its bytes before anything is parsed; spec: reliability §d1).
 * @param bodyLimit bytes; a longer body is answered with 413
 */
export function acceptJsonBodies(fastify: FastifyInstance, bodyLimit: number): void {
  fastify.removeContentTypeParser('application/json');
  fastify.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit },
    (request, body, done) => {
      const raw = Reflect.get(request.routeOptions.config, 'rawBody') === true;
      if (raw || body.length === 0) {
        done(null, raw ? body : undefined);
        return;
      }
      try {
        done(null, parseJson(body.toString()));
      } catch (error) {
        const detail = 'The body is not valid JSON in UTF-8.';
        done(new Problem({ status: 400, type: 'malformed-json', detail, cause: error }));
      }
    },
  );
}

/**
 * Keys that could reach a prototype are refused, not dropped, so that a caller learns of them. Looking at each key costs
 * several times the parsing, so it is done only where such a key can be: written out, or hidden in an escape.
 */
function parseJson(text: string): unknown {
  if (!text.includes('__proto__') && !text.includes('\\u')) {
    return JSON.parse(text);
  }
  return JSON.parse(text, (key, value: unknown) => {
    if (key === '__proto__') {
      throw new SyntaxError('the key __proto__ is not allowed');
    }
    return value;
  });
}
