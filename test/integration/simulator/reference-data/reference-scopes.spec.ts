import { beforeAll, describe, expect, it } from '@jest/globals';
import { at, SimulatorHarness, textAt } from '../simulator-harness.js';
import { startedOnce } from '../../../support/started-once.js';

const ID = '123e4567-e89b-12d3-a456-426614174015';
const ACCOUNTS = '/v1/chart-of-accounts';
const GROUP = `/v0/tag-groups/${ID}`;
const TAG = `/v0/tags/${ID}`;
const TAGS_READ = ['tag-groups:read', 'tag-group:read'];
const TAGS_WRITE = ['tag-groups:write', 'tag-group:write'];

/** Each route and the scopes of which one is needed (P3.2, spellings of tags P12). */
const ROUTES: readonly (readonly [method: string, path: string, scopes: readonly string[]])[] = [
  ['POST', ACCOUNTS, ['accounts:write']],
  ['POST', `${ACCOUNTS}/batch`, ['accounts:write']],
  ['POST', `${ACCOUNTS}:search`, ['accounts:read']],
  ['GET', `${ACCOUNTS}/${ID}`, ['accounts:read']],
  ['PUT', `${ACCOUNTS}/${ID}`, ['accounts:write']],
  ['DELETE', `${ACCOUNTS}/${ID}`, ['accounts:write']],
  ['POST', '/v0/tax-codes', ['tax-codes:write']],
  ['POST', '/v0/tax-codes:search', ['tax-codes:read']],
  ['POST', '/v0/tax-codes:calculate-tax-amounts', ['tax-codes:read']],
  ['GET', `/v0/tax-codes/${ID}`, ['tax-codes:read']],
  ['PUT', `/v0/tax-codes/${ID}`, ['tax-codes:write']],
  ['DELETE', `/v0/tax-codes/${ID}`, ['tax-codes:write']],
  ['POST', '/v1/vendors', ['vendors:write']],
  ['POST', '/v1/vendors:search', ['vendors:read']],
  ['GET', `/v1/vendors/${ID}`, ['vendors:read']],
  ['PUT', `/v1/vendors/${ID}`, ['vendors:write']],
  ['POST', `/v1/vendors/${ID}:activate`, ['vendors:write']],
  ['POST', `/v1/vendors/${ID}:archive`, ['vendors:write']],
  ['GET', '/v0/tag-groups', TAGS_READ],
  ['POST', '/v0/tag-groups', TAGS_WRITE],
  ['GET', GROUP, TAGS_READ],
  ['PUT', GROUP, TAGS_WRITE],
  ['DELETE', GROUP, TAGS_WRITE],
  ['GET', `${GROUP}/usage`, TAGS_READ],
  ['GET', `${GROUP}/dimensions`, TAGS_READ],
  ['POST', `${GROUP}/dimensions`, TAGS_WRITE],
  ['GET', `${GROUP}/dimensions/${ID}`, TAGS_READ],
  ['PUT', `${GROUP}/dimensions/${ID}`, TAGS_WRITE],
  ['DELETE', `${GROUP}/dimensions/${ID}`, TAGS_WRITE],
  ['GET', `${GROUP}/tags`, TAGS_READ],
  ['POST', `${GROUP}/tags`, TAGS_WRITE],
  ['GET', '/v0/aggregations/tag-groups', TAGS_READ],
  ['POST', '/v0/aggregations/tags', TAGS_READ],
  ['GET', '/v0/tags', TAGS_READ],
  ['DELETE', '/v0/tags', TAGS_WRITE],
  ['POST', '/v0/tags:search', TAGS_READ],
  ['POST', '/v0/tags/archive', TAGS_WRITE],
  ['GET', TAG, TAGS_READ],
  ['PUT', TAG, TAGS_WRITE],
  ['DELETE', TAG, TAGS_WRITE],
  ['GET', `${TAG}/dimensions`, TAGS_READ],
  ['GET', `${TAG}/dimensions/${ID}`, TAGS_READ],
  ['POST', `${TAG}/dimensions/${ID}`, TAGS_WRITE],
  ['PUT', `${TAG}/dimensions/${ID}`, TAGS_WRITE],
  ['DELETE', `${TAG}/dimensions/${ID}`, TAGS_WRITE],
  ['GET', '/v2/employees', ['users:read']],
  ['GET', `/v2/employees/${ID}`, ['users:read']],
  ['GET', '/v1/companies', ['companies:read']],
  ['GET', `/v1/companies/${ID}`, ['companies:read']],
];
const ALL_SCOPES = [
  'export-jobs:read',
  'export-jobs:write',
  'export-items:read',
  ...new Set(ROUTES.flatMap(([, , scopes]) => scopes)),
];

