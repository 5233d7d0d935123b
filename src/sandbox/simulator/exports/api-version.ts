import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { ExportVersion } from './domain/failure-reasons.js';

/** Hands a handler the version of the Export API it was called as: the first segment of the path. */
export const ApiVersion = createParamDecorator((_: unknown, context: ExecutionContext): ExportVersion => {
  const { url } = context.switchToHttp().getRequest<FastifyRequest>();
  return url.startsWith('/v2/') ? 'v2' : 'v3';
});
