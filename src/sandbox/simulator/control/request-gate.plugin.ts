import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { httpPlugin, type HttpPlugin } from '../../../foundation/http/http-plugin.js';
import { SystemClock } from '../../../foundation/clock/system-clock.js';
import { pathOf } from '../http/request-paths.js';
import { ApiError } from '../wire/api-error.js';

const RESET = '/control/reset';
const REFUSAL = new ApiError(
  503,
  'RESET_UNDER_WAY',
  'The simulator was reset while this request was under way. What it did was dropped; try again.',
  { 'retry-after': '1' },
);
/** How long a reset waits for requests under way: one that is held on purpose may take minutes. */
const MAX_WAIT_MS = 2_000;

/** Of each request under way, by its raw request: aborted when a reset waits for it no longer. */
const overtaken = new WeakMap<object, AbortController>();

/** @returns aborted when a reset goes on without the request. @param raw request of Node */
export function overtakenSignal(raw: object): AbortSignal | undefined {
  return overtaken.get(raw)?.signal;
}

/** @returns what is answered to a request that a reset did not wait for; undefined for every other */
export function overtakenRefusal(raw: object): ApiError | undefined {
  return overtakenSignal(raw)?.aborted === true ? REFUSAL : undefined;
}

/** Requests share the simulator's state; a reset has it alone: new requests wait for its end, and it waits for those under way. */
@Injectable()
export class RequestGate {
  readonly plugin: HttpPlugin = httpPlugin('request-gate', (fastify, _options, done) => {
    fastify.addHook('onRequest', async (request, reply) => {
      if (pathOf(request) === RESET) {
        return;
      }
      while (this.reset !== undefined) {
        await this.reset;
      }
      if (reply.raw.destroyed) {
        return;
      }
      const underWay = new AbortController();
      overtaken.set(request.raw, underWay);
      this.underWay.add(underWay);
      // Of a response of any kind, and of a connection that breaks.
      reply.raw.once('close', () => {
        if (this.underWay.delete(underWay) && this.underWay.size === 0) {
          this.idle.abort();
        }
      });
    });
    done();
  });

  /** Has the last word on a response: half of what an overtaken request did may have been dropped, whatever it says. */
  readonly refusingPlugin: HttpPlugin = httpPlugin('refusing-request-gate', (fastify, _options, done) => {
    fastify.addHook('onSend', async (request, reply, payload) => {
      const refusal = overtakenRefusal(request.raw);
      if (refusal === undefined) {
        return payload;
      }
      if (payload instanceof Readable) {
        payload.destroy();
      }
      const body = JSON.stringify(refusal.body);
      void reply
        .status(refusal.status)
        .type('application/json')
        .headers({ ...refusal.headers, 'content-length': Buffer.byteLength(body) });
      return body;
    });
    done();
  });

  private readonly underWay = new Set<AbortController>();
  /** Aborted when no request is under way any more. */
  private idle = new AbortController();
  private reset: Promise<void> | undefined;

  constructor(private readonly systemClock: SystemClock) {}

  /**
   * One reset after the other. Requests that are still in progress after two seconds are aborted: no reset waits for them any
   * more, and each is answered 503 when it comes to its end.
   */
  async alone(work: () => Promise<void>): Promise<void> {
    while (this.reset !== undefined) {
      await this.reset;
    }
    let open = (): void => undefined;
    this.reset = new Promise((resolve) => {
      open = resolve;
    });
    try {
      this.idle = new AbortController();
      if (this.underWay.size > 0) {
        // Rejected when the last of them ends.
        await this.systemClock.sleep(MAX_WAIT_MS, this.idle.signal).catch(() => undefined);
        for (const request of this.underWay) {
          request.abort();
        }
        this.underWay.clear();
      }
      await work();
    } finally {
      this.reset = undefined;
      open();
    }
  }
}
