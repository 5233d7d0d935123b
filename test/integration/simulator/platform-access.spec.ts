import { beforeAll, describe, expect, it } from '@jest/globals';
import { at, listAt, SimulatorHarness, textAt } from './simulator-harness.js';
import { startedOnce } from '../../support/started-once.js';

const simulator = startedOnce(() => SimulatorHarness.start());
let companyId: string;

beforeAll(async () => {
  companyId = await simulator.addCompany({ address: { country: 'DK' }, registrationNumber: '123' });
});

const apiKey = async (body: object = { companyId }) =>
  textAt(await simulator.control('POST', '/api-keys', body), 'apiKey');

describe('credentials', () => {
  it('are an API key in either form', async () => {
    const key = await apiKey();
    const basic = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
    expect((await simulator.call('GET', '/v1/introspect', { token: key })).status).toBe(200);
    const shown = await simulator.call('GET', '/v1/introspect', { headers: { authorization: basic } });
    expect(at(shown.body, 'data')).toMatchObject({
      authMethod: 'API_KEY',
      subjectURN: `urn:platform:company:${companyId}`,
    });
  });

  it.each([
    ['none', {}],
    ['an unknown key', { authorization: 'Bearer key_unknown' }],
    ['a token that is not signed by the server', { authorization: 'Bearer e30.e30.e30' }],
    ['a key with a password', { authorization: `Basic ${Buffer.from('key:password').toString('base64')}` }],
  ])('are refused: %s', async (_case, headers) => {
    const answer = await simulator.call('GET', '/v3/export-jobs', { headers });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ type: 'UNAUTHORIZED', message: expect.any(String) });
  });

  it('expire when their time is over', async () => {
    const key = await apiKey({ companyId, expiresInSeconds: 60 });
    await simulator.control('POST', '/clock', { advanceSeconds: 61 });
    expect((await simulator.call('GET', '/v1/introspect', { token: key })).status).toBe(401);
    await simulator.control('POST', '/clock', { offsetSeconds: 0 });
  });

  it.each([
    ['GET', '/v3/export-jobs', 'export-jobs:read'],
    ['GET', '/v3/export-items', 'export-items:read'],
    ['POST', '/v3/export-job-events', 'export-jobs:write'],
    ['GET', '/v1/companies', 'companies:read'],
  ])('require the scope of %s %s', async (method, path, scope) => {
    const body = method === 'GET' ? {} : { body: {} };
    const without = await apiKey({ companyId, scopes: ['test:test'] });
    const refused = await simulator.call(method, path, { token: without, ...body });
    expect([refused.status, at(refused.body, 'type')]).toEqual([403, 'FORBIDDEN']);
    const granted = await apiKey({ companyId, scopes: [scope] });
    expect((await simulator.call(method, path, { token: granted, ...body })).status).not.toBe(403);
  });
});

