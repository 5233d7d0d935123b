import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { PlatformApi } from '../../../src/connector/platform/platform-api.js';
import {
  isTransient,
  InvalidPlatformResponse,
  PlatformRefusal,
} from '../../../src/connector/platform/platform-error.js';
import { PlatformHttp, type PlatformAuthorization } from '../../../src/connector/platform/platform-http.js';
import { SystemClock } from '../../../src/foundation/clock/system-clock.js';
import { HttpClient, NoResponse, ResponseTooLong } from '../../../src/foundation/http/client/http-client.js';
import {
  respondingWith,
  MisbehavingServer,
  reset,
  silent,
  truncated,
  type Behavior,
} from '../../support/servers/misbehaving-server.js';
import { InteractiveShareExhausted } from '../../../src/connector/platform/request-budget.js';
import { UnlimitedBudget } from '../../support/platform/unlimited-budget.js';
import { startedOnce } from '../../support/started-once.js';

// What the client makes of every way in which the platform can fail to answer
// (docs/rules/faults.md, "What remote systems answer", A5 and A10).

const NOW = new Date('2026-03-04T10:00:00.000Z');
const READ = { method: 'GET', path: '/v3/export-jobs' } as const;
const ATTEMPTS = 4;
const RESPONSE_LIMIT = 4_096;

class StoppedClock extends SystemClock {
  override now(): Date {
    return NOW;
  }
}

const server = startedOnce(() => MisbehavingServer.start());
let client: HttpClient;
let http: PlatformHttp;
let api: PlatformApi;
const rejected: string[] = [];
const authorization: PlatformAuthorization = {
  accessToken: () => Promise.resolve('first-token'),
  renewed: (token) => {
    rejected.push(token);
    return Promise.resolve('second-token');
  },
};
beforeEach(() => {
  client = clientOf(server.url);
  http = new PlatformHttp(client, new StoppedClock(), new UnlimitedBudget());
  api = new PlatformApi(http);
  rejected.length = 0;
});
afterEach(() => {
  jest.useRealTimers();
  client.close();
});

