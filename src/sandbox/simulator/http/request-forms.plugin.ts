// What every request has to satisfy before it reaches a route, and which bodies are taken at all.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { httpPlugin, type HttpPlugin } from '../../../foundation/http/http-plugin.js';
import { ApiError, OAuthError } from '../wire/api-error.js';
import { isStorable } from '../wire/request-fields.js';
import { pathOf } from './request-paths.js';

const FORM = 'application/x-www-form-urlencoded';
const MAX_FORM_BYTES = 65_536;
/** The page and the authorization server take forms (RFC 6749); every other operation takes JSON (P0.1). */
const TAKES_FORMS = /^\/(page|oauth)\//;

/** Refuses credentials that no database could look for, and bodies in an encoding. */
export const requestForms: HttpPlugin = httpPlugin('request-forms', (fastify, _options, done) => {
  fastify.addHook('onRequest', (request, _reply, next) => {
    const { authorization, 'content-encoding': encoding = 'identity' } = request.headers;
    const encoded = /^Basic +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
    if (!isStorable(formDecoded(Buffer.from(encoded, 'base64').toString()))) {
      next(unusable(request, 'The credentials hold'));
    } else if (encoding !== 'identity') {
      next(new ApiError(415, 'UNSUPPORTED_MEDIA_TYPE', 'A body comes without a content encoding.'));
    } else {
      next();
    }
  });
  done();
});

/** Parses forms into flat objects, where they are taken. Plain text is no body of any operation. */
export const formBodies: HttpPlugin = httpPlugin('form-bodies', (fastify, _options, done) => {
  fastify.removeContentTypeParser('text/plain');
  takeForms(fastify, (_request, text) => Object.fromEntries(new URLSearchParams(text)));
  done();
});

/**
 * Has a scope take forms, where its operations do.
 * @param read what becomes the body of a form's text
 */
export function takeForms(fastify: FastifyInstance, read: (request: FastifyRequest, text: string) => unknown): void {
  fastify.addContentTypeParser(FORM, { parseAs: 'string', bodyLimit: MAX_FORM_BYTES }, (request, body, parsed) => {
    const text = body.toString();
    if (!TAKES_FORMS.test(pathOf(request))) {
      // HTTP clients name a form as the type of a body that is not there.
      const isAbsent = text === '';
      parsed(isAbsent ? null : new ApiError(415, 'UNSUPPORTED_MEDIA_TYPE', 'This operation takes application/json.'));
    } else if ([...new URLSearchParams(text)].flat().every(isStorable)) {
      parsed(null, read(request, text));
    } else {
      parsed(unusable(request, 'The form holds'));
    }
  });
}

/** Each part of credentials is a form's value before Base64 (RFC 6749 §2.3.1). */
function formDecoded(text: string): string {
  return [...new URLSearchParams(`x=${text.replaceAll('&', '%26')}`).values()].join();
}

function unusable(request: FastifyRequest, what: string): ApiError {
  const message = `${what} a character that cannot be stored.`;
  return pathOf(request).startsWith('/oauth/')
    ? new OAuthError(400, 'invalid_request', message)
    : new ApiError(400, 'VALIDATION_FAILED', message);
}
