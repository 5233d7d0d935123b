import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type pg from 'pg';
import { RequestQuotaRepository } from '../../../../src/connector/limits/request-quota.repository.js';
import { SharedQuota } from '../../../../src/connector/limits/shared-quota.js';
import type { TenantDatabase } from '../../../../src/foundation/database/tenant-database.js';
import {
  OPERATOR_TOKEN,
  startConnectorApp,
  storeInstallation,
  type ConnectorUnderTest,
  type StoredInstallation,
} from '../../../support/connector-app.js';
import { FakeClock } from '../exports/fake-clock.js';
import { jobCreated, signedBy } from '../webhooks/webhook-sender.js';
import { databaseVariables } from '../../../support/test-database.js';

// Limits that hold over all processes together (D1.44, D1.47, D3.27, S47).

const PROCESSES = 3;
const CALLER = 400;
const ANONYMOUS = 80;
const ENDPOINT = 120;

let processes: readonly ConnectorUnderTest[];
let admin: pg.Client;
let mine: StoredInstallation;
let token: string;

beforeAll(async () => {
  const limits = {
    CONNECTOR_REQUESTS_PER_MINUTE: CALLER.toString(),
    CONNECTOR_STRANGERS_PER_MINUTE: ANONYMOUS.toString(),
    CONNECTOR_WEBHOOKS_PER_MINUTE: ENDPOINT.toString(),
    CONNECTOR_TRUSTED_PROXIES: '192.0.2.0/24',
  };
  const first = await startConnectorApp(limits);
  const shared = { ...limits, ...databaseVariables(first.server.url) };
  processes = [first, await startConnectorApp(shared), await startConnectorApp(shared)];
  admin = first.admin;
});
afterAll(async () => {
  for (const one of [...processes].reverse()) {
    await one.close();
  }
});
beforeEach(async () => {
  mine = await storeInstallation(processOf(0));
  token = await newToken(mine);
});

function processOf(index: number): ConnectorUnderTest {
  const found = processes[index % processes.length];
  if (found === undefined) {
    throw new Error('no process');
  }
  return found;
}

async function newToken({ id }: StoredInstallation): Promise<string> {
  const answer = await processOf(0).app.inject({
    method: 'POST',
    url: `/api/v1/operator/installations/${id}/api-tokens`,
    remoteAddress: address(),
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
    payload: { role: 'viewer', label: 'test', days: 1 },
  });
  return answer.json<{ token: string }>().token;
}

let addresses = 0;
/** An address without earlier requests. */
function address(): string {
  addresses += 1;
  return `198.51.100.${addresses.toString()}`;
}

interface ClientRequest {
  readonly bearer?: string;
  readonly from?: string;
  readonly for?: string;
  readonly url?: string;
}

async function sendRequest(
  index: number,
  { bearer, from = address(), for: client, url = '/api/v1/jobs' }: ClientRequest,
) {
  const answer = await processOf(index).app.inject({
    method: 'GET',
    url,
    remoteAddress: from,
    headers: {
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(client === undefined ? {} : { 'x-forwarded-for': client }),
    },
  });
  return {
    status: answer.statusCode,
    type: answer.headers['content-type'],
    retryAfter: answer.headers['retry-after'],
  };
}

interface Written {
  readonly url: string;
  readonly from: string;
  readonly authorization: string;
  readonly cookie?: string;
  /** Of a POST. */
  readonly body?: string;
}

