import { beforeEach, describe, expect, it } from '@jest/globals';
import { ProgramClient } from '../../../src/sandbox/launch/demo/program-client.js';
import { firstCustomer } from '../../../src/sandbox/launch/demo/demo-customers.js';
import { seedPlatform } from '../../../src/sandbox/launch/demo/seed-platform.js';
import { customerOf } from '../../drills/more-companies.js';
import { at, exportItem, listAt, SimulatorHarness, textAt, tokensOf } from './simulator-harness.js';
import { startedOnce } from '../../support/started-once.js';

const simulator = startedOnce(() => SimulatorHarness.start());
let companyId: string;
let token: string;

beforeEach(async () => {
  await simulator.control('POST', '/reset');
  companyId = await simulator.addCompany();
  token = textAt(await simulator.control('POST', '/api-keys', { companyId }), 'apiKey');
});

const newJob = async () => {
  await simulator.addItems(companyId, [exportItem(-1)]);
  return simulator.triggerExport(companyId);
};
const start = (jobId: string) =>
  simulator.call('POST', '/v3/export-job-events', { token, body: { jobId, event: 'started' } });
const statusOf = async (jobId: string) => at(await simulator.control('GET', `/export-jobs/${jobId}`), 'job', 'status');

it('takes as many companies like that of the demo as a drill needs', async () => {
  const client = new ProgramClient('simulator', simulator.url);
  for (const customer of [firstCustomer, customerOf(1), customerOf(2)]) {
    await seedPlatform(client, customer);
  }
  client.close();
  expect(await simulator.control('GET', '/companies')).toHaveLength(4);
});

describe('failure switches', () => {
  const path = '/v3/export-job-events';

  it('respond instead of the effect, a number of times, with Retry-After', async () => {
    const jobId = await newJob();
    await simulator.control('POST', '/failures', { path, status: 429, retryAfter: '7', times: 2 });
    for (let count = 0; count < 2; count += 1) {
      const answer = await start(jobId);
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '7']);
    }
    expect(await statusOf(jobId)).toBe('pending');
    expect((await start(jobId)).status).toBe(202);
    expect(await simulator.control('GET', '/failures')).toMatchObject([{ hits: 2, timesLeft: 0 }]);
  });

  it('drop the effect', async () => {
    const jobId = await newJob();
    await simulator.control('POST', '/failures', { path, effect: 'after', status: 503, times: 1 });
    expect((await start(jobId)).status).toBe(503);
    expect(await statusOf(jobId)).toBe('in_progress');
  });

  it.each([
    ['in the middle of the answer', 10],
    ['before the answer', 0],
  ])('break the connection %s', async (_case, truncateAt) => {
    const jobId = await newJob();
    const pattern = { method: 'GET', path: '/v3/export-jobs/*', truncateAt, times: 1 };
    await simulator.control('POST', '/failures', pattern);
    await expect(simulator.call('GET', `/v3/export-jobs/${jobId}`, { token })).rejects.toThrow();
    expect((await simulator.call('GET', `/v3/export-jobs/${jobId}`, { token })).status).toBe(200);
  });

  it.each([
    ['a lost answer', { truncateAt: 0 }, undefined],
    ['half an answer', { truncateAt: 12 }, undefined],
    ['an error', { status: 502 }, 502],
  ])('lose the response of a refresh after its effect: %s', async (_case, failure, status) => {
    const tokens = await simulator.connect(companyId);
    await simulator.control('POST', '/failures', {
      method: 'POST',
      path: '/oauth/token',
      effect: 'after',
      times: 1,
      ...failure,
    });
    const answer = simulator.refresh(tokens.refreshToken).then(
      (given) => given.status,
      () => undefined,
    );
    expect(await answer).toBe(status);
    expect((await simulator.refresh(tokens.refreshToken)).status).toBe(400);
  });

  it('fail the authorization server before its effect', async () => {
    const tokens = await simulator.connect(companyId);
    await simulator.control('POST', '/failures', { path: '/oauth/token', status: 500, times: 1 });
    expect((await simulator.refresh(tokens.refreshToken)).status).toBe(500);
    expect(tokensOf(await simulator.refresh(tokens.refreshToken)).accessToken).toBeDefined();
  });

  it('break the connection before the effect', async () => {
    const jobId = await newJob();
    await simulator.control('POST', '/failures', { path, truncateAt: 0, times: 1 });
    await expect(start(jobId)).rejects.toThrow();
    expect(await statusOf(jobId)).toBe('pending');
  });

  it('can be removed', async () => {
    const added = await simulator.control('POST', '/failures', { path: '/v1/introspect', status: 500 });
    expect((await simulator.call('GET', '/v1/introspect', { token })).status).toBe(500);
    await simulator.control('DELETE', `/failures/${String(at(added, 'id'))}`);
    expect((await simulator.call('GET', '/v1/introspect', { token })).status).toBe(200);
  });
});

