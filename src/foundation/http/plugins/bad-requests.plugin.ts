// What is refused before it reaches a route: addresses and headers that are too long or cannot be text, and what is no HTTP
// at all (D3.9, S49).
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { httpPlugin, type HttpPlugin } from '../http-plugin.js';
import { Problem, type ProblemOptions, type RefusalForm } from '../problem.js';

/** Of the programs' own routes, which are called by programs. */
const MAX_URL_LENGTH = 8_192;
const MAX_HEADERS_BYTES = 16_384;
/** Where Node stops reading; above the limits together, so that the response can tell which one it was. */
export const MAX_HEAD_BYTES = MAX_URL_LENGTH + MAX_HEADERS_BYTES + 8_192;

const ADDRESS_TOO_LONG: ProblemOptions = {
  status: 414,
  type: 'uri-too-long',
  detail: 'An address has at most 8 kB.',
};
const HEADERS_TOO_LARGE: ProblemOptions = {
  status: 431,
  type: 'headers-too-large',
  detail: 'The headers have at most 16 kB together.',
};
const TOO_SLOW: ProblemOptions = {
  status: 408,
  type: 'request-timeout',
  detail: 'The request did not arrive in time.',
};
const NO_HTTP: ProblemOptions = {
  status: 400,
  type: 'bad-request',
  detail: 'This is no valid HTTP request.',
};

/** @param storableTexts whether an address with a character that no database takes is refused, too */
export function badRequests({ storableTexts }: { readonly storableTexts: boolean }): HttpPlugin {
  return httpPlugin('bad-requests', (fastify, _options, done) => {
    fastify.addHook('onRequest', ({ raw: { url = '', rawHeaders } }, _reply, next) => {
      // A page says in its own words what is wrong with its address.
      if (url.length > MAX_URL_LENGTH && url.startsWith('/api/')) {
        next(new Problem(ADDRESS_TOO_LONG));
      } else if (rawHeaders.reduce((sum, text) => sum + text.length, 0) > MAX_HEADERS_BYTES) {
        next(new Problem(HEADERS_TOO_LARGE));
      } else if (hasTwoHosts(rawHeaders)) {
        next(new Problem(NO_HTTP));
      } else if (storableTexts && url.includes('%00')) {
        next(new Problem(nulProblem(url)));
      } else {
        next();
      }
    });
    done();
  });
}

/** Programs on the way may each believe another one (RFC 9112 §3.2); Node's parser lets it pass. */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length > 1;
}

/** No database takes the character: nothing has it in its name, and it cannot be searched. */
function nulProblem(url: string): ProblemOptions {
  return url.split('?', 1)[0]?.includes('%00') === true
    ? { status: 404, type: 'not-found', detail: 'There is nothing at this address.' }
    : { status: 400, type: 'bad-request', detail: 'The query contains the character NUL.' };
}

/** For what Node's parser gives up on: no request exists yet, so the response is written by hand. */
export function respondToClientError(
  form: RefusalForm,
  error: Error & { readonly code?: string },
  socket: Socket,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const options = clientProblem(error.code);
  const body = JSON.stringify(form.document(options, randomUUID()));
  const lines = [
    `HTTP/1.1 ${options.status.toString()} ${STATUS_CODES[options.status] ?? ''}`,
    `content-type: ${form.contentType}`,
    `content-length: ${Buffer.byteLength(body).toString()}`,
    'cache-control: no-store',
    'connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

function clientProblem(code: string | undefined): ProblemOptions {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return HEADERS_TOO_LARGE;
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return TOO_SLOW;
    default:
      return NO_HTTP;
  }
}
