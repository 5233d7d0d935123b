import { beforeEach, describe, expect, it } from '@jest/globals';
import { at, exportItem, listAt, SimulatorHarness, textAt } from './simulator-harness.js';
import { startedOnce } from '../../support/started-once.js';

const simulator = startedOnce(() => SimulatorHarness.start());
let companyId: string;
let token: string;

beforeEach(async () => {
  await simulator.control('POST', '/reset');
  companyId = await simulator.addCompany();
  token = textAt(await simulator.control('POST', '/api-keys', { companyId }), 'apiKey');
});

const get = (path: string, credential = token) => simulator.call('GET', path, { token: credential });
const fail = (body: object) => simulator.control('POST', '/failures', body);
const newJob = async () => {
  await simulator.addItems(companyId, [exportItem(-1)]);
  return simulator.triggerExport(companyId);
};

describe('a changed response', () => {
  it('is malformed while the connection is intact', async () => {
    await fail({ path: '/v1/introspect', answer: 'malformed', times: 1 });
    const answer = await get('/v1/introspect');
    expect([answer.status, answer.body]).toEqual([200, undefined]);
    expect(answer.headers.get('content-length')).toBe(Buffer.byteLength(answer.text).toString());
    expect((await get('/v1/introspect')).body).toBeDefined();
  });

  it('has endless pages', async () => {
    await newJob();
    await fail({ path: '/v3/export-jobs', answer: 'endless_paging' });
    let cursor = '';
    for (let page = 0; page < 4; page += 1) {
      const answer = await get(`/v3/export-jobs?limit=1${cursor === '' ? '' : `&after=${cursor}`}`);
      expect([answer.status, at(answer.body, 'pagination', 'hasNextPage')]).toEqual([200, true]);
      cursor = textAt(answer.body, 'pagination', 'endCursor');
    }
  });

  it('has unknown values and fields', async () => {
    const jobId = await newJob();
    await fail({ path: '/v3/export-jobs/*', answer: 'unknown_values', times: 1 });
    await fail({ path: '/v3/export-jobs/*', answer: 'unknown_fields', times: 1 });
    const path = `/v3/export-jobs/${jobId}`;
    expect(at((await get(path)).body, 'data', 'status')).toBe('something_new');
    const second = (await get(path)).body;
    expect(at(second, 'data', 'status')).toBe('pending');
    expect(at(second, 'data', 'somethingNew')).toEqual({ version: 9 });
    expect(Object.keys(Object.assign({}, at((await get(path)).body, 'data')))).not.toContain('somethingNew');
  });

  it('of the authorization server is malformed, too', async () => {
    const { refreshToken } = await simulator.connect(companyId);
    await fail({ path: '/oauth/token', answer: 'malformed', times: 1 });
    const answer = await simulator.refresh(refreshToken);
    expect([answer.status, answer.body]).toEqual([200, undefined]);
  });
});

describe('a failure script', () => {
  const statuses = async (count: number) => {
    const seen: number[] = [];
    for (let index = 0; index < count; index += 1) {
      seen.push((await get('/v1/introspect')).status);
    }
    return seen;
  };

  it('replaces the switches and runs in order', async () => {
    await fail({ path: '/v1/introspect', status: 500 });
    await simulator.control('PUT', '/failures', [
      { path: '/v1/introspect', status: 429, times: 1 },
      { path: '/v1/introspect', status: 503, skip: 1, times: 1 },
    ]);
    expect(await statuses(4)).toEqual([429, 200, 503, 200]);
    expect(await simulator.control('GET', '/failures')).toMatchObject([
      { seen: 1, hits: 1 },
      { seen: 2, hits: 1 },
    ]);
  });

  it('matches the same share of requests for the same seed', async () => {
    const script = (seed: number) =>
      simulator.control('PUT', '/failures', [{ path: '/v1/introspect', status: 500, percent: 40, seed }]);
    await script(4);
    const first = await statuses(8);
    await script(4);
    expect(await statuses(8)).toEqual(first);
    expect(first).toEqual([200, 200, 500, 500, 500, 200, 500, 200]);
    await script(3);
    expect(await statuses(8)).not.toEqual(first);
  });

  it('continues after a restart where it was', async () => {
    await simulator.control('PUT', '/failures', [{ path: '/v1/introspect', status: 500, skip: 2, times: 1 }]);
    await statuses(1);
    await simulator.restart();
    expect(await statuses(3)).toEqual([200, 500, 200]);
  });

  it('moves the clock, and jobs expire by it', async () => {
    const jobId = await newJob();
    await fail({ path: '/v1/introspect', jumpSeconds: 3_601, times: 1 });
    await statuses(2);
    expect(at((await get(`/v3/export-jobs/${jobId}`)).body, 'data', 'failureReasonType')).toBe('job_expired');
    expect(at(await simulator.control('GET', '/clock'), 'offsetSeconds')).toBe(3_601);
  });

  it('revokes the caller’s tokens after its response', async () => {
    const { accessToken, refreshToken } = await simulator.connect(companyId);
    await fail({ path: '/v1/companies', revokes: true, times: 1 });
    expect((await get('/v1/companies', accessToken)).status).toBe(200);
    expect((await get('/v1/companies', accessToken)).status).toBe(401);
    expect((await simulator.refresh(refreshToken)).status).toBe(400);
  });
});

