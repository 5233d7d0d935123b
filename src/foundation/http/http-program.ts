// How every program of this repository serves HTTP: limits, its plugins in their order, OpenAPI, graceful stop.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Counter } from 'prom-client';
import type { Logger } from '../logging/logger.js';
import { NestLogger } from '../logging/nest-logger.js';
import { MAX_HEAD_BYTES, respondToClientError } from './plugins/bad-requests.plugin.js';
import type { HttpPlugin } from './http-plugin.js';
import { withNullableSchemas } from './nullable-schemas.js';
import { PROBLEM_FORM, type RefusalForm } from './problem.js';
import { sendProblem, toProblem } from './problem.filter.js';

/** Files and database need descriptors as well. Beyond it a new connection is closed at once. */
const MAX_CONNECTIONS = 5_000;

const closedConnections = new Counter({
  name: 'http_server_connections_closed_total',
  help: 'Connections closed at once, since the process had as many as it takes',
});

export interface HttpProgramOptions {
  readonly module: Type | DynamicModule;
  readonly logger: Logger;
  /** In the order in which their hooks see a request. They are registered before the first route. */
  readonly plugins: (app: NestFastifyApplication) => readonly HttpPlugin[];
  /** Longest accepted body in bytes; a longer one gets 413. */
  readonly bodyLimit: number;
  /** Milliseconds until a request has to have come in full; 30,000 by default. */
  readonly requestTimeoutMs?: number;
  /** Milliseconds after which a connection is closed on which no byte has moved, also while a response is under way; no limit by default. */
  readonly silenceMs?: number;
  /** Addresses and networks of the proxies in front, which say whose request it is. None: no header about the client is trusted. */
  readonly trustedProxies?: readonly string[];
  /** What a request's address is read as; as it came by default. */
  readonly rewriteUrl?: (url: string) => string;
  /** Form of refusals before a route is found; problem+json by default. */
  readonly refusals?: RefusalForm;
  readonly openApi: {
    readonly title: string;
    readonly description: string;
    /** Path of the page, with leading slash; the document itself is at `jsonPath`. */
    readonly path: string;
    readonly jsonPath: string;
    /** Whether some routes take Basic beside Bearer; false by default. */
    readonly basicAuth?: boolean;
    /** Adds to the document what its decorators do not say. */
    readonly complete?: (document: OpenAPIObject) => OpenAPIObject;
  };
}

/** Builds the application without listening, so that tests can inject requests. */
export async function createHttpProgram(options: HttpProgramOptions): Promise<NestFastifyApplication> {
  const adapter = createAdapter(options);
  const app = await NestFactory.create<NestFastifyApplication>(options.module, adapter, {
    bodyParser: false,
    logger: new NestLogger(options.logger),
    abortOnError: false,
  });
  limitConnections(app);
  closeUnusedConnections(app);
  for (const plugin of options.plugins(app)) {
    await app.register(plugin);
  }
  const description = new DocumentBuilder()
    .setTitle(options.openApi.title)
    .setDescription(options.openApi.description)
    .setVersion('1')
    .addBearerAuth();
  if (options.openApi.basicAuth === true) {
    description.addBasicAuth();
  }
  const { complete = (document: OpenAPIObject) => document } = options.openApi;
  const build = () => complete(withNullableSchemas(SwaggerModule.createDocument(app, description.build())));
  SwaggerModule.setup(options.openApi.path, app, build, {
    jsonDocumentUrl: options.openApi.jsonPath,
  });
  return app;
}

function limitConnections(app: NestFastifyApplication): void {
  const { server } = app.getHttpAdapter().getInstance();
  server.maxConnections = MAX_CONNECTIONS;
  server.on('drop', () => {
    closedConnections.inc();
  });
}

/**
 * Browsers open connections in advance. While one has carried no request yet, Node neither counts it as idle nor closes it, and a
 * program that stops would wait for it.
 */
function closeUnusedConnections(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  const server: Server = fastify.server;
  const unused = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage) => unused.delete(socket));
  fastify.addHook('preClose', (done) => {
    unused.forEach((socket) => socket.destroy());
    done();
  });
}

function createAdapter(options: HttpProgramOptions): FastifyAdapter {
  const { refusals = PROBLEM_FORM, rewriteUrl } = options;
  return new FastifyAdapter({
    ...(rewriteUrl !== undefined && { rewriteUrl: ({ url = '/' }) => rewriteUrl(url) }),
    bodyLimit: options.bodyLimit,
    requestTimeout: options.requestTimeoutMs ?? 30_000,
    connectionTimeout: options.silenceMs ?? 0,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    genReqId: () => randomUUID(),
    trustProxy: [...(options.trustedProxies ?? [])],
    // Time-outs hold within one look at the connections.
    http: { maxHeaderSize: MAX_HEAD_BYTES, headersTimeout: 10_000, connectionsCheckingInterval: 5_000 },
    routerOptions: { maxParamLength: 300 },
    clientErrorHandler: (error, socket) => {
      respondToClientError(refusals, error, socket);
    },
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      void reply.header('cache-control', 'no-store');
      sendProblem(reply, toProblem(error), request.id, refusals);
    },
  });
}