function clientOf(baseUrl: string): HttpClient {
  return new HttpClient({ baseUrl, timeoutMs: 1_000, maxResponseBytes: RESPONSE_LIMIT, maxConnections: 5 });
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    (value) => new Error(`succeeded with ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
}

interface Waited<T> {
  readonly outcome: T;
  /** Milliseconds of each pause between two attempts. */
  readonly pauses: readonly number[];
}

/** Runs to the end without sitting through the pauses between attempts. */
async function withoutWaiting<T>(start: () => Promise<T>): Promise<Waited<T>> {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance', 'Date'] });
  const pauses: number[] = [];
  const spied = jest.spyOn(globalThis, 'setTimeout');
  let ended = false;
  const work = start().finally(() => {
    ended = true;
  });
  try {
    await Promise.allSettled([work, passTime(() => ended)]);
    for (const [, ms] of spied.mock.calls) {
      pauses.push(ms ?? 0);
    }
    return { outcome: await work, pauses };
  } finally {
    spied.mockRestore();
    jest.useRealTimers();
  }
}

async function passTime(ended: () => boolean): Promise<void> {
  while (!ended()) {
    await new Promise((resolve) => setImmediate(resolve));
    jest.runOnlyPendingTimers();
  }
}

const JOBS = { data: [], pagination: { hasNextPage: false } };
const refusing = (status: number, headers: Readonly<Record<string, string>> = {}): Behavior =>
  respondingWith(status, { type: 'some_type', message: 'some message' }, headers);
const read = () => api.listExportJobs(authorization, randomUUID(), ['created']);

it.each(['POST', 'PUT'] as const)('a %s without a body has no content type', async (method) => {
  server.always(respondingWith(204, ''));
  await client.send({ method, path: '/v3/anything' });
  expect(server.requests.map(({ headers }) => headers['content-type'])).toEqual([undefined]);
});

describe('authorization', () => {
  it('is a bearer header, with JSON as the accepted type', async () => {
    server.plan(respondingWith(200, {}));
    await http.sendOnce(authorization, READ);
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer first-token',
      accept: 'application/json',
    });
  });

  it('is renewed once after a 401, and the request is repeated once with the new token', async () => {
    server.plan(refusing(401), respondingWith(200, JOBS));
    await http.sendOnce(authorization, { method: 'PUT', path: '/some', body: [1] });
    expect(rejected).toEqual(['first-token']);
    expect(server.requests.map(({ headers, body }) => [headers.authorization, body])).toEqual([
      ['Bearer first-token', '[1]'],
      ['Bearer second-token', '[1]'],
    ]);
  });

  it('is refused by a second 401', async () => {
    server.always(refusing(401));
    const error = await failureOf(http.sendOnce(authorization, READ));
    expect(error).toBeInstanceOf(PlatformRefusal);
    expect(error).toMatchObject({ status: 401, type: 'some_type', message: 'some message' });
    expect(server.requests).toHaveLength(2);
  });
});

function zipped(body: string): Behavior {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(gzipSync(body));
  };
}

type Failure = readonly [name: string, failure: Behavior, type: new (...args: never[]) => Error];

const TRANSIENT: readonly Failure[] = [
  ['408', refusing(408), PlatformRefusal],
  ['425', refusing(425), PlatformRefusal],
  ['429', refusing(429), PlatformRefusal],
  ['500', refusing(500), PlatformRefusal],
  ['503 of a proxy', respondingWith(503, '<html>unavailable</html>'), PlatformRefusal],
  ['connection reset', reset, NoResponse],
  ['truncated body', truncated, NoResponse],
  ['no answer in time', silent, NoResponse],
  ['200 that is no JSON', respondingWith(200, '<html>hello</html>'), InvalidPlatformResponse],
  ['200 with half a JSON text', respondingWith(200, '{"data":['), InvalidPlatformResponse],
  ['200 without a body', respondingWith(200, ''), InvalidPlatformResponse],
  ['200 of another shape', respondingWith(200, { data: {} }), InvalidPlatformResponse],
];

const TOO_LONG: readonly Failure[] = [
  ['answer over the size limit', respondingWith(200, 'x'.repeat(RESPONSE_LIMIT + 1)), ResponseTooLong],
  ['answer that unpacks over the size limit', zipped('x'.repeat(1_048_576)), ResponseTooLong],
];

describe('a read that meets', () => {
  it.each([...TRANSIENT, ...TOO_LONG])('%s once is repeated', async (_, failure) => {
    server.plan(failure, respondingWith(200, JOBS));
    const { outcome } = await withoutWaiting(read);
    expect(outcome).toEqual([]);
    expect(server.requests).toHaveLength(2);
  });

  it.each(TRANSIENT)('%s permanently is given up after the maximum number of attempts', async (_, failure, type) => {
    server.always(failure);
    const { outcome, pauses } = await withoutWaiting(() => failureOf(read()));
    expect(outcome).toBeInstanceOf(type);
    expect(isTransient(outcome)).toBe(true);
    expect(server.requests).toHaveLength(ATTEMPTS);
    expect(pauses).toHaveLength(ATTEMPTS - 1);
  });

  it.each(TOO_LONG)('%s permanently is given up with a single element', async (_, failure, type) => {
    server.always(failure);
    const { outcome, pauses } = await withoutWaiting(() => failureOf(read()));
    expect(outcome).toBeInstanceOf(type);
    expect(server.requests.map(({ query }) => Number(query.get('limit')))).toEqual([100, 50, 25, 13, 7, 4, 2, 1]);
    expect(pauses).toEqual([]);
  });

  it.each([400, 403, 404, 409, 410, 422])('%d is not repeated', async (status) => {
    server.always(refusing(status));
    const error = await failureOf(read());
    expect(error).toBeInstanceOf(PlatformRefusal);
    expect(error).toMatchObject({ status, type: 'some_type' });
    expect(isTransient(error)).toBe(false);
    expect(server.requests).toHaveLength(1);
  });

  it.each([301, 302, 303, 307, 308])('redirect %d does not follow it', async (status) => {
    const elsewhere = await MisbehavingServer.start();
    elsewhere.always(respondingWith(200, JOBS));
    server.always(respondingWith(status, '', { location: `${elsewhere.url}/v3/export-jobs` }));
    const error = await failureOf(read());
    await elsewhere.close();
    expect(error).toBeInstanceOf(PlatformRefusal);
    expect(error).toMatchObject({ status });
    expect(server.requests).toHaveLength(1);
    expect(elsewhere.requests).toHaveLength(0);
  });
});

describe('the pauses between attempts', () => {
  it('grow', async () => {
    server.always(refusing(500));
    const { pauses } = await withoutWaiting(() => failureOf(read()));
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
    expect(pauses[0]).toBeGreaterThanOrEqual(100);
  });

  it.each([
    ['seconds', '7', 7_000],
    ['a date', 'Wed, 04 Mar 2026 10:00:09 GMT', 9_000],
    ['a date that is over', 'Wed, 04 Mar 2026 09:59:00 GMT', 0],
    ['nonsense', 'soon', undefined],
  ])('follow Retry-After as %s', async (_, header, retryAfterMs) => {
    server.plan(refusing(429, { 'retry-after': header, date: NOW.toUTCString() }));
    expect(await failureOf(http.sendOnce(authorization, READ))).toMatchObject({ retryAfterMs });
  });

  it('count a Retry-After date from the platform’s time', async () => {
    server.plan(
      refusing(429, {
        date: 'Wed, 04 Mar 2026 09:00:00 GMT',
        'retry-after': 'Wed, 04 Mar 2026 09:00:05 GMT',
      }),
    );
    expect(await failureOf(http.sendOnce(authorization, READ))).toMatchObject({ retryAfterMs: 5_000 });
  });

  it.each([
    ['7', 7_000],
    ['120', 120_000],
  ])('are never shorter than Retry-After %s [I23]', async (header, ms) => {
    server.plan(refusing(429, { 'retry-after': header }), respondingWith(200, JOBS));
    const { outcome, pauses } = await withoutWaiting(() => read().catch((error: unknown) => error));
    if (outcome instanceof PlatformRefusal) {
      // Giving up obeys as well, as long as the caller learns how long to stay away.
      expect(outcome.retryAfterMs).toBe(ms);
      expect(server.requests).toHaveLength(1);
    } else {
      expect(pauses[0]).toBeGreaterThanOrEqual(ms);
    }
  });
});

describe('a missing response', () => {
  it('in time leaves the effect unknown', async () => {
    server.always(silent);
    const error = await failureOf(http.sendOnce(authorization, READ));
    expect(error).toBeInstanceOf(NoResponse);
    expect(error).toMatchObject({ sent: true, message: expect.stringContaining('no answer within 1000 ms') });
  });

  it('in time includes a body that trickles', async () => {
    server.always((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const trickle = setInterval(() => response.write(' '), 20);
      response.once('close', () => {
        clearInterval(trickle);
      });
    });
    expect(await failureOf(http.sendOnce(authorization, READ))).toMatchObject({
      name: 'NoResponse',
      sent: true,
    });
  });

  it.each([
    ['reset', reset],
    ['truncated', truncated],
  ])('with a connection %s leaves the effect unknown', async (_, behavior) => {
    server.always(behavior);
    expect(await failureOf(http.sendOnce(authorization, READ))).toMatchObject({
      name: 'NoResponse',
      sent: true,
    });
  });

  it('because of a refused connection has no effect', async () => {
    const gone = await MisbehavingServer.start();
    await gone.close();
    const nobody = clientOf(gone.url);
    const error = await failureOf(
      new PlatformHttp(nobody, new StoppedClock(), new UnlimitedBudget()).sendOnce(authorization, READ),
    );
    nobody.close();
    expect(error).toBeInstanceOf(NoResponse);
    expect(error).toMatchObject({ sent: false });
  });

  it('reports no token in its error', async () => {
    server.always(reset);
    const error = await failureOf(http.sendOnce(authorization, READ));
    expect(
      error instanceof Error ? `${error.message} ${JSON.stringify(error)} ${String(error.cause)}` : '',
    ).not.toContain('first-token');
  });
});

describe("the platform's time", () => {
  it('is our own until the first response', () => {
    expect(http.platformNow()).toEqual(NOW);
  });

  it.each([
    ['an answer', respondingWith(200, {}, { date: 'Wed, 04 Mar 2026 11:30:00 GMT' })],
    ['a refusal', refusing(404, { date: 'Wed, 04 Mar 2026 11:30:00 GMT' })],
  ])('moves with the Date header of %s', async (_, behavior) => {
    server.plan(behavior);
    await http.sendOnce(authorization, READ).catch(() => undefined);
    expect(http.platformNow()).toEqual(new Date('2026-03-04T11:30:00.000Z'));
  });

  it('is unchanged after an invalid Date', async () => {
    server.plan(respondingWith(200, {}, { date: 'yesterday' }));
    await http.sendOnce(authorization, READ);
    expect(http.platformNow()).toEqual(NOW);
  });
});

describe('creating a subscription', () => {
  it.each(TRANSIENT)('is never repeated automatically after %s', async (_, failure, type) => {
    server.always(failure);
    const request = {
      endpointUrl: 'https://example.org/hook',
      eventTypes: ['some'],
      status: 'ACTIVE',
    } as const;
    expect(await failureOf(api.createSubscription(authorization, request))).toBeInstanceOf(type);
    expect(server.requests).toHaveLength(1);
  });
});

it.each([
  ['as many seconds as it asks for', { 'retry-after': '7' }, 7_000],
  ['a second when it says nothing', {}, 1_000],
])('too many requests pause every replica: %s', async (_, headers, expected) => {
  const budget = new UnlimitedBudget();
  const held = new PlatformHttp(client, new StoppedClock(), budget);
  server.plan(refusing(429, headers));
  await failureOf(held.sendOnce(authorization, READ));
  expect(budget.heldBackMs).toEqual([expected]);
});

it('interactive requests use their own share of the budget, and are not repeated when it is spent', async () => {
  const budget = new UnlimitedBudget();
  const asking = new PlatformHttp(client, new StoppedClock(), budget);
  server.plan(respondingWith(200, {}), respondingWith(200, {}));
  await asking.sendOnce(authorization, READ);
  await asking.sendOnce({ ...authorization, requester: 'people' }, READ);
  expect(budget.requesters).toEqual(['connector', 'people']);
  budget.interactive = () => Promise.reject(new InteractiveShareExhausted('spent', 10));
  expect(await failureOf(asking.sendOnce({ ...authorization, requester: 'people' }, READ))).toBeInstanceOf(
    InteractiveShareExhausted,
  );
  expect(budget.requesters).toEqual(['connector', 'people', 'people']);
  expect(server.requests).toHaveLength(2);
});