async function statusOf(index: number, { url, from, authorization, cookie, body }: Written): Promise<number> {
  const answer = await processOf(index).app.inject({
    method: body === undefined ? 'GET' : 'POST',
    url,
    remoteAddress: from,
    headers: {
      authorization,
      ...(cookie === undefined ? {} : { cookie }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { payload: body }),
  });
  return answer.statusCode;
}

/** Resolves when so many requests more than before are over: a refusal is counted when it has gone out. */
async function counted(before: number, requests: number): Promise<void> {
  while (finished() < before + requests) {
    await nextTurn();
  }
}

const finished = () => processes.reduce((sum, one) => sum + one.finished(), 0);

/** More at once would wait so long for connections to the database of a busy machine that they get 503. */
const AT_ONCE = 150;

/** So many requests, over all processes. */
async function inWaves(times: number, statusOfOne: (index: number) => Promise<number>): Promise<readonly number[]> {
  const statuses: number[] = [];
  while (statuses.length < times) {
    const begun = statuses.length;
    const wave = Array.from({ length: Math.min(AT_ONCE, times - begun) }, (_, index) => statusOfOne(begun + index));
    statuses.push(...(await Promise.all(wave)));
  }
  return statuses;
}

async function sendRequests(times: number, asked: () => ClientRequest): Promise<readonly number[]> {
  return inWaves(times, async (index) => (await sendRequest(index, asked())).status);
}

const count = (statuses: readonly number[], status: number) => statuses.filter((one) => one === status).length;

describe('over three processes', () => {
  it('a token has its limit, within 10 %, and other tokens are not affected [D3.27]', async () => {
    const from = address();
    const statuses = await sendRequests(3 * CALLER, () => ({ bearer: token, from }));
    expect(count(statuses, 200) + count(statuses, 429)).toBe(3 * CALLER);
    expect(count(statuses, 200)).toBeGreaterThanOrEqual(CALLER * 0.9);
    expect(count(statuses, 200)).toBeLessThanOrEqual(CALLER * 1.1);

    const refused = await sendRequest(0, { bearer: token, from });
    expect(refused).toMatchObject({ status: 429, type: 'application/problem+json' });
    expect(Number(refused.retryAfter)).toBeGreaterThan(0);
    expect(Number(refused.retryAfter)).toBeLessThanOrEqual(60);
    expect(await sendRequest(0, { bearer: await newToken(mine), from })).toMatchObject({ status: 200 });
  });

  it('a token has one limit, however its header is written [D3.27]', async () => {
    const written = (index: number) =>
      `${Array.from('bearer', (letter, bit) => (index & (1 << bit) ? letter.toUpperCase() : letter)).join('')} ${token}`;
    const from = address();
    const statuses = await inWaves(3 * CALLER, (index) =>
      statusOf(index, { url: '/api/v1/jobs', from, authorization: written(index % 64) }),
    );
    expect(count(statuses, 200) + count(statuses, 429)).toBe(3 * CALLER);
    expect(count(statuses, 200)).toBeLessThanOrEqual(CALLER * 1.1);
  });

  // What may be a credential is known to be none when it was refused: each process lets one request more through then.
  it.each<[string, number, () => Omit<Written, 'from'>]>([
    ['in another form', ANONYMOUS, () => ({ url: '/api/v1/jobs', authorization: `Basic ${randomUUID()}` })],
    [
      'for an address that there is not',
      ANONYMOUS,
      () => ({ url: '/api/v1/x', authorization: `Bearer ${randomUUID()}` }),
    ],
    [
      'of two kinds',
      ANONYMOUS + PROCESSES,
      () => ({
        url: '/api/v1/jobs',
        authorization: `Bearer ${randomUUID()}`,
        cookie: `connector_session=${randomUUID()}`,
      }),
    ],
    [
      'with a body that is none',
      ANONYMOUS + PROCESSES,
      () => ({ url: '/api/v1/previews', authorization: `Bearer ${randomUUID()}`, body: '{' }),
    ],
  ])('an address that sends invented credentials %s has its limit', async (_, passing, asked) => {
    const from = address();
    const statuses: number[] = [];
    for (let made = 0; made < 2 * ANONYMOUS; made += 1) {
      const before = finished();
      statuses.push(await statusOf(made, { ...asked(), from }));
      await counted(before, 1);
    }
    expect(count(statuses, 429)).toBe(2 * ANONYMOUS - passing);
    expect(new Set(statuses.slice(passing + PROCESSES))).toEqual(new Set([429]));
  });

  it('bad requests of an authenticated caller do not count as anonymous', async () => {
    const from = address();
    for (let made = 0; made < 2 * ANONYMOUS; made += 1) {
      const asked = { url: '/api/v1/jobs?limit=0', from, authorization: `Bearer ${token}` };
      expect(await statusOf(made, asked)).toBe(400);
    }
    const operator = { from, authorization: `Bearer ${OPERATOR_TOKEN}`, body: '{}' };
    for (let made = 0; made < 2 * ANONYMOUS; made += 1) {
      const url = `/api/v1/operator/installations/${randomUUID()}/api-tokens`;
      expect(await statusOf(made, { ...operator, url })).toBe(400);
    }
  });

  it('addresses of one IPv6 network have one limit', async () => {
    const from = (index: number) => `2001:db8:0:7::${index.toString(16)}`;
    const statuses = await Promise.all(
      Array.from(
        { length: 3 * ANONYMOUS },
        async (_, index) => (await sendRequest(index, { from: from(index) })).status,
      ),
    );
    expect(count(statuses, 401)).toBeLessThanOrEqual(ANONYMOUS * 1.1);
    expect(await sendRequest(0, { from: '2001:db8:0:8::1' })).toMatchObject({ status: 401 });
  });

  it('an address with an invented session for each request to a public page has its limit', async () => {
    const from = address();
    const statuses: number[] = [];
    for (let made = 0; made < 2 * ANONYMOUS; made += 1) {
      const answer = await processOf(made).app.inject({
        method: 'GET',
        url: '/style.css',
        remoteAddress: from,
        headers: { cookie: `connector_session=${randomUUID()}`, authorization: `Bearer ${randomUUID()}` },
      });
      statuses.push(answer.statusCode);
    }
    expect(count(statuses, 200)).toBeGreaterThanOrEqual(ANONYMOUS * 0.9);
    expect(count(statuses, 200)).toBeLessThanOrEqual(ANONYMOUS * 1.1);
    expect(count(statuses, 429)).toBe(2 * ANONYMOUS - count(statuses, 200));
  });

  it('an address that tries credentials has its limit, and others are not affected', async () => {
    const from = address();
    const wrong = () => ({ bearer: `cat_${randomUUID()}`, from });
    // One after the other: how wrong they are is known only afterwards.
    const statuses: number[] = [];
    const together = 3 * PROCESSES;
    for (let round = 0; round < 20; round += 1) {
      const before = finished();
      statuses.push(...(await sendRequests(together, wrong)));
      await counted(before, together);
    }
    expect(count(statuses, 401) + count(statuses, 429)).toBe(180);
    expect(count(statuses, 401)).toBeGreaterThanOrEqual(ANONYMOUS * 0.9);
    // A refusal is counted when it has gone out, so those that are under way with the last one pass.
    expect(count(statuses, 401)).toBeLessThanOrEqual(ANONYMOUS + together);
    expect(await sendRequest(0, wrong())).toMatchObject({ status: 429 });
    // Valid ones come in from behind the same address all the while, in each of the processes, for the first time, too.
    for (const index of [0, 1, 2]) {
      expect(await sendRequest(index, { bearer: token, from })).toMatchObject({ status: 200 });
      const bearer = await newToken(mine);
      expect(await sendRequest(index, { bearer, from })).toMatchObject({ status: 200 });
      const operator = { bearer: OPERATOR_TOKEN, from, url: '/api/v1/operator/installations' };
      expect(await sendRequest(index, operator)).toMatchObject({ status: 200 });
    }
    expect(await sendRequest(0, { bearer: token })).toMatchObject({ status: 200 });
  });

  it('an address without credentials has its limit', async () => {
    const from = address();
    const statuses = await sendRequests(3 * ANONYMOUS, () => ({ from }));
    expect(count(statuses, 401)).toBeGreaterThanOrEqual(ANONYMOUS * 0.9);
    expect(count(statuses, 401)).toBeLessThanOrEqual(ANONYMOUS * 1.1);
    expect(await sendRequest(0, {})).toMatchObject({ status: 401 });
  });

  it('a company’s webhooks have a limit: each is stored or gets 429, and another company’s are stored [D1.44]', async () => {
    const statuses = await Promise.all(Array.from({ length: 3 * ENDPOINT }, async (_, index) => deliver(index, mine)));
    expect(count(statuses, 202) + count(statuses, 429)).toBe(3 * ENDPOINT);
    expect(count(statuses, 202)).toBeGreaterThanOrEqual(ENDPOINT * 0.9);
    expect(count(statuses, 202)).toBeLessThanOrEqual(ENDPOINT * 1.1);
    const { rows } = await admin.query<{ stored: number }>(
      'SELECT count(*)::int AS stored FROM notification WHERE installation_id = $1',
      [mine.id],
    );
    expect(rows[0]?.stored).toBe(count(statuses, 202));
    expect(await deliver(0, await storeInstallation(processOf(0), 'Other'))).toBe(202);
  });

  it('a company’s webhooks have one limit, however their address is written [D1.44]', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 3 * ENDPOINT }, async (_, index) => deliver(index, mine, writtenInAnotherWay(mine, index))),
    );
    expect(count(statuses, 202) + count(statuses, 429)).toBe(3 * ENDPOINT);
    expect(count(statuses, 202)).toBeLessThanOrEqual(ENDPOINT * 1.1);
  });
});

