// What happens around every request: the simulator's date, failure switches, the log of requests.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import type { BackgroundWork } from './background-work.js';
import type { SimulatorClock } from './clock/simulator-clock.js';
import { brokenBody, switchedBody } from './failures/broken-response.js';
import { changeResponse } from './failures/changed-response.js';
import type { FailureSwitch } from './failures/failure-switch.repository.js';
import type { FailureSwitches } from './failures/failure-switches.js';
import type { EndInstallation } from './installations/end-installation.js';
import type { RequestLog } from './request-log/request-log.js';

export interface HookParts {
  readonly clock: SimulatorClock;
  readonly failures: FailureSwitches;
  readonly requestLog: RequestLog;
  readonly background: BackgroundWork;
  readonly endInstallation: EndInstallation;
}

/** The switch a request met, by its raw request: both servers know that one. */
const matchedSwitches = new WeakMap<object, FailureSwitch>();

export function addHttpHooks(fastify: FastifyInstance, parts: HookParts): void {
  fastify.addHook('onRequest', async (request, reply) => {
    const date = parts.clock.now().toUTCString();
    void reply.header('date', date);
    // The authorization server writes to the raw response.
    reply.raw.setHeader('date', date);
    return isControlOrPage(request) ? undefined : failBefore(parts, request, reply);
  });
  fastify.addHook('onSend', async (request, reply, payload) => failAfter(parts, request, reply, payload));
  fastify.addHook('onResponse', (request, reply, done) => {
    if (!isControlOrPage(request)) {
      logRequest(parts, request, reply);
    }
    done();
  });
}

/** The authorization server answers past the hooks above; its failures after the effect are made here. */
export function addProviderFailures(provider: Provider, clock: SimulatorClock): void {
  provider.use(async (context, next) => {
    await next();
    const met = matchedSwitches.get(context.req);
    if (met === undefined) {
      return;
    }
    if (met.effect === 'after') {
      await clock.sleep(met.delayMs);
      if (met.status !== null) {
        context.body = switchedBody(met.status);
        context.status = met.status;
        context.set(retryAfter(met));
      }
    }
    if (met.answer !== null) {
      context.body = changeResponse(met.answer, textOf(context.body), null);
    }
    if (met.truncateAt !== null) {
      const text = textOf(context.body);
      context.body = brokenBody(text, met.truncateAt, context.req.socket, clock);
      context.set('content-length', Buffer.byteLength(text).toString());
    }
  });
}

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body ?? '');
}

async function failBefore(
  { clock, failures, background }: HookParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const met = await failures.match(request.method, pathOf(request));
  if (met === undefined) {
    return undefined;
  }
  matchedSwitches.set(request.raw, met);
  if (met.jumpSeconds !== 0) {
    await clock.moveTo(clock.offsetMs + met.jumpSeconds * 1000);
    background.wake();
  }
  if (met.effect === 'after') {
    return undefined;
  }
  await clock.sleep(met.delayMs);
  if (met.truncateAt === 0) {
    request.raw.socket.destroy();
    return reply.hijack();
  }
  return met.status === null
    ? undefined
    : reply
        .status(met.status)
        .headers(retryAfter(met))
        .type('application/json')
        .send(switchedBody(met.status));
}

async function failAfter(
  parts: HookParts,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  const met = matchedSwitches.get(request.raw);
  if (met === undefined) {
    return payload;
  }
  if (met.revokes && request.caller !== undefined) {
    await parts.endInstallation.revokeTokens(request.caller);
  }
  const answer = await responseOf(parts, met, request, reply, payload);
  if (met.truncateAt === null) {
    return answer;
  }
  if (met.truncateAt === 0) {
    request.raw.socket.destroy();
  }
  const text = typeof answer === 'string' ? answer : '';
  void reply.header('content-length', Buffer.byteLength(text));
  return brokenBody(text, met.truncateAt, request.raw.socket, parts.clock);
}

/** The real answer, or what the switch makes of it. */
async function responseOf(
  { clock }: HookParts,
  met: FailureSwitch,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (met.effect === 'after') {
    await clock.sleep(met.delayMs);
    if (met.status !== null) {
      void reply.status(met.status).headers(retryAfter(met)).type('application/json');
      return switchedBody(met.status);
    }
  }
  if (met.answer === null || typeof payload !== 'string') {
    return payload;
  }
  const after = new URLSearchParams(request.url.split('?', 2)[1] ?? '').get('after');
  const changed = changeResponse(met.answer, payload, after);
  void reply.header('content-length', Buffer.byteLength(changed));
  return changed;
}

function logRequest({ clock, requestLog }: HookParts, request: FastifyRequest, reply: FastifyReply): void {
  requestLog.add({
    requestedAt: clock.now(),
    method: request.method,
    // The queries of the authorization server carry what belongs to one person's request only.
    path: pathOf(request).startsWith('/oauth') ? pathOf(request) : request.url,
    status: reply.raw.statusCode,
    companyId: request.caller?.companyIds.length === 1 ? (request.caller.companyIds[0] ?? null) : null,
    clientId: request.caller?.clientId ?? null,
    failureSwitchId: matchedSwitches.get(request.raw)?.id ?? null,
  });
}

function retryAfter(met: FailureSwitch): Record<string, string> {
  return met.retryAfter === null ? {} : { 'retry-after': met.retryAfter };
}

/** The control and the page are no part of the platform: they never fail on purpose, and nobody counts their requests. */
function isControlOrPage(request: FastifyRequest): boolean {
  return /^\/($|page\/|control(\/|$))/.test(pathOf(request));
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '';
}
