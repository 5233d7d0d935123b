import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { toProblem } from '../../../foundation/http/problem.filter.js';
import { AppLogger } from '../../../foundation/logging/app-logger.js';
import { ApiError } from './api-error.js';

/** Sends every response other than success in the form the platform declares: `{type, message}` (P0.4). */
@Catch()
export class ExceptionInfoFilter implements ExceptionFilter {
  constructor(private readonly appLogger: AppLogger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    const known = error instanceof ApiError ? error : fromProblem(error);
    if (known.status >= 500) {
      const { id, url } = http.getRequest<FastifyRequest>();
      this.appLogger.of('http').error({ err: error, requestId: id, url }, 'http.failed');
    }
    if (!reply.sent) {
      void reply
        .status(known.status)
        .headers(known.headers)
        // The route of a page has set its type to HTML.
        .type('application/json')
        .send(known.body);
    }
  }
}

function fromProblem(error: unknown): ApiError {
  const problem = toProblem(error);
  const own = VALIDATION[problem.type];
  const type = own ?? problem.type.toUpperCase().replaceAll('-', '_');
  const named = (problem.errors ?? []).map(({ pointer, detail }) => `${pointer}: ${detail}`);
  const status = own === undefined ? problem.status : 400;
  return new ApiError(status, type, [problem.detail, ...named].join(' '), problem.headers);
}

/** What the platform says of a body that breaks a rule: always 400 (P0.4). */
const VALIDATION: Readonly<Record<string, string>> = {
  'malformed-json': 'JSON_MAPPING_EXCEPTION',
  'invalid-request': 'VALIDATION_FAILED',
  'unusable-text': 'VALIDATION_FAILED',
};