/** The endpoint's address with one of its letters written in another way. */
function writtenInAnotherWay({ endpointToken }: StoredInstallation, index: number): string {
  const at = index % endpointToken.length;
  const code = endpointToken.charCodeAt(at).toString(16).padStart(2, '0');
  return `/webhooks/${endpointToken.slice(0, at)}%${code}${endpointToken.slice(at + 1)}`;
}

async function deliver(index: number, to: StoredInstallation, url = `/webhooks/${to.endpointToken}`): Promise<number> {
  const { headers, body } = signedBy(to, jobCreated(to.companyId), `msg_${randomUUID()}`);
  const answer = await processOf(index).app.inject({
    method: 'POST',
    url,
    headers,
    payload: body,
  });
  return answer.statusCode;
}

describe('the client of a request', () => {
  it('is the address that a trusted proxy names, and no other [D1.47]', async () => {
    const client = address();
    const statuses = await sendRequests(3 * ANONYMOUS, () => ({ from: '192.0.2.1', for: client }));
    expect(count(statuses, 429)).toBeGreaterThan(0);
    expect(await sendRequest(0, { from: '192.0.2.1', for: address() })).toMatchObject({ status: 401 });
    // The client itself, without a proxy; and one that only claims to be another.
    expect(await sendRequest(0, { from: client })).toMatchObject({ status: 429 });
    expect(await sendRequest(0, { from: client, for: address() })).toMatchObject({ status: 429 });
  });
});

