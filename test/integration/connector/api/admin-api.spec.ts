import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { ExportJobRepository } from '../../../../src/connector/exports/stores/export-job.repository.js';
import { toExportJobId } from '../../../../src/kernel/ids.js';
import {
  createToken,
  OPERATOR_TOKEN,
  startConnectorApp,
  storeInstallation,
  type StoredInstallation,
} from '../../../support/connector-app.js';
import { ADMIN_ROUTES, type Method, type Role } from './admin-routes.js';
import { startedOnce } from '../../../support/started-once.js';

interface Call {
  readonly method: Method;
  readonly url: string;
  readonly token?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

const SETTINGS = {
  accounts: { wallets: { EUR: '1935' }, outOfPocket: '2890', fallbackAccounts: { fee: '6570' } },
  policies: { unknownVendor: 'fail', closedPeriod: 'fail', postingState: 'draft' },
};

const connector = startedOnce(startConnectorApp);
let mine: StoredInstallation;
let other: StoredInstallation;
const tokens = new Map<string, string>();
const jobs = new Map<StoredInstallation, readonly string[]>();

beforeAll(async () => {
  mine = await storeInstallation(connector, 'Mine');
  other = await storeInstallation(connector, 'Other');
  for (const installation of [mine, other]) {
    for (const role of ['viewer', 'bookkeeper', 'admin'] as const) {
      tokens.set(`${installation.id}/${role}`, await newToken(installation, role));
    }
    jobs.set(installation, await storeJobs(installation, 5));
  }
});

async function call({ method, url, token, body, headers = {} }: Call) {
  const answer = await connector.app.inject({
    method,
    url,
    headers: { ...headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    ...(body === undefined ? {} : { payload: body }),
  });
  const text = answer.body;
  const json: unknown = text.startsWith('{') ? JSON.parse(text) : undefined;
  return {
    status: answer.statusCode,
    json,
    type: String(answer.headers['content-type']),
    etag: answer.headers.etag,
  };
}

const newToken = ({ id }: StoredInstallation, role: Role) => createToken(connector, id, role);

const tokenOf = (installation: StoredInstallation, role: Role) => tokens.get(`${installation.id}/${role}`) ?? '';
const jobsOf = (installation: StoredInstallation) => jobs.get(installation) ?? [];
const field = (json: unknown, name: string): unknown => Reflect.get(Object(json), name);

async function storeJobs(installation: StoredInstallation, count: number): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  const repository = new ExportJobRepository();
  for (const [index, id] of ids.entries()) {
    const at = new Date(Date.UTC(2026, 10, 20, 10, index));
    await connector.runtime.database.inInstallation('store job', installation.id, (tx) => {
      repository.saveDetected(
        tx,
        installation.id,
        [
          {
            id: toExportJobId(id),
            companyId: installation.companyId,
            numberOfItems: index,
            vendorBasedBookkeeping: false,
            createdOnPlatformAt: at,
            expiresAt: at,
          },
        ],
        at,
      );
    });
  }
  return ids;
}

describe('authorization', () => {
  const rank: Readonly<Record<Role, number>> = { viewer: 1, bookkeeper: 2, admin: 3 };

  it('covers every existing route', async () => {
    const { json } = await call({ method: 'GET', url: '/api/openapi.json' });
    const documented = Object.entries(Object(field(json, 'paths')) as Record<string, object>).flatMap(
      ([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const covered = ADMIN_ROUTES.map(([method, url]) => `${method} ${url}`);
    const publicOnes = [
      'GET /connect',
      'GET /oauth/callback',
      'GET /oauth/companies',
      'GET /oauth/company',
      'GET /oauth/sign-in',
      'GET /problems',
      'GET /problems/{name}',
      'POST /webhooks/{endpointToken}',
    ];
    const operator = [
      'GET /api/v1/operator/installations',
      'POST /api/v1/operator/installations',
      'GET /api/v1/operator/credential-keys',
      'POST /api/v1/operator/installations/{id}/api-tokens',
      'GET /api/v1/operator/installations/{id}/export',
      'POST /api/v1/operator/installations/{id}/first-admin-codes',
      'GET /api/v1/operator/installations/{id}/first-admin-codes',
      'DELETE /api/v1/operator/installations/{id}/first-admin-codes/{codeId}',
      'PUT /api/v1/operator/installations/{id}/erp-company',
      'GET /api/v1/operator/customers',
      'GET /api/v1/operator/customers/{id}',
      'PUT /api/v1/operator/customers/{id}/pause',
      'DELETE /api/v1/operator/customers/{id}/pause',
      'POST /api/v1/operator/customers/{id}/jobs/{jobId}/retry',
      'POST /api/v1/operator/customers/{id}/dead-letters/{letterId}/replay',
      'GET /api/v1/operator/dead-letters',
      'GET /api/v1/operator/workers',
      'POST /api/v1/operator/workers/{id}/drain',
      'GET /api/v1/operator/session',
      'PUT /api/v1/operator/session',
      'DELETE /api/v1/operator/session',
    ];
    expect(documented.sort()).toEqual([...covered, ...publicOnes, ...operator].sort());
  });

  it.each(ADMIN_ROUTES)('%s route for %3$s: %2$s', async (method, url, needed) => {
    for (const token of [undefined, 'cat_nobody', OPERATOR_TOKEN, `${tokenOf(mine, 'admin')}x`]) {
      const answer = await call({ method, url, ...(token === undefined ? {} : { token }) });
      expect([answer.status, answer.type]).toEqual([401, 'application/problem+json']);
    }
    for (const role of ['viewer', 'bookkeeper', 'admin'] as const) {
      const { status } = await call({ method, url, token: tokenOf(mine, role) });
      expect({ role, forbidden: status === 403 }).toEqual({ role, forbidden: rank[role] < rank[needed] });
    }
  });

  it('operator routes accept the operator token and no other', async () => {
    for (const token of [tokenOf(mine, 'admin'), 'x', `${OPERATOR_TOKEN}x`]) {
      expect((await call({ method: 'GET', url: '/api/v1/operator/installations', token })).status).toBe(401);
    }
    expect((await call({ method: 'GET', url: '/api/v1/operator/installations', token: OPERATOR_TOKEN })).status).toBe(
      200,
    );
  });

  it('an expired token is invalid', async () => {
    const token = await newToken(mine, 'viewer');
    expect((await call({ method: 'GET', url: '/api/v1/jobs', token })).status).toBe(200);
    const admin = new pg.Client({ connectionString: connector.server.url });
    await admin.connect();
    await admin.query(`UPDATE connector.api_token SET expires_at = now() WHERE token_hash = sha256($1)`, [
      Buffer.from(token),
    ]);
    await admin.end();
    expect((await call({ method: 'GET', url: '/api/v1/jobs', token })).status).toBe(401);
  });
});

describe('the ids of another tenant', () => {
  it('get the same response as ids that do not exist', async () => {
    const token = tokenOf(mine, 'admin');
    for (const suffix of ['', '/items']) {
      const foreign = await call({
        method: 'GET',
        url: `/api/v1/jobs/${jobsOf(other)[0] ?? ''}${suffix}`,
        token,
      });
      const missing = await call({ method: 'GET', url: `/api/v1/jobs/${randomUUID()}${suffix}`, token });
      const malformed = await call({ method: 'GET', url: `/api/v1/jobs/nonsense${suffix}`, token });
      for (const answer of [foreign, missing, malformed]) {
        expect([answer.status, field(answer.json, 'detail')]).toEqual([404, 'There is no such export job.']);
      }
    }
  });

  it('never appear in a list', async () => {
    const { json } = await call({ method: 'GET', url: '/api/v1/jobs', token: tokenOf(mine, 'viewer') });
    const ids = (field(json, 'data') as readonly { id: string }[]).map(({ id }) => id);
    expect(ids).toEqual([...jobsOf(mine)].reverse());
  });
});

describe('lists', () => {
  it('are paged by cursor, without gaps or duplicates', async () => {
    const token = tokenOf(mine, 'viewer');
    const seen: string[] = [];
    let url = '/api/v1/jobs?limit=2';
    for (let page = 0; page < 5; page += 1) {
      const { json } = await call({ method: 'GET', url, token });
      seen.push(...(field(json, 'data') as readonly { id: string }[]).map(({ id }) => id));
      const cursor = field(json, 'nextCursor');
      if (typeof cursor !== 'string') {
        break;
      }
      url = `/api/v1/jobs?limit=2&after=${encodeURIComponent(cursor)}`;
    }
    expect(seen).toEqual([...jobsOf(mine)].reverse());
  });

  it.each([
    'limit=0',
    'limit=-1',
    'limit=1001',
    'limit=abc',
    'limit=1e3',
    'after=forged',
    'after=W10',
    'limit=1&limit=2',
    'unknown=1',
  ])('with ?%s are a bad request', async (query) => {
    const answer = await call({
      method: 'GET',
      url: `/api/v1/jobs?${query}`,
      token: tokenOf(mine, 'viewer'),
    });
    expect([answer.status, answer.type]).toEqual([400, 'application/problem+json']);
  });
});

describe('settings', () => {
  const save = (headers: Readonly<Record<string, string>>, body: object = SETTINGS, installation = other) =>
    call({ method: 'PUT', url: '/api/v1/settings', token: tokenOf(installation, 'admin'), headers, body });

  it('are saved as versions, which the next save must name', async () => {
    expect((await call({ method: 'GET', url: '/api/v1/settings', token: tokenOf(other, 'viewer') })).status).toBe(404);
    expect((await save({})).status).toBe(428);
    const first = await save({ 'if-match': '"0"' });
    expect([first.status, first.etag]).toEqual([200, '"1"']);
    expect((await save({ 'if-match': '"0"' })).status).toBe(412);
    expect((await save({ 'if-match': '*' })).status).toBe(412);
    const second = await save(
      { 'if-match': '"1"' },
      { ...SETTINGS, policies: { ...SETTINGS.policies, postingState: 'posted' } },
    );
    expect([second.status, second.etag]).toEqual([200, '"2"']);
    const read = await call({ method: 'GET', url: '/api/v1/settings', token: tokenOf(other, 'viewer') });
    expect(read.json).toMatchObject({
      version: 2,
      accounts: SETTINGS.accounts,
      policies: { postingState: 'posted' },
    });
  });

  it('edited fifty times at once are saved once', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => save({ 'if-match': '"0"' }, SETTINGS, mine)));
    const others = answers.map(({ status }) => status).filter((status) => status !== 200);
    expect(others).toHaveLength(49);
    // 503: on a busy machine one may wait too long for its turn.
    expect(others.filter((status) => status !== 412 && status !== 503)).toEqual([]);
  });

  it.each([
    ['an unknown property', { ...SETTINGS, tenantId: 'x' }, '/tenantId'],
    ['an unknown currency', { ...SETTINGS, accounts: { wallets: { EURO: '1' } } }, '/accounts/wallets'],
    ['an account that is no text', { ...SETTINGS, accounts: { wallets: { EUR: 1 } } }, '/accounts/wallets'],
    [
      'an unknown policy',
      { ...SETTINGS, policies: { ...SETTINGS.policies, postingState: 'gone' } },
      '/policies/postingState',
    ],
    ['a missing part', { accounts: SETTINGS.accounts }, '/policies'],
  ])('with %s are a bad request that names the error', async (_, body, pointer) => {
    const answer = await save({ 'if-match': '"9"' }, body);
    expect([answer.status, answer.type]).toEqual([400, 'application/problem+json']);
    const errors = field(answer.json, 'errors') as readonly { pointer: string }[];
    expect(errors.map((error) => error.pointer)).toContain(pointer);
  });
});

describe('a bad request', () => {
  it.each([
    ['malformed JSON', { payload: '{"accounts":', headers: { 'content-type': 'application/json' } }, 400],
    [
      'a key that reaches a prototype',
      { payload: '{"__proto__":{"x":1}}', headers: { 'content-type': 'application/json' } },
      400,
    ],
    ['a list for an object', { payload: '[]', headers: { 'content-type': 'application/json' } }, 400],
    ['another media type', { payload: '<x/>', headers: { 'content-type': 'text/xml' } }, 415],
    [
      'more than 256 kB',
      { payload: `"${'x'.repeat(256 * 1024)}"`, headers: { 'content-type': 'application/json' } },
      413,
    ],
  ])('with %s', async (_, request, status) => {
    const headers = {
      ...request.headers,
      authorization: `Bearer ${tokenOf(mine, 'admin')}`,
      'if-match': '"1"',
    };
    const answer = await connector.app.inject({
      method: 'PUT',
      url: '/api/v1/settings',
      headers,
      payload: request.payload,
    });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([status, 'application/problem+json']);
    expect(answer.body).not.toMatch(/at \w+ \(|node_modules|SELECT/);
  });

  const JSON_BODY = Buffer.from(JSON.stringify(SETTINGS));
  it.each([
    ['a plain text', { 'content-type': 'text/plain' }, JSON_BODY],
    ['no media type', {}, JSON_BODY],
    ['a compressed body', { 'content-type': 'application/json', 'content-encoding': 'gzip' }, gzipSync(JSON_BODY)],
    [
      'a body that is said to be compressed',
      { 'content-type': 'application/json', 'content-encoding': 'br' },
      JSON_BODY,
    ],
  ])('with %s says how to send it', async (_, headers, payload) => {
    const answer = await connector.app.inject({
      method: 'PUT',
      url: '/api/v1/settings',
      headers: { ...headers, authorization: `Bearer ${tokenOf(mine, 'admin')}`, 'if-match': '"0"' },
      payload,
    });
    expect([answer.statusCode, answer.json()]).toMatchObject([
      415,
      {
        type: 'urn:problem:unsupported-media-type',
        detail: expect.stringMatching(/application\/json.*not compressed/),
      },
    ]);
  });

  it.each(['"x"', '5', 'true', '[]'])('with %s for an object says that it has to be one', async (payload) => {
    const answer = await connector.app.inject({
      method: 'PUT',
      url: '/api/v1/settings',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${tokenOf(mine, 'admin')}`,
        'if-match': '"0"',
      },
      payload,
    });
    expect([answer.statusCode, field(answer.json(), 'errors')]).toEqual([
      400,
      [{ pointer: '', detail: 'the body must be an object' }],
    ]);
  });

  it.each(['/nowhere', '/api/v1', '/api/v1/jobs/', '/API/v1/jobs', '/api/v1/jobs/%2e%2e', '/health/ready', '/metrics'])(
    'to %s finds nothing',
    async (url) => {
      const answer = await call({ method: 'GET', url, token: tokenOf(mine, 'admin') });
      expect([answer.status, answer.type]).toEqual([404, 'application/problem+json']);
    },
  );
});
