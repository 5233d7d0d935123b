import { beforeAll, describe, expect, it } from '@jest/globals';
import { administer } from '../../../src/foundation/database/server-admin.js';
import { startedOnce } from '../../support/started-once.js';
import { API_KEY, createCompany, group, startLedger, type WirePage } from './ledger-harness.js';

const UNKNOWN = '0b6f6f0e-0f0a-4c6e-9f63-6a3a5e1d7c11';
const METHODS = ['get', 'put', 'post', 'delete'] as const;

interface WireKey {
  readonly id: string;
  readonly apiKey: string;
}

const ledger = startedOnce(startLedger);
let own: string;
let other: string;
let key: WireKey;

beforeAll(async () => {
  own = await createCompany(ledger);
  other = await createCompany(ledger, { name: 'Papyrus GmbH' });
  key = await newKey(own);
  await ledger.call('POST', `/companies/${other}/posting-groups`, { groups: [group('theirs')] });
});

async function newKey(companyId: string): Promise<WireKey> {
  return (await ledger.call<WireKey>('POST', `/companies/${companyId}/api-keys`)).body;
}

async function send(method: string, url: string, bearer: string | undefined, body?: unknown) {
  const answer = await ledger.app.inject({
    method: method.toUpperCase() as 'GET',
    url,
    headers: bearer === undefined ? {} : { authorization: `Bearer ${bearer}` },
    ...(body === undefined ? {} : { payload: body as object }),
  });
  return { status: answer.statusCode, text: answer.body };
}

/** Every route below a company as `[method, path]`, with this company and an id that nothing has. */
async function routesOf(companyId: string): Promise<readonly (readonly [method: string, path: string])[]> {
  const { text } = await send('get', '/openapi.json', undefined);
  const { paths } = JSON.parse(text) as { readonly paths: Readonly<Record<string, object>> };
  return Object.entries(paths)
    .filter(([path]) => path.startsWith('/companies/{companyId}'))
    .flatMap(([path, operations]) =>
      METHODS.filter((method) => method in operations).map(
        (method) => [method, path.replace('{companyId}', companyId).replaceAll(/\{\w+\}/g, UNKNOWN)] as const,
      ),
    );
}

/** Everything that the company has, as its reports and lists tell it. */
async function contentOf(companyId: string): Promise<readonly string[]> {
  const lists = ['', '/accounts', '/vendors', '/periods', '/journal-entries', '/audit-chain', '/api-keys'];
  return Promise.all(lists.map(async (list) => (await ledger.read(`/companies/${companyId}${list}`)).text));
}

describe('a key and a route', () => {
  it.each([
    // method, path, [main key, key of the company, deleted key, none]
    ['get', '/companies', [200, 200, 401, 401]],
    ['get', '/companies/{own}', [200, 200, 401, 401]],
    ['get', '/companies/{OWN}/accounts', [200, 200, 401, 401]],
    ['get', '/companies/{own}/trial-balance', [200, 200, 401, 401]],
    ['get', `/companies/{own}/journal-entries/${UNKNOWN}`, [404, 404, 401, 401]],
    ['get', '/companies/{own}/api-keys', [200, 403, 401, 401]],
    ['post', '/companies/{own}/api-keys', [201, 403, 401, 401]],
    ['delete', `/companies/{own}/api-keys/${UNKNOWN}`, [404, 403, 401, 401]],
    ['get', '/companies/{other}', [200, 404, 401, 401]],
    ['get', '/companies/{OTHER}/accounts', [200, 404, 401, 401]],
    ['get', '/companies/{other}/journal-entries', [200, 404, 401, 401]],
    ['get', '/companies/{other}/api-keys', [200, 404, 401, 401]],
    ['post', '/companies/{other}/api-keys', [201, 404, 401, 401]],
    ['get', `/companies/${UNKNOWN}`, [404, 404, 401, 401]],
    ['get', '/companies/no-id', [404, 404, 401, 401]],
    ['get', '/health', [200, 200, 200, 200]],
  ] as const)('%s %s', async (method, path, statuses) => {
    const deleted = await newKey(own);
    expect((await send('delete', `/companies/${own}/api-keys/${deleted.id}`, API_KEY)).status).toBe(204);
    const url = path
      .replace('{own}', own)
      .replace('{OWN}', own.toUpperCase())
      .replace('{other}', other)
      .replace('{OTHER}', other.toUpperCase());
    const bearers = [API_KEY, key.apiKey, deleted.apiKey, undefined];
    const found: number[] = [];
    for (const bearer of bearers) {
      found.push((await send(method, url, bearer)).status);
    }
    expect(found).toEqual(statuses);
  });
});