describe('the request budget', () => {
  it('ends with 429 and Retry-After, for one credential, until the next minute', async () => {
    await simulator.control('PUT', '/settings', { requestsPerMinute: 2 });
    // The minute begins anew with the clock, so that no test runs over its end.
    const now = Date.parse(textAt(await simulator.control('GET', '/clock'), 'now'));
    await simulator.control('POST', '/clock', { advanceSeconds: 60 - ((now / 1000) % 60) + 1 });
    const answers = [];
    for (let index = 0; index < 3; index += 1) {
      answers.push(await get('/v1/introspect'));
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    const wait = Number(answers[2]?.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    expect(at(answers[2]?.body, 'type')).toBe('TOO_MANY_REQUESTS');
    const other = textAt(await simulator.control('POST', '/api-keys', { companyId }), 'apiKey');
    expect((await get('/v1/introspect', other)).status).toBe(200);
    await simulator.control('POST', '/clock', { advanceSeconds: wait });
    expect((await get('/v1/introspect')).status).toBe(200);
  });

  it('is unlimited unless it is set', async () => {
    await simulator.control('PUT', '/settings', { requestsPerMinute: 1 });
    await simulator.control('PUT', '/settings', { requestsPerMinute: null });
    const answers = await Promise.all([get('/v1/introspect'), get('/v1/introspect')]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });
});

describe('an admin', () => {
  it('disconnects the apps of a company', async () => {
    const { accessToken } = await simulator.connect(companyId);
    const shown = await simulator.control('GET', `/companies/${companyId}/installations`);
    expect(shown).toMatchObject([{ status: 'AUTHORIZED' }]);
    expect(await simulator.control('POST', `/companies/${companyId}/disconnect`)).toEqual({
      disconnected: 1,
    });
    expect((await get('/v1/introspect', accessToken)).status).toBe(401);
    expect(await simulator.control('GET', `/companies/${companyId}/installations`)).toEqual([]);
  });

  it('revokes tokens and leaves the installation', async () => {
    const { accessToken } = await simulator.connect(companyId);
    expect(await simulator.control('POST', `/companies/${companyId}/revoke-tokens`)).toEqual({ revoked: 1 });
    expect((await get('/v1/introspect', accessToken)).status).toBe(401);
    expect(listAt(await simulator.control('GET', `/companies/${companyId}/installations`))).toHaveLength(1);
  });
});

describe('failure settings', () => {
  it.each([
    ['a jitter over half', { retryJitterPercent: 51 }],
    ['an unknown rotation', { refreshRotation: 'sometimes' }],
    ['no requests at all', { requestsPerMinute: 0 }],
  ])('refuse %s and stay unchanged', async (_case, change) => {
    const before = await simulator.control('GET', '/settings');
    const answer = await simulator.call('PUT', '/control/settings', { body: change });
    expect([answer.status, at(answer.body, 'type')]).toEqual([400, 'VALIDATION_FAILED']);
    expect(await simulator.control('GET', '/settings')).toEqual(before);
  });
});