const simulator = startedOnce(() => SimulatorHarness.start());
let companyId: string;
const keyOf = async (scopes: readonly string[]) =>
  textAt(await simulator.control('POST', '/api-keys', { companyId, scopes }), 'apiKey');

beforeAll(async () => {
  companyId = await simulator.addCompany();
});

describe('the scopes', () => {
  it.each(ROUTES)('require for %s %s one of %p [P3.2]', async (method, path, scopes) => {
    const call = (token: string, scheme = 'Bearer') =>
      simulator.call(method, path, {
        headers: { authorization: `${scheme} ${token}` },
        ...(method === 'GET' ? {} : { body: {} }),
      });
    const refused = await call(await keyOf(ALL_SCOPES.filter((scope) => !scopes.includes(scope))));
    // The guard's answer: a handler's own 403 names no scope.
    expect([refused.status, at(refused.body, 'type')]).toEqual([403, 'FORBIDDEN']);
    expect(textAt(refused.body, 'message')).toContain(scopes[0]);
    for (const scope of scopes) {
      const key = await keyOf([scope]);
      const basic = Buffer.from(`${key}:`).toString('base64');
      for (const answer of [await call(key), await call(basic, 'Basic')]) {
        expect(answer.status).not.toBe(401);
        expect(String(at(answer.body, 'message'))).not.toContain('lacks the scope');
      }
    }
    const unknown = await call('nobody');
    expect([unknown.status, at(unknown.body, 'type')]).toEqual([401, 'UNAUTHORIZED']);
  });

  it('are those of the access token, too', async () => {
    const { accessToken } = await simulator.connect(companyId, 'vendors:read');
    const search = `/v1/vendors:search?company_id=${companyId}`;
    expect((await simulator.call('POST', search, { token: accessToken })).status).toBe(200);
    expect((await simulator.call('GET', '/v2/employees', { token: accessToken })).status).toBe(403);
  });

  it('are required by every route of the document except public ones', async () => {
    const document = await simulator.call('GET', '/openapi.json');
    const withoutScope = /^\/(control|oauth|files|installations|v1\/(installations|subscriptions|introspect))/;
    const documented = Object.entries(Object(at(document.body, 'paths')) as Record<string, object>)
      .filter(([path]) => !withoutScope.test(path) && !/^\/v[23]\/export-/.test(path))
      .flatMap(([path, operations]) =>
        Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, ID)}`),
      );
    expect(documented.sort()).toEqual(ROUTES.map(([method, path]) => `${method} ${path}`).sort());
  });
});

describe('the OpenAPI document', () => {
  it('describes the body of every request that has one, and the errors of every route', async () => {
    const { body } = await simulator.call('GET', '/openapi.json');
    const operations = Object.entries(Object(at(body, 'paths')) as Record<string, Record<string, unknown>>)
      .filter(([path]) => /^\/(v\d|installations)/.test(path))
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => [`${method} ${path}`, operation] as const),
      );
    const bodiless = /^(get|delete \/(?!v0\/tags$)|post .*:(archive|activate)$|put .*\/completions$)/;
    const undescribed = operations.filter(
      ([name, operation]) =>
        !bodiless.test(name) &&
        at(operation, 'requestBody', 'content', 'application/json', 'schema', 'type') === undefined,
    );
    expect(undescribed.map(([name]) => name)).toEqual([]);
    expect(
      operations
        .filter(([, operation]) => at(operation, 'responses', '403', 'content') === undefined)
        .map(([name]) => name),
    ).toEqual([]);
  });
});
