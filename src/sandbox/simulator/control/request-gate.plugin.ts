import { Injectable } from '@nestjs/common';
import { fastifyPlugin } from 'fastify-plugin';
import type { HttpPlugin } from '../../../foundation/http/http-plugin.js';
import { pathOf } from '../http/request-paths.js';
import { SystemClock } from '../../../foundation/clock/system-clock.js';

const RESET = '/control/reset';
/** How long a reset waits for requests under way: one that is held on purpose may take minutes. */
const MAX_WAIT_MS = 2_000;

/** Requests share the simulator's state; a reset has it alone: new requests wait for its end, and it waits for those under way. */
@Injectable()
export class RequestGate {
  readonly plugin: HttpPlugin = fastifyPlugin((fastify, _options, done) => {
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
      const { raw } = reply;
      this.underWay.add(raw);
      // Of whoever answers, and of a connection that breaks.
      raw.once('close', () => {
        if (this.underWay.delete(raw) && this.underWay.size === 0) {
          this.idle.abort();
        }
      });
    });
    done();
  });

  private readonly underWay = new Set<object>();
  /** Aborted when no request is under way any more. */
  private idle = new AbortController();
  private reset: Promise<void> | undefined;

  constructor(private readonly systemClock: SystemClock) {}

  /** One reset after the other. Requests that are still under way after two seconds go on beside it, and no later reset waits for them. */
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
        this.underWay.clear();
      }
      await work();
    } finally {
      this.reset = undefined;
      open();
    }
  }
}
