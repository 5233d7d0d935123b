import { Controller, Param, Post, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiTags, ApiUnauthorizedResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../../foundation/http/access.js';
import { Problem } from '../../foundation/http/problem.js';
import { AppLogger } from '../../foundation/logging/app-logger.js';
import { message } from '../../kernel/message.js';
import { WEBHOOK_KEY_HEADER } from '../installations/domain/webhook-key-header.js';
import { AcceptNotification, type Refusal } from './accept-notification.js';
import type { RefusedReason } from './domain/notification-state.js';

const MAX_BODY_BYTES = 64 * 1_024;
/** The value of a parameter may stand in quotes (RFC 9110 §5.6.6). */
const JSON_TYPE = /^application\/json\s*(;\s*charset=("?)utf-8\2\s*)?$/i;

/** The platform delivers notifications here. The response is 2xx only after the message is durably stored (I5). */
@ApiTags('Webhooks')
@Access('public')
@Controller('webhooks')
export class WebhooksController {
  constructor(
    private readonly acceptNotification: AcceptNotification,
    private readonly appLogger: AppLogger,
  ) {}

  @Post(':endpointToken')
  @ApiOperation({
    summary: 'Receive a message of the platform',
    description:
      'A notification of the platform: Standard Webhooks headers, body as signed. 2xx after it is durably stored.',
  })
  @RouteConfig({ rawBody: true, promptBody: true, bodyLimit: MAX_BODY_BYTES })
  @ApiAcceptedResponse({ description: 'stored' })
  @ApiOkResponse({ description: 'already stored' })
  @ApiUnauthorizedResponse({ description: 'not signed by the platform, or not recently' })
  async receive(
    @Param('endpointToken') endpointToken: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Record<string, never>> {
    const body = rawBodyOf(request);
    const result = await this.acceptNotification.accept(endpointToken, {
      id: headerOf(request, 'webhook-id'),
      timestamp: headerOf(request, 'webhook-timestamp'),
      signature: headerOf(request, 'webhook-signature'),
      key: headerOf(request, WEBHOOK_KEY_HEADER),
      body,
    });
    if (result.outcome === 'stored' || result.outcome === 'duplicate') {
      void reply.status(result.outcome === 'stored' ? 202 : 200);
      return {};
    }
    const log = this.appLogger.of('webhooks');
    const { outcome } = result;
    if (outcome !== 'quarantined') {
      log.warn({ outcome }, 'webhook.refused');
      throw problemOf(result);
    }
    const { reason, detail } = result;
    if (reason === 'company-not-mapped') {
      log.info({ reason }, 'webhook.quarantined');
      void reply.status(202);
      return {};
    }
    log.warn({ outcome, reason }, 'webhook.refused');
    throw problemOfQuarantined(reason, detail);
  }
}

function rawBodyOf(request: FastifyRequest): Buffer {
  if (!JSON_TYPE.test(request.headers['content-type'] ?? '') || request.headers['content-encoding'] !== undefined) {
    const detail = 'A notification is application/json in UTF-8, not compressed.';
    const text = message('problem.unsupported-media-type.notification');
    throw new Problem({ status: 415, type: 'unsupported-media-type', detail, message: text });
  }
  const body: unknown = request.body;
  if (!Buffer.isBuffer(body)) {
    return Buffer.alloc(0);
  }
  return body;
}

/** A repeated header counts as missing: it is unknown which one was signed. */
function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  const names = request.raw.rawHeaders.filter((_, index) => index % 2 === 0);
  const times = names.filter((one) => one.toLowerCase() === name).length;
  return typeof value === 'string' && times <= 1 ? value : undefined;
}

function problemOf(result: Refusal): Problem {
  switch (result.outcome) {
    case 'unknown-endpoint':
      return new Problem({
        status: 404,
        type: 'not-found',
        detail: 'This address does not exist.',
        message: message('problem.not-found.address'),
      });
    case 'not-verified':
      // One response for every reason, so that a forger learns nothing (I39).
      return new Problem({
        status: 401,
        type: 'not-authenticated',
        detail: 'The message could not be verified.',
        message: message('problem.not-authenticated.notification'),
      });
    case 'endpoint-uninstalled':
      return new Problem({
        status: 410,
        type: 'endpoint-uninstalled',
        detail: 'The connector was uninstalled.',
        message: message('problem.endpoint-uninstalled.detail'),
      });
  }
}

const STATUS_AND_TYPE: Readonly<Record<RefusedReason, { readonly status: number; readonly type: string }>> = {
  malformed: { status: 400, type: 'malformed-notification' },
  'conflicting-body': { status: 409, type: 'conflicting-notification' },
  'foreign-company': { status: 422, type: 'foreign-company' },
};

function problemOfQuarantined(reason: RefusedReason, detail: string): Problem {
  const text = message(`problem.quarantined.${reason}`);
  return new Problem({ ...STATUS_AND_TYPE[reason], detail: `The message is signed, but ${detail}.`, message: text });
}
