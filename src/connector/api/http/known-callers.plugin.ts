import { Injectable, NotFoundException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { httpPlugin, type HttpPlugin } from '../../../foundation/http/http-plugin.js';
import { message } from '../../../kernel/message.js';
import { BodiesUnderWay } from '../../limits/bodies-under-way.js';
import { SubscriptionReader } from '../../installations/subscription/subscription.reader.js';
import { IdentifyCaller, authenticationRequired } from './identify-caller.js';
import { IdentifyOperator } from './identify-operator.js';
import { problem } from './problems.js';

/** Below these every route needs a caller; a message below the last is verified over its own bytes. */
const OF_OPERATOR = '/api/v1/operator/';
const OF_CALLER = '/api/v1/';
const VERIFIED = '/webhooks/';
/** Bytes of a body that is read for an anonymous client. */
const ANONYMOUS_BYTES = 4_096;

/** No body is read before it is known whose it is, nor more of them than there is room for. The guard then checks the role. */
@Injectable()
export class KnownCallers {
  readonly plugin: HttpPlugin = httpPlugin('known-callers', (fastify, _options, done) => {
    fastify.addHook('preParsing', async (request, reply) => {
      if (hasBody(request)) {
        await this.assertMayBeRead(request, reply);
      }
    });
    fastify.addHook('onSend', (_request, reply, payload, next) => {
      this.bodiesUnderWay.handled(reply);
      next(null, payload);
    });
    done();
  });

  constructor(
    private readonly identifyCaller: IdentifyCaller,
    private readonly identifyOperator: IdentifyOperator,
    private readonly subscriptionReader: SubscriptionReader,
    private readonly bodiesUnderWay: BodiesUnderWay,
  ) {}

  /** Whether the credential of a request, or the address of a message, is known. */
  async isKnown(request: FastifyRequest): Promise<boolean> {
    const { url = '' } = request.routeOptions;
    if (url.startsWith(VERIFIED)) {
      const endpoint: unknown = Reflect.get(Object(request.params), 'endpointToken');
      return typeof endpoint === 'string' && (await this.subscriptionReader.findEndpoint(endpoint)) !== undefined;
    }
    if (url.startsWith(OF_OPERATOR)) {
      return (await this.identifyOperator.identify(request)) !== undefined;
    }
    // Of two credentials the guard says what is wrong.
    return (await this.identifyCaller.identify(request).catch(() => undefined)) !== undefined;
  }

  private async assertMayBeRead(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { url = '' } = request.routeOptions;
    if (request.is404) {
      throw new NotFoundException();
    }
    if (url.startsWith(OF_OPERATOR)) {
      await this.identifyOperator.assertPresented(request);
    } else if (url.startsWith(OF_CALLER)) {
      const caller = await this.identifyCaller.identify(request);
      if (caller === undefined) {
        throw authenticationRequired(request);
      }
      this.bodiesUnderWay.begin(request, reply, caller.installationId);
    } else if (!url.startsWith(VERIFIED) && !isSmall(request)) {
      throw problem('payload-too-large', message('problem.payload-too-large.undeclared'));
    }
  }
}

function isSmall({ headers }: FastifyRequest): boolean {
  return Number(headers['content-length']) <= ANONYMOUS_BYTES;
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}
