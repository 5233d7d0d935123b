import { createHash } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { bearerTokenOf } from '../../foundation/http/bearer-token.js';
import { isCallerKnown } from '../../foundation/http/known-caller.js';
import { Problem } from '../../foundation/http/problem.js';
import { OwnSite } from '../access/own-site.service.js';
import { networkOf } from './network-of.js';
import { RequestLimits } from './request-limits.js';
import { SharedAllowance } from './shared-allowance.js';

const WEBHOOK_ROUTE = '/webhooks/:endpointToken';
/** Where wrong credentials are refused; elsewhere made-up ones would make everybody a caller of their own. */
const WITH_CREDENTIALS = '/api/v1/';
const TOO_MANY = 429;

/**
 * Refuses who comes too often, before anything else is done for the request: an API token or session, the webhooks of one
 * company, or an address that shows no right credentials. What is one's own limit leaves the others alone (spec:
 * reliability §d3 row 27, §e3 S33).
 */
@Injectable()
export class LimitRequests implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly limits: RequestLimits,
    private readonly allowance: SharedAllowance,
    private readonly site: OwnSite,
  ) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    fastify.addHook('onRequest', async (request) => {
      const waitMs = await this.waitOf(request);
      if (waitMs > 0) {
        throw tooMany(waitMs);
      }
    });
    fastify.addHook('onResponse', async (request, reply) => this.countFailure(request, reply));
  }

  private async waitOf(request: FastifyRequest): Promise<number> {
    const endpoint = endpointOf(request);
    if (endpoint !== undefined) {
      return this.allowance.take(`endpoint ${digest(endpoint)}`, this.limits.endpointPerMinute);
    }
    const credential = this.credentialOf(request);
    return credential === undefined
      ? this.allowance.take(strangerAt(request), this.limits.strangerPerMinute)
      : this.allowance.spentFor(strangerAt(request)) ||
          this.allowance.take(`caller ${digest(credential)}`, this.limits.callerPerMinute);
  }

  /** Somebody who makes up credentials is a stranger, too, at whichever step the request is refused. */
  private async countFailure(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const isRefused = reply.statusCode >= 400 && reply.statusCode < 500 && reply.statusCode !== TOO_MANY;
    if (isRefused && !isCallerKnown(request) && this.credentialOf(request) !== undefined) {
      await this.allowance.take(strangerAt(request), this.limits.strangerPerMinute);
    }
  }

  /** Right or wrong, in the form in which it is looked up: written in another way it is the same caller's. */
  private credentialOf(request: FastifyRequest): string | undefined {
    if (request.routeOptions.url?.startsWith(WITH_CREDENTIALS) !== true) {
      return undefined;
    }
    return request.headers.authorization === undefined
      ? this.site.sessionOf(request)
      : bearerTokenOf(request);
  }
}

/** As the router has read it: an address may be written in many ways. */
function endpointOf({ routeOptions, params }: FastifyRequest): string | undefined {
  const endpoint: unknown =
    routeOptions.url === WEBHOOK_ROUTE ? Reflect.get(Object(params), 'endpointToken') : undefined;
  return typeof endpoint === 'string' ? endpoint : undefined;
}

function strangerAt({ ip }: FastifyRequest): string {
  return `stranger ${networkOf(ip)}`;
}

/** Credentials are not kept, not even in memory. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

function tooMany(waitMs: number): Problem {
  const seconds = Math.ceil(waitMs / 1_000).toString();
  const detail = `These are too many requests in a minute. Nothing was done; try again in ${seconds} s.`;
  return new Problem({
    status: TOO_MANY,
    type: 'too-many-requests',
    detail,
    headers: { 'retry-after': seconds },
  });
}
