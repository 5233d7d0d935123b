import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { httpPlugin, type HttpPlugin } from '../../../foundation/http/http-plugin.js';
import { overtakenRefusal, overtakenSignal } from '../control/request-gate.plugin.js';
import { BackgroundSignal } from '../clock/background-signal.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { brokenBody, switchedBody } from '../failures/broken-response.js';
import { changeResponse } from '../failures/changed-response.js';
import type { FailureSwitch } from '../failures/failure-switch.repository.js';
import { FailureSwitches } from '../failures/failure-switches.js';
import { EndInstallation } from '../installations/end-installation.js';
import { isControlOrPage, pathOf } from './request-paths.js';

/** The switch that a request matched, by its raw request: the authorization server knows no other. */
const matchedSwitches = new WeakMap<object, FailureSwitch>();

/** @param raw request of Node */
export function switchOf(raw: object): FailureSwitch | undefined {
  return matchedSwitches.get(raw);
}

/** The `Retry-After` header of a switch; none when the switch has no such value. */
export function retryAfter(matched: FailureSwitch): Record<string, string> {
  return matched.retryAfter === null ? {} : { 'retry-after': matched.retryAfter };
}

/** As long as the switch says, or until a reset goes on without the request. @param raw request of Node */
export async function hold({ delayMs }: FailureSwitch, raw: object, clock: SimulatorClock): Promise<void> {
  const signal = overtakenSignal(raw);
  await clock.sleep(delayMs, signal).catch((error: unknown) => {
    if (signal?.aborted !== true) {
      throw error;
    }
  });
}

/** Lets requests of the platform's API fail as the switches say, before or after their effect. */
@Injectable()
export class FailurePlugin {
  readonly plugin: HttpPlugin = httpPlugin('failure', (fastify, _options, done) => {
    fastify.addHook('onRequest', async (request, reply) =>
      isControlOrPage(request) ? undefined : this.failBefore(request, reply),
    );
    fastify.addHook('onSend', async (request, reply, payload) => this.failAfter(request, reply, payload));
    done();
  });

  constructor(
    private readonly failureSwitches: FailureSwitches,
    private readonly endInstallation: EndInstallation,
    private readonly backgroundSignal: BackgroundSignal,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  private async failBefore(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const matched = await this.failureSwitches.match(request.method, pathOf(request));
    if (matched === undefined) {
      return undefined;
    }
    matchedSwitches.set(request.raw, matched);
    if (matched.jumpSeconds !== 0) {
      await this.simulatorClock.moveTo(this.simulatorClock.offsetMs + matched.jumpSeconds * 1000);
      this.backgroundSignal.wake();
    }
    if (matched.effect === 'after') {
      return undefined;
    }
    await hold(matched, request.raw, this.simulatorClock);
    if (overtakenRefusal(request.raw) !== undefined) {
      return reply.send();
    }
    if (matched.truncateAt === 0) {
      request.raw.socket.destroy();
      return reply.hijack();
    }
    return matched.status === null
      ? undefined
      : reply
          .status(matched.status)
          .headers(retryAfter(matched))
          .type('application/json')
          .send(switchedBody(matched.status));
  }

  private async failAfter(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
    const matched = switchOf(request.raw);
    if (matched === undefined) {
      return payload;
    }
    if (matched.revokes && request.caller !== undefined) {
      await this.endInstallation.revokeTokens(request.caller);
    }
    const response = await this.responseOf(matched, request, reply, payload);
    if (matched.truncateAt === null) {
      return response;
    }
    if (matched.truncateAt === 0) {
      request.raw.socket.destroy();
    }
    const text = typeof response === 'string' ? response : '';
    void reply.header('content-length', Buffer.byteLength(text));
    return brokenBody(text, matched.truncateAt, request.raw.socket, this.simulatorClock);
  }

  /** The real response, or the one that the switch makes of it. */
  private async responseOf(
    matched: FailureSwitch,
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
  ): Promise<unknown> {
    if (matched.effect === 'after') {
      await hold(matched, request.raw, this.simulatorClock);
      if (matched.status !== null) {
        void reply.status(matched.status).headers(retryAfter(matched)).type('application/json');
        return switchedBody(matched.status);
      }
    }
    if (matched.answer === null || typeof payload !== 'string') {
      return payload;
    }
    const after = new URLSearchParams(request.url.split('?', 2)[1] ?? '').get('after');
    const changed = changeResponse(matched.answer, payload, after);
    void reply.header('content-length', Buffer.byteLength(changed));
    return changed;
  }
}