describe('the quota of a minute', () => {
  const clock = new FakeClock();
  const newQuota = (database: TenantDatabase = processOf(0).runtime.database) =>
    new SharedQuota(database, new RequestQuotaRepository(), clock, processOf(0).runtime.logger);
  const key = randomUUID();

  const booked = async () => (await admin.query('SELECT FROM request_quota')).rowCount;
  afterEach(() => admin.query('DELETE FROM request_quota'));

  it('costs no query for a client with few requests', async () => {
    await admin.query('DELETE FROM request_quota');
    const one = newQuota();
    for (let time = 0; time < 10; time += 1) {
      expect(await one.consume(key, 400)).toBe(0);
    }
    expect(await booked()).toBe(0);
    expect(await one.consume(key, 400)).toBe(0);
    expect(await booked()).toBe(1);
  });

  it('is renewed when the minute is over', async () => {
    const one = newQuota();
    for (let time = 0; time < 40; time += 1) {
      expect(await one.consume(key, 40)).toBe(0);
    }
    const wait = await one.consume(key, 40);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60_000);
    expect(one.remainingWaitMs(key)).toBeGreaterThan(0);
    await admin.query(`UPDATE request_quota SET ends_at = now()`);
    clock.freezeMinutes(1);
    expect(one.remainingWaitMs(key)).toBe(0);
    for (let time = 0; time < 40; time += 1) {
      expect(await one.consume(key, 40)).toBe(0);
    }
    expect(await one.consume(key, 40)).toBeGreaterThan(0);
  });

  it('refuses no request while the database is down', async () => {
    const away = { withoutInstallation: () => Promise.reject(new Error('away')) };
    const one = newQuota(away as unknown as TenantDatabase);
    for (let time = 0; time < 100; time += 1) {
      expect(await one.consume(key, 40)).toBe(0);
    }
  });
});
