// How every program of this repository serves HTTP: limits, security headers, problem+json, OpenAPI, graceful stop.
import helmet from '@fastify/helmet';
import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import type { Logger } from '../logging/logger.js';
import { NestLogger } from '../logging/nest-logger.js';
import { acceptJsonBodies } from './json-body.js';
import { ProblemFilter, sendProblem, toProblem } from './problem.filter.js';
import { requestValidation } from './validation.js';

export interface HttpProgramOptions {
  readonly module: Type | DynamicModule;
  readonly logger: Logger;
  /** Longest accepted body in bytes. */
  readonly bodyLimit: number;
  /** Milliseconds until a request has to have come in full; 30,000 unless told otherwise. */
  readonly requestTimeoutMs?: number;
  readonly openApi: {
    readonly title: string;
    readonly description: string;
    /** Path of the page, without leading slash; the document itself is at `jsonPath`. */
    readonly path: string;
    readonly jsonPath: string;
  };
}

/** Builds the application without listening, so that tests can inject requests. */
export async function createHttpProgram(options: HttpProgramOptions): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    bodyLimit: options.bodyLimit,
    requestTimeout: options.requestTimeoutMs ?? 30_000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    genReqId: () => randomUUID(),
    http: { maxHeaderSize: 16_384, headersTimeout: 10_000 },
    routerOptions: { maxParamLength: 300 },
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      sendProblem(reply, toProblem(error), request.id);
    },
  });
  const app = await NestFactory.create<NestFastifyApplication>(options.module, adapter, {
    bodyParser: false,
    logger: new NestLogger(options.logger),
    abortOnError: false,
  });
  const fastify = adapter.getInstance();
  acceptJsonBodies(fastify, options.bodyLimit);
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    done();
  });
  await app.register(helmet, {
    // The documentation page needs its own inline start script; everything else is data or plain forms.
    contentSecurityPolicy: {
      directives: { 'script-src': [`'self'`, `'unsafe-inline'`], 'upgrade-insecure-requests': null },
    },
    referrerPolicy: { policy: 'no-referrer' },
  });
  app.useGlobalFilters(new ProblemFilter(options.logger));
  app.useGlobalPipes(requestValidation());
  const description = new DocumentBuilder()
    .setTitle(options.openApi.title)
    .setDescription(options.openApi.description)
    .setVersion('1')
    .addBearerAuth()
    .build();
  SwaggerModule.setup(options.openApi.path, app, () => SwaggerModule.createDocument(app, description), {
    jsonDocumentUrl: options.openApi.jsonPath,
  });
  return app;
}
