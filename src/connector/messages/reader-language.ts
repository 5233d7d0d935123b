import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { preferredLanguage } from './texts.js';

const chosen = new WeakMap<FastifyRequest, string>();

/** The caller has chosen a language, which counts before what the browser prefers. */
export function chooseReaderLanguage(request: FastifyRequest, language: string): void {
  chosen.set(request, language);
}

/** Parameter of a controller method: the language that the reader prefers. The answer says that it depends on it. */
export const ReaderLanguage = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const http = context.switchToHttp();
  const request = http.getRequest<FastifyRequest>();
  const language = preferredLanguage(chosen.get(request) ?? request.headers['accept-language']);
  const reply = http.getResponse<FastifyReply>();
  const vary = reply.getHeader('vary');
  void reply.header('vary', vary === undefined ? 'Accept-Language' : `${String(vary)}, Accept-Language`);
  void reply.header('content-language', language);
  return language;
});