describe('installations on the platform', () => {
  it('change state by consent, activation and deletion', async () => {
    const { accessToken: token, refreshToken } = await simulator.connect(companyId);
    const activated = await simulator.call('POST', '/v1/installations/me:activate', { token });
    expect([activated.status, at(activated.body, 'status')]).toEqual([200, 'ACTIVATED']);
    const updated = await simulator.call('PUT', '/v1/installations/me', {
      token,
      body: { status: 'ERROR', errorCode: 'AUTH_ERROR', metadata: { since: 'today' } },
    });
    expect(updated.body).toMatchObject({
      status: 'ERROR',
      errorCode: 'AUTH_ERROR',
      metadata: { since: 'today' },
    });
    for (const [method, path] of [
      ['POST', '/installations/me:activate'],
      ['PUT', '/installations/completions'],
      ['PUT', '/v1/installations/completions'],
    ] as const) {
      const again = await simulator.call(method, path, { token });
      expect([path, at(again.body, 'status'), at(again.body, 'errorCode')]).toEqual([path, 'ACTIVATED', undefined]);
    }
    const second = await simulator.connect(companyId);
    const same = await simulator.call('GET', '/v1/installations/me', { token: second.accessToken });
    expect(at(same.body, 'id')).toBe(at(activated.body, 'id'));
    expect((await simulator.call('DELETE', '/v1/installations/me', { token })).status).toBe(204);
    for (const dead of [token, second.accessToken]) {
      expect((await simulator.call('GET', '/v1/installations/me', { token: dead })).status).toBe(401);
    }
    expect((await simulator.refresh(refreshToken)).status).toBe(400);
    const fresh = await simulator.connect(companyId);
    const reinstalled = await simulator.call('GET', '/v1/installations/me', { token: fresh.accessToken });
    expect(at(reinstalled.body, 'status')).toBe('AUTHORIZED');
    expect(at(reinstalled.body, 'id')).not.toBe(at(activated.body, 'id'));
  });

  it('are created by the integration when it has an API key', async () => {
    const token = await apiKey();
    expect((await simulator.call('GET', '/v1/installations/me', { token })).status).toBe(404);
    const body = { metadata: { a: 1 }, status: 'PENDING_INTEGRATION' };
    const created = await simulator.call('POST', '/v1/installations/me', { token, body });
    expect([created.status, at(created.body, 'status')]).toEqual([200, 'PENDING_INTEGRATION']);
    expect((await simulator.call('POST', '/v1/installations/me', { token, body })).status).toBe(400);
  });

  it('take null as nothing said', async () => {
    const token = await apiKey({ companyId: await simulator.addCompany() });
    const body = { metadata: null, status: null };
    const created = await simulator.call('POST', '/v1/installations/me', { token, body });
    expect([created.status, at(created.body, 'status'), at(created.body, 'metadata')]).toEqual([200, 'AUTHORIZED', {}]);
    const change = { status: 'ACTIVATED', metadata: null };
    const updated = await simulator.call('PUT', '/v1/installations/me', { token, body: change });
    expect([updated.status, at(updated.body, 'metadata')]).toEqual([200, {}]);
  });
});

describe('companies', () => {
  it('are those of the credential', async () => {
    const token = await apiKey();
    const other = await simulator.addCompany();
    const listed = await simulator.call('GET', '/v1/companies', { token });
    expect(listAt(listed.body, 'data')).toEqual([
      {
        id: companyId,
        organizationId: expect.any(String),
        name: 'Example ApS',
        registrationNumber: '123',
        address: { country: 'DK' },
      },
    ]);
    expect((await simulator.call('GET', `/v1/companies/${companyId}`, { token })).status).toBe(200);
    expect((await simulator.call('GET', `/v1/companies/${other}`, { token })).status).toBe(403);
    expect((await simulator.call('GET', '/v1/companies/me', { token })).status).toBe(400);
  });
});

describe('error responses', () => {
  it('have one form', async () => {
    const token = await apiKey();
    const malformed = await simulator.call('POST', '/v1/subscriptions', { token, body: '{' });
    expect([malformed.status, at(malformed.body, 'type')]).toEqual([400, 'JSON_MAPPING_EXCEPTION']);
    const unknown = await simulator.call('GET', '/v9/nothing', { token });
    expect([unknown.status, at(unknown.body, 'type')]).toEqual([404, 'NOT_FOUND']);
    const noId = await simulator.call('GET', '/v3/export-jobs/not-an-id', { token });
    expect([noId.status, at(noId.body, 'type')]).toEqual([400, 'PARAMETER_VALIDATION_FAILED']);
  });
});

describe('a colon in the path', () => {
  it.each(['chart-of-accounts:search', 'chart-of-accounts%3Asearch', 'chart-of-accounts%3asearch'])(
    'leads to its operation as %s',
    async (operation) => {
      const companyId = await simulator.addCompany();
      const token = textAt(await simulator.control('POST', '/api-keys', { companyId }), 'apiKey');
      const query = '?sorting_keys=id&x=%3A';
      const { status, body } = await simulator.call('POST', `/v1/${operation}${query}`, { token, body: { companyId } });
      expect([status, at(body, 'pagination', 'currentRequestPagination', 'parameters')]).toEqual([200, { x: [':'] }]);
    },
  );
});
