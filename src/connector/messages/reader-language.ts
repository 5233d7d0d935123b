import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { preferredLanguage } from './texts.js';

const chosen = new WeakMap<FastifyRequest, string>();

/** The caller has chosen a language, which counts before what the browser prefers. */
export function chooseReaderLanguage(request: FastifyRequest, language: string): void {
  chosen.set(request, language);
}

/** Parameter of a controller method: the language that the reader prefers. The response says that it depends on it. */
export const ReaderLanguage = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const http = context.switchToHttp();
  return readerLanguage(http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
});

/** The language that the reader of a request prefers; the response says that it depends on it. */
export function readerLanguage(request: FastifyRequest, reply: FastifyReply): string {
  const language = preferredLanguage(chosen.get(request) ?? request.headers['accept-language']);
  const vary = String(reply.getHeader('vary') ?? '');
  if (!vary.includes('Accept-Language')) {
    void reply.header('vary', vary === '' ? 'Accept-Language' : `${vary}, Accept-Language`);
  }
  void reply.header('content-language', language);
  return language;
}