describe('logs', () => {
  it('list requests in order, with their company and the failure switch they matched', async () => {
    await simulator.connect(companyId);
    const failure = await simulator.control('POST', '/failures', {
      path: '/v1/companies',
      status: 500,
      times: 1,
    });
    await simulator.call('GET', '/v1/companies?limit=1', { token });
    await simulator.call('GET', '/v1/companies?limit=2', { token });
    const log = await simulator.control('GET', '/requests');
    const requests = listAt(log, 'requests');
    expect(requests.map((request) => `${String(at(request, 'method'))} ${String(at(request, 'path'))}`)).toEqual([
      'GET /oauth/authorize',
      expect.stringMatching(/^POST \/oauth\/interaction\/[\w-]+$/),
      expect.stringMatching(/^GET \/oauth\/authorize\/[\w-]+$/),
      'POST /oauth/token',
      'GET /v1/companies?limit=1',
      'GET /v1/companies?limit=2',
    ]);
    expect(requests[4]).toMatchObject({ status: 500, failureSwitchId: at(failure, 'id') });
    expect(requests[5]).toMatchObject({ status: 200, companyId, failureSwitchId: null });
    const rest = await simulator.control('GET', `/requests?after=${String(at(requests[4], 'id'))}`);
    expect(listAt(rest, 'requests')).toHaveLength(1);
  });

  it('list job events in the order of acceptance', async () => {
    const jobId = await newJob();
    await start(jobId);
    await start(jobId);
    await simulator.control('POST', `/export-jobs/${jobId}/cancel`);
    const events = await simulator.control('GET', `/job-events?job_id=${jobId}`);
    expect(events).toMatchObject([{ event: 'started' }, { event: 'canceled' }]);
  });
});

describe('items of a company', () => {
  it('wait until they are exported successfully', async () => {
    const [first = '', second = ''] = await simulator.addItems(companyId, [exportItem(-1), exportItem(-2)]);
    const jobId = await simulator.triggerExport(companyId, { accountingEntryIds: [first] });
    await simulator.call('PUT', `/v3/export-jobs/${jobId}/items`, {
      token,
      body: [{ accountingEntryId: first, status: 'successful' }],
    });
    await start(jobId);
    await simulator.call('POST', '/v3/export-job-events', { token, body: { jobId, event: 'completed' } });
    const next = await simulator.triggerExport(companyId);
    const shown = await simulator.control('GET', `/export-jobs/${next}`);
    expect(listAt(shown, 'items').map((item) => at(item, 'accountingEntryId'))).toEqual([second]);
  });

  it('may be invalid for the platform, unless documented ones only are requested', async () => {
    const odd = exportItem(-1, { type: 'gift', date: 'yesterday' });
    const add = (query: string) =>
      simulator.call('POST', `/control/companies/${companyId}/items${query}`, { body: [odd] });
    expect((await add('?documented_only=true')).status).toBe(400);
    expect((await add('')).status).toBe(201);
  });

  it('are refused when they are malformed or exist already', async () => {
    const add = (body: unknown) => simulator.call('POST', `/control/companies/${companyId}/items`, { body });
    const [taken] = await simulator.addItems(companyId, [exportItem(-1)]);
    expect((await add([exportItem(-1, { accountingEntryId: taken })])).status).toBe(409);
    expect((await add([])).status).toBe(400);
    expect((await add('[{"a":')).status).toBe(400);
    expect((await add([1])).status).toBe(400);
    expect((await simulator.call('POST', `/control/companies/${companyId}/export`, { body: {} })).status).toBe(201);
    expect((await simulator.call('POST', `/control/companies/${companyId}/export`, { body: {} })).status).toBe(409);
  });
});

