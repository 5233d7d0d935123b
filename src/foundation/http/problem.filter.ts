import { Catch, HttpException, Optional, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Retryable } from '../../kernel/faults.js';
import { message } from '../../kernel/message.js';
import { isDatabaseUnavailable } from '../database/database-error.js';
import { AppLogger } from '../logging/app-logger.js';
import { KnownRoutes } from './plugins/known-routes.plugin.js';
import { otherMediaType, Problem, PROBLEM_FORM, type ProblemOptions, type RefusalForm } from './problem.js';

/** Puts a problem into the language of the person who reads it. A program that speaks English alone provides none. */
export abstract class ProblemWording {
  /** @param reply gets the header of its language */
  abstract word(options: ProblemOptions, request: FastifyRequest, reply: FastifyReply): ProblemOptions;
}

/** Responds to a browser that was to show a page. A program whose addresses are for programs only provides none. */
export abstract class ProblemPage {
  /**
   * @param options in the reader's language
   * @param reply gets the header of that language
   * @returns the page as HTML; undefined where the response is problem+json nevertheless
   */
  abstract render(options: ProblemOptions, request: FastifyRequest, reply: FastifyReply): string | undefined;
}

/** Turns whatever a route throws into problem+json, without a stack, statement or host name (invariants I38, I39). */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    private readonly appLogger: AppLogger,
    private readonly knownRoutes: KnownRoutes,
    @Optional() private readonly problemWording?: ProblemWording,
    @Optional() private readonly problemPage?: ProblemPage,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    // An unauthorized caller gets that response, also where no route exists.
    const isUnknownRoute = request.is404 && !(error instanceof Problem);
    const options = isUnknownRoute ? this.routeNotFound(request) : toProblem(error);
    if (options.status >= 500) {
      const seen = { err: error, requestId: request.id, route: request.routeOptions.url };
      this.appLogger.of('http').error(seen, 'http.failed');
    }
    if (reply.sent) {
      return;
    }
    const worded = this.problemWording?.word(options, request, reply) ?? options;
    const page = this.problemPage?.render(worded, request, reply);
    if (page === undefined) {
      sendProblem(reply, worded, request.id);
    } else {
      const headers = { ...options.headers, 'cache-control': 'no-store', 'content-type': 'text/html; charset=utf-8' };
      void reply.status(options.status).headers(headers).send(page);
    }
  }

  /** No route of this method and address; whether there are others. */
  private routeNotFound({ method, url }: FastifyRequest): ProblemOptions {
    const [path = ''] = url.split('?', 1);
    const methods = this.knownRoutes.methodsOf(path);
    if (methods.length === 0) {
      const headers = { link: `<${this.knownRoutes.listedAt}>; rel="service-desc"` };
      const detail = 'There is nothing at this address.';
      return { status: 404, type: 'not-found', detail, message: message('problem.not-found.address'), headers };
    }
    const detail = `This address takes no ${method}.`;
    return { status: 405, type: 'method-not-allowed', detail, headers: { allow: methods.join(', ') } };
  }
}

export function sendProblem(
  reply: FastifyReply,
  options: ProblemOptions,
  requestId: string,
  form: RefusalForm = PROBLEM_FORM,
): void {
  void reply
    .status(options.status)
    .headers({ ...options.headers, 'content-type': form.contentType })
    // Bytes, since Fastify would put a charset behind the type of a text, which JSON does not have.
    .send(Buffer.from(JSON.stringify(form.document(options, requestId))));
}

/** Maps an error to the response it deserves; anything unknown is a 500 that says nothing about its cause. */
export function toProblem(error: unknown): ProblemOptions {
  if (error instanceof Problem) {
    return error.options;
  }
  // Before the database: a client that aborts its upload leaves the same code, ECONNRESET, as a lost connection to it.
  const status = statusOf(error);
  if (status === 413) {
    return {
      status,
      type: typeOf(status),
      detail: 'The body is larger than this address takes. Nothing was done; send it in several smaller parts.',
      message: message('problem.payload-too-large.detail'),
    };
  }
  if (status === 415) {
    return otherMediaType();
  }
  if (status !== undefined && status >= 400 && status < 500) {
    const text = memberOf(error, 'message');
    return {
      status,
      type: typeOf(status),
      detail: typeof text === 'string' ? text : 'The request is not valid.',
    };
  }
  if (isDatabaseUnavailable(error)) {
    return {
      status: 503,
      type: 'database-unavailable',
      detail: 'The service cannot reach its database at the moment. Nothing was changed; try again.',
      message: message('problem.database-unavailable.detail'),
      headers: { 'retry-after': '5' },
    };
  }
  if (error instanceof Retryable) {
    return {
      status: 503,
      type: 'temporarily-unavailable',
      detail: 'Another system that this needs does not answer as it should. Try again in a moment.',
      message: message('problem.temporarily-unavailable.detail'),
      headers: { 'retry-after': '30' },
    };
  }
  return {
    status: 500,
    type: 'internal-error',
    detail: 'Something went wrong on our side. Nothing is known to be changed.',
    message: message('problem.internal-error.detail'),
  };
}

/** Nest's own exceptions and Fastify's errors carry the status of what the caller did wrong. */
function statusOf(error: unknown): number | undefined {
  if (error instanceof HttpException) {
    return error.getStatus();
  }
  const status = memberOf(error, 'statusCode');
  return typeof status === 'number' ? status : undefined;
}

/** Fastify's errors are none to `Error.isError`, and those of another realm are not instances of ours. */
function memberOf(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
}

const TYPES: Readonly<Record<number, string>> = {
  400: 'bad-request',
  401: 'not-authenticated',
  403: 'forbidden',
  404: 'not-found',
  405: 'method-not-allowed',
  408: 'request-timeout',
  413: 'payload-too-large',
  414: 'uri-too-long',
  415: 'unsupported-media-type',
  431: 'headers-too-large',
  429: 'too-many-requests',
};

function typeOf(status: number): string {
  return TYPES[status] ?? 'bad-request';
}
