import { Controller, Delete, Get, Options, Param, Patch, Post, Put, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import {
  ApiAcceptedResponse,
  ApiExcludeEndpoint,
  ApiOkResponse,
  ApiTags,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../../foundation/http/access.js';
import { Problem } from '../../foundation/http/problem.js';
import { AppLogger } from '../../foundation/logging/app-logger.js';
import { AcceptNotification, type Refusal } from './accept-notification.js';

const LONGEST_BODY_BYTES = 64 * 1_024;
const JSON_TYPE = /^application\/json\s*(;\s*charset=utf-8\s*)?$/i;

/** Where the platform delivers notifications. Answers 2xx only after the message is durably stored. */
@ApiTags('Webhooks')
@Access('public')
@Controller('webhooks')
export class WebhooksController {
  constructor(
    private readonly accept: AcceptNotification,
    private readonly logger: AppLogger,
  ) {}

  /** A notification of the platform: Standard Webhooks headers, body as signed. 2xx once it is durably stored. */
  @Post(':endpointToken')
  @RouteConfig({ rawBody: true })
  @ApiAcceptedResponse({ description: 'stored' })
  @ApiOkResponse({ description: 'was stored before' })
  @ApiUnauthorizedResponse({ description: 'not signed by the platform, or not now' })
  async receive(
    @Param('endpointToken') endpointToken: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Record<string, never>> {
    const body = rawBodyOf(request);
    const result = await this.accept.run(endpointToken, {
      id: headerOf(request, 'webhook-id'),
      timestamp: headerOf(request, 'webhook-timestamp'),
      signature: headerOf(request, 'webhook-signature'),
      body,
    });
    switch (result.outcome) {
      case 'stored':
        void reply.status(202);
        return {};
      case 'duplicate':
        void reply.status(200);
        return {};
      default:
        this.logger.of('webhooks').warn({ outcome: result.outcome }, 'webhook.refused');
        throw problemOf(result);
    }
  }

  // Fastify takes no second "all methods" beside POST, so each of the others says no by itself.
  @Get(':endpointToken')
  @ApiExcludeEndpoint()
  refuseGet(): never {
    throw onlyPost();
  }

  @Put(':endpointToken')
  @ApiExcludeEndpoint()
  refusePut(): never {
    throw onlyPost();
  }

  @Patch(':endpointToken')
  @ApiExcludeEndpoint()
  refusePatch(): never {
    throw onlyPost();
  }

  @Delete(':endpointToken')
  @ApiExcludeEndpoint()
  refuseDelete(): never {
    throw onlyPost();
  }

  @Options(':endpointToken')
  @ApiExcludeEndpoint()
  refuseOptions(): never {
    throw onlyPost();
  }
}

function onlyPost(): Problem {
  const detail = 'A notification is sent with POST.';
  return new Problem({ status: 405, type: 'method-not-allowed', detail, headers: { allow: 'POST' } });
}

function rawBodyOf(request: FastifyRequest): Buffer {
  if (
    !JSON_TYPE.test(request.headers['content-type'] ?? '') ||
    request.headers['content-encoding'] !== undefined
  ) {
    const detail = 'A notification is application/json in UTF-8, not compressed.';
    throw new Problem({ status: 415, type: 'unsupported-media-type', detail });
  }
  const body: unknown = request.body;
  if (!Buffer.isBuffer(body)) {
    return Buffer.alloc(0);
  }
  if (body.length > LONGEST_BODY_BYTES) {
    throw new Problem({
      status: 413,
      type: 'payload-too-large',
      detail: 'A notification has at most 64 kB.',
    });
  }
  return body;
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}

function problemOf(result: Refusal): Problem {
  switch (result.outcome) {
    case 'unknown-endpoint':
      return new Problem({ status: 404, type: 'not-found', detail: 'There is nothing at this address.' });
    case 'not-verified':
      // One answer for every reason, so that a forger learns nothing (invariant I39).
      return new Problem({
        status: 401,
        type: 'not-authenticated',
        detail: 'The message could not be verified.',
      });
    case 'malformed':
      return new Problem({
        status: 400,
        type: 'malformed-notification',
        detail: `The message is signed, but ${result.reason}.`,
      });
    case 'foreign-company':
      return new Problem({
        status: 422,
        type: 'foreign-company',
        detail: 'The message is about a company this subscription is not for.',
      });
    case 'conflicting-body':
      return new Problem({
        status: 409,
        type: 'conflicting-notification',
        detail: 'A message with this webhook-id and another body was accepted before.',
      });
  }
}