it.each([
  ['POST', '/companies', { name: 'A', nmae: 'B' }, 'nmae'],
  ['POST', '/companies', { name: 'A', contraAccounts: { EUR: { coed: '1' } } }, 'coed'],
  ['POST', '/api-keys', { companyId: '00000000-0000-4000-8000-000000000000', scope: [] }, 'scope'],
  ['POST', '/clients', { clientId: 'x', clientSecert: 'y' }, 'clientSecert'],
  ['POST', '/failures', { path: '/v3/export-jobs', stauts: 500 }, 'stauts'],
  ['POST', '/webhook-failures', { effect: 'duplicate', tmies: 1 }, 'tmies'],
  ['PUT', '/settings', { requestPerMinute: 1 }, 'requestPerMinute'],
])('%s %s refuses an unknown field by name', async (method, path, body, field) => {
  const { status, body: refusal } = await simulator.call(method, `/control${path}`, { body });
  expect(status).toBe(400);
  expect(textAt(refusal, 'message')).toContain(`"${field}"`);
});

describe('the clock', () => {
  it.each([
    { advanceSeconds: 1e300 },
    { offsetSeconds: 1e13 },
    { offsetSeconds: 252_000_000_000 },
    { offsetSeconds: -2_000_000_000 },
  ])('stays where it is for %j, which no time can be written with', async (move) => {
    await simulator.control('POST', '/clock', { offsetSeconds: 60 });
    const { status, body } = await simulator.call('POST', '/control/clock', { body: move });
    expect([status, body]).toMatchObject([400, { message: 'The clock goes from the year 1970 to the year 9998.' }]);
    expect(await simulator.control('GET', '/clock')).toMatchObject({ offsetSeconds: 60 });
  });
});

describe('access to the control API', () => {
  it('is refused to a page of another site', async () => {
    const answer = await simulator.call('POST', '/control/reset', {
      headers: { origin: 'https://evil.example' },
    });
    expect(answer.status).toBe(403);
  });
});

describe('the page of the API', () => {
  it('lists its paths', async () => {
    const document = await simulator.call('GET', '/openapi.json');
    expect(document.status).toBe(200);
    expect(at(document.body, 'paths', '/v3/export-jobs/{jobId}/items', 'put')).toBeDefined();
    expect(at(document.body, 'paths', '/v1/installations/me:activate', 'post')).toBeDefined();
  });

  it('has a description of every operation', async () => {
    const { body } = await simulator.call('GET', '/openapi.json');
    const operations = Object.entries(
      at(body, 'paths') as Record<string, Record<string, { summary?: string }>>,
    ).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { summary = '' }]) => [`${method} ${path}`, summary]),
    );
    expect(operations.length).toBeGreaterThan(60);
    expect(operations.filter(([, summary = '']) => summary.length < 12)).toEqual([]);
  });

  it('says of exactly those operations of the platform that they have pages which take a limit', async () => {
    const { body } = await simulator.call('GET', '/openapi.json');
    const operations = Object.entries(at(body, 'paths') as Record<string, Record<string, object>>)
      .filter(([path]) => /^\/v\d\//.test(path))
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, one]) => [`${method} ${path}`, one] as const),
      );
    const isPaged = (one: object) => JSON.stringify(at(one, 'parameters') ?? []).includes('"limit"');
    const wrong = operations.filter(([, one]) => textAt(one, 'summary').endsWith('a page at a time') !== isPaged(one));
    expect(wrong.map(([operation]) => operation)).toEqual([]);
  });

  it('lists every operation', async () => {
    const page = await simulator.call('GET', '/control/docs');
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(listAt(await simulator.control('GET', '/docs.json')).length).toBeGreaterThan(20);
  });
});
