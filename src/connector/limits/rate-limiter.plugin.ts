import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sha256Hex } from '../../foundation/crypto/sha256.js';
import { bearerTokenOf } from '../../foundation/http/bearer-token.js';
import { httpPlugin, type HttpPlugin } from '../../foundation/http/http-plugin.js';
import { isCallerKnown } from '../../foundation/http/known-caller.js';
import { tooManyRequests } from '../../foundation/http/too-many-requests.js';
import { ConnectorSite } from '../access/connector-site.js';
import { networkOf } from '../../foundation/network/network-of.js';
import { RequestLimits } from './request-limits.js';
import { SharedQuota } from './shared-quota.js';

const WEBHOOK_ROUTE = '/webhooks/:endpointToken';
/** Routes that check credentials. On others, invented ones would give every request a quota of its own. */
const WITH_CREDENTIALS = '/api/v1/';
const TOO_MANY = 429;
const BAD_REQUEST = 400;
const NOT_FOUND = 404;

/**
 * Refuses requests above a limit before anything else is done for them: per API token or session, per webhook endpoint of a
 * company, and per network of anonymous clients. Each has a quota of its own (D3.27, S33).
 */
@Injectable()
export class RateLimiter {
  /** Digests of the endpoints that have accepted a message since the process started, so they exist. */
  private readonly knownEndpoints = new Set<string>();

  constructor(
    private readonly requestLimits: RequestLimits,
    private readonly sharedQuota: SharedQuota,
    private readonly connectorSite: ConnectorSite,
  ) {}

  /** @param isKnown looks up whether a request's credential, or the address of its message, is known; asked where others behind the same address have failed too often */
  pluginWith(isKnown: (request: FastifyRequest) => Promise<boolean>): HttpPlugin {
    return httpPlugin('rate-limiter', (fastify, _options, done) => {
      fastify.addHook('onRequest', async (request) => {
        const waitMs = await this.waitMsFor(request, isKnown);
        if (waitMs > 0) {
          throw tooManyRequests(waitMs);
        }
      });
      fastify.addHook('onResponse', async (request, reply) => {
        const endpoint = endpointOf(request);
        await (endpoint === undefined
          ? this.countFailure(request, reply)
          : this.recordDelivery(request, endpoint, reply.statusCode));
      });
      done();
    });
  }

  private async waitMsFor(
    request: FastifyRequest,
    isKnown: (request: FastifyRequest) => Promise<boolean>,
  ): Promise<number> {
    const endpoint = endpointOf(request);
    if (endpoint !== undefined) {
      const digest = sha256Hex(endpoint);
      const waitMs = this.sharedQuota.remainingWaitMs(unknownEndpointKey(request));
      return waitMs > 0 && !this.knownEndpoints.has(digest) && !(await isKnown(request))
        ? waitMs
        : this.sharedQuota.consume(`endpoint ${digest}`, this.requestLimits.endpointPerMinute);
    }
    const credential = this.credentialOf(request);
    if (credential === undefined) {
      return this.sharedQuota.consume(anonymousClientKey(request), this.requestLimits.anonymousPerMinute);
    }
    // A known credential is never refused for what others behind the same proxy do.
    const waitMs = this.sharedQuota.remainingWaitMs(anonymousClientKey(request));
    return waitMs > 0 && !(await isKnown(request))
      ? waitMs
      : this.sharedQuota.consume(`caller ${sha256Hex(credential)}`, this.requestLimits.callerPerMinute);
  }

  /** Counts requests to unknown endpoints, so that guessing is refused without a query; known endpoints are exempt. */
  private async recordDelivery(request: FastifyRequest, endpoint: string, status: number): Promise<void> {
    if (status === NOT_FOUND) {
      await this.sharedQuota.consume(unknownEndpointKey(request), this.requestLimits.anonymousPerMinute);
    } else if (status < BAD_REQUEST) {
      this.knownEndpoints.add(sha256Hex(endpoint));
    }
  }

  /** A request with wrong credentials counts as anonymous, whichever step refused it. */
  private async countFailure(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const isRefused = reply.statusCode >= BAD_REQUEST && reply.statusCode < 500 && reply.statusCode !== TOO_MANY;
    if (isRefused && !isCallerKnown(request) && this.credentialOf(request) !== undefined) {
      await this.sharedQuota.consume(anonymousClientKey(request), this.requestLimits.anonymousPerMinute);
    }
  }

  /** @returns the credential as it is looked up, valid or not, so that another spelling of the header is the same caller */
  private credentialOf(request: FastifyRequest): string | undefined {
    if (request.routeOptions.url?.startsWith(WITH_CREDENTIALS) !== true) {
      return undefined;
    }
    return request.headers.authorization === undefined
      ? this.connectorSite.sessionIdOf(request)
      : bearerTokenOf(request);
  }
}

/** The endpoint as the router decoded it, because a URL can be spelled in many ways. */
function endpointOf({ routeOptions, params }: FastifyRequest): string | undefined {
  const endpoint: unknown =
    routeOptions.url === WEBHOOK_ROUTE ? Reflect.get(Object(params), 'endpointToken') : undefined;
  return typeof endpoint === 'string' ? endpoint : undefined;
}

function anonymousClientKey({ ip }: FastifyRequest): string {
  return `anonymous ${networkOf(ip)}`;
}

/** A quota of its own: wrong credentials from a network must not stop the messages that arrive from it. */
function unknownEndpointKey({ ip }: FastifyRequest): string {
  return `unknown-endpoint ${networkOf(ip)}`;
}