describe('the key of a company', () => {
  it('opens no route of another company, which seems not to exist', async () => {
    const before = await contentOf(other);
    const routes = await routesOf(other);
    expect(routes.length).toBeGreaterThan(30);
    for (const [method, url] of routes) {
      const { status, text } = await send(method, url, key.apiKey, method === 'get' ? undefined : {});
      const unknown = await send('get', `/companies/${UNKNOWN}/accounts`, key.apiKey);
      expect([method, url, status]).toEqual([method, url, 404]);
      expect(sentenceOf(text)).toEqual(sentenceOf(unknown.text.replaceAll(UNKNOWN, other)));
    }
    expect(await contentOf(other)).toEqual(before);
  });

  it('writes nothing into another company with a request that is valid for its own', async () => {
    const before = await contentOf(other);
    const requests = [
      ['put', '', { name: 'Taken', functionalCurrency: 'EUR', timeZone: 'UTC' }, 200],
      ['put', '/accounts', { data: [{ code: '7000', name: 'New', type: 'expense' }] }, 204],
      ['post', '/posting-groups', { groups: [group('mine')] }, 200],
    ] as const;
    for (const [method, path, body, accepted] of requests) {
      expect((await send(method, `/companies/${other}${path}`, key.apiKey, body)).status).toBe(404);
      expect((await send(method, `/companies/${own}${path}`, key.apiKey, body)).status).toBe(accepted);
    }
    expect((await send('put', `/companies/${UNKNOWN}`, key.apiKey, requests[0][2])).status).toBe(404);
    expect(await contentOf(other)).toEqual(before);
    expect(await contentOf(own)).not.toContain(expect.stringContaining('theirs'));
  });

  it('sees only that company in the list, on every page', async () => {
    const ids = async (bearer: string, query: string) => {
      const { text } = await send('get', `/companies${query}`, bearer);
      const page = JSON.parse(text) as WirePage<{ readonly id: string }>;
      return [page.data.map(({ id }) => id), page.nextCursor] as const;
    };
    expect(await ids(key.apiKey, '')).toEqual([[own], null]);
    expect(await ids(key.apiKey, '?limit=1')).toEqual([[own], null]);
    expect((await ids(API_KEY, ''))[0].toSorted()).toEqual([own, other].toSorted());
  });

  it('is shown once and stored as a digest', async () => {
    expect(key.apiKey).toMatch(/^ledger_[\w-]{43}$/);
    const { body } = await ledger.call<WirePage<object>>('GET', `/companies/${own}/api-keys`);
    expect(body.data).toContainEqual({ id: key.id, createdAt: expect.any(String) });
    expect(JSON.stringify(body)).not.toContain(key.apiKey);
    const stored = `SELECT FROM ledger.api_key WHERE digest = sha256(convert_to('${key.apiKey}', 'UTF8'))`;
    await administer(
      ledger.databaseUrl,
      `DO $$ BEGIN IF NOT EXISTS (${stored}) THEN RAISE EXCEPTION 'no digest'; END IF; END $$`,
    );
  });
});

it('a company has at most twenty keys, however many are created at once', async () => {
  const companyId = await createCompany(ledger);
  const made = await Promise.all(
    Array.from({ length: 25 }, () => ledger.call<{ type?: string }>('POST', `/companies/${companyId}/api-keys`)),
  );
  expect(made.map(({ status }) => status).toSorted()).toEqual([
    ...Array<number>(20).fill(201),
    ...Array<number>(5).fill(409),
  ]);
  expect(made.find(({ status }) => status === 409)?.body.type).toBe('urn:problem:too-many-api-keys');
});

function sentenceOf(problem: string): unknown {
  const { type, title, detail } = JSON.parse(problem) as Record<string, unknown>;
  return { type, title, detail };
}
