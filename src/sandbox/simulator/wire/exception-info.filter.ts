import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { KnownRoutes } from '../../../foundation/http/plugins/known-routes.plugin.js';
import type { ProblemOptions, RefusalForm } from '../../../foundation/http/problem.js';
import { toProblem } from '../../../foundation/http/problem.filter.js';
import { AppLogger } from '../../../foundation/logging/app-logger.js';
import { pathOf } from '../http/request-paths.js';
import { ApiError } from './api-error.js';

/** Sends every response other than success in the form the platform declares: `{type, message}` (P0.4). */
@Catch()
export class ExceptionInfoFilter implements ExceptionFilter {
  constructor(
    private readonly appLogger: AppLogger,
    private readonly knownRoutes: KnownRoutes,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const known = this.refusedMethod(request) ?? refusalOf(error);
    if (known.status >= 500) {
      const { id, url } = request;
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

  /** Where nothing takes this method and other methods are taken. */
  private refusedMethod(request: FastifyRequest): ApiError | undefined {
    const methods = request.is404 ? this.knownRoutes.methodsOf(pathOf(request)) : [];
    const message = `This address takes no ${request.method}.`;
    return methods.length === 0
      ? undefined
      : new ApiError(405, 'METHOD_NOT_ALLOWED', message, { allow: methods.join(', ') });
  }
}

/** What the platform answers to an error. */
export function refusalOf(error: unknown): ApiError {
  return error instanceof ApiError ? error : fromProblem(toProblem(error));
}

/** As the filter, for what is refused before a route is found. */
export const EXCEPTION_INFO: RefusalForm = {
  contentType: 'application/json',
  document: (problem) => fromProblem(problem).body,
};

function fromProblem(problem: ProblemOptions): ApiError {
  const own = VALIDATION[problem.type];
  const type = own ?? problem.type.toUpperCase().replaceAll('-', '_');
  const named = (problem.errors ?? []).map(({ pointer, detail }) => `${String(pointer)}: ${detail}`);
  const status = own === undefined ? problem.status : 400;
  return new ApiError(status, type, [problem.detail, ...named].join(' '), problem.headers);
}

/** What the platform says of a body that breaks a rule: always 400 (P0.4). */
const VALIDATION: Readonly<Record<string, string>> = {
  'malformed-json': 'JSON_MAPPING_EXCEPTION',
  'invalid-request': 'VALIDATION_FAILED',
  'unusable-text': 'VALIDATION_FAILED',
};
