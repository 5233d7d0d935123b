import { expect } from '@jest/globals';
import { authorize, exchange } from '../authorization.js';
import type { ConformanceRow } from '../conformance-row.js';
import { item } from '../export-item.js';
import { at, fresh, unknownId, refusal, type Platform } from '../platform.js';

const ids = (length: number) => Array.from({ length }, () => unknownId());
const texts = (length: number) => Array.from({ length }, (_, index) => index.toString());
const account = async (platform: Platform, change: object) => {
  const body = {
    companyId: await platform.companyId(),
    externalId: fresh('x'),
    name: 'Travel',
    archived: false,
  };
  const answer = await platform.call('POST', '/v1/chart-of-accounts', { body: { ...body, ...change } });
  await platform.call('DELETE', `/v1/chart-of-accounts/${String(at(answer.body, 'data', 'id'))}`);
  return answer.status;
};

/** What is taken at a limit, and refused beyond it. */
const ACCOUNT_LIMITS: readonly (readonly [fact: string, taken: object, refused: object])[] = [
  ['the externalId of an account has 255 characters at most', {}, { externalId: 'x'.repeat(256) }],
  ['the externalId of an account has one character at least', {}, { externalId: '' }],
  ['the name of an account has 255 characters at most', { name: 'x'.repeat(255) }, { name: 'x'.repeat(256) }],
  ['the name of an account may be empty, not null', { name: '' }, { name: null }],
  ['the code of an account has 255 characters at most', { code: 'x'.repeat(255) }, { code: 'x'.repeat(256) }],
  ['the code of an account may be null', { code: null }, { code: 1 }],
  ['the taxCodeExternalId of an account may be null', { taxCodeExternalId: null }, { taxCodeExternalId: 1 }],
  ['the metadata of an account may be null', { metadata: null }, { metadata: 'x' }],
];

const SEARCHES: readonly ConformanceRow[] = [
  ...['ids', 'codes', 'externalIds', 'taxRegistrationNumbers'].map((name) => ({
    fact: `a search of vendors takes 100 ${name} at most`,
    source: 'P6',
    needs: 'read' as const,
    observe: async (platform: Platform) => {
      const search = async (length: number) => {
        const body = { [name]: name === 'ids' ? ids(length) : texts(length) };
        const path = `/v1/vendors:search?company_id=${await platform.companyId()}`;
        return (await platform.call('POST', path, { body })).status;
      };
      return [await search(100), await search(101)];
    },
    expected: [200, 400],
  })),
  ...(
    [
      ['POST', '/v0/tags/archive', { archived: true }],
      ['DELETE', '/v0/tags', {}],
    ] as const
  ).map(([method, path, extra]) => ({
    fact: `${method} ${path} takes 1 to 100 tags`,
    source: 'P7, P13',
    needs: 'read' as const,
    observe: async (platform: Platform) => {
      const send = async (length: number) => {
        const body = { companyId: await platform.companyId(), tagIds: ids(length), ...extra };
        return (await platform.call(method, path, { body })).status;
      };
      // A hundred unknown tags are not found; the number is no reason to refuse them.
      return [await send(0), await send(100), await send(101)];
    },
    expected: [400, 404, 400],
  })),
];

const PAGES: readonly ConformanceRow[] = [
  {
    fact: 'a page has 20 elements by default, and 100 at most',
    source: 'P0.2 (seen in clients)',
    needs: 'sandbox',
    observe: async ({ sandbox }) => {
      const items = Array.from({ length: 101 }, () => item(1));
      const customer = await sandbox.customer({ items });
      const jobId = await sandbox.triggerExport(await customer.companyId());
      const page = async (query: string) => {
        const { body } = await customer.call('GET', `/v3/export-jobs/${jobId}/items?${query}`);
        return [at(body, 'data', 'length'), at(body, 'pagination', 'hasNextPage')];
      };
      return [await page(''), await page('limit=100'), await page('limit=2147483647')];
    },
    expected: [
      [20, true],
      [100, true],
      [100, true],
    ],
  },
  {
    fact: 'an offset may need 64 bits',
    source: 'P4, P0.2',
    needs: 'read',
    observe: async (platform) => {
      const { status, body } = await platform.call('GET', '/v1/companies?offset=5000000000');
      return [status, at(body, 'data'), at(body, 'pagination', 'currentRequestPagination', 'offset')];
    },
    expected: [200, [], 5_000_000_000],
  },
  ...['after', 'before'].map((name) => ({
    fact: `the cursor of ${name} is returned`,
    source: 'P0.2',
    needs: 'read' as const,
    observe: async (platform: Platform) => {
      const first = await platform.call('GET', '/v1/companies?limit=1');
      const cursor = String(at(first.body, 'pagination', 'endCursor'));
      const { body } = await platform.call('GET', `/v1/companies?${name}=${cursor}`);
      return at(body, 'pagination', 'currentRequestPagination', name) === cursor;
    },
    expected: true,
  })),
];

const OTHERS: readonly ConformanceRow[] = [
  {
    fact: 'version 3 takes 100 results',
    source: 'P1.6',
    needs: 'export',
    observe: async (platform) => {
      const [accountingEntryId] = platform.address.entryIds;
      const body = Array.from({ length: 100 }, () => ({ accountingEntryId, status: 'in_progress' }));
      return (await platform.call('PUT', `/v3/export-jobs/${await platform.newJob()}/items`, { body })).status;
    },
    expected: 200,
  },
  {
    fact: 'a verifier has 128 characters at most',
    source: 'P3.1 (PKCE)',
    needs: 'sandbox',
    observe: async (platform) => {
      const status = async (verifier: string) =>
        (await exchange(platform, await authorize(platform, {}, { verifier }))).status;
      return [await status('a'.repeat(128)), await status('a'.repeat(129))];
    },
    expected: [200, 400],
  },
  {
    fact: 'a group takes no more active tags than it may hold',
    source: 'P7',
    needs: 'sandbox',
    observe: async ({ sandbox }) => {
      const customer = await sandbox.customer();
      const { mostActiveTags } = Object.assign({ mostActiveTags: 0 }, await sandbox.control('GET', '/settings'));
      const group = await customer.create(`/v0/tag-groups?company_id=${await customer.companyId()}`, {
        archived: false,
        code: 'P',
        name: 'Project',
      });
      await sandbox.control('PUT', '/settings', { mostActiveTags: 1 });
      const tag = async (code: string, archived: boolean) =>
        (await customer.call('POST', `/v0/tag-groups/${group}/tags`, { body: { code, archived } })).status;
      const seen = [await tag('A', false), await tag('B', false), await tag('C', true)];
      await sandbox.control('PUT', '/settings', { mostActiveTags });
      return seen;
    },
    expected: [201, 400, 201],
  },
  {
    fact: 'a credential with no requests left is answered 429 with the seconds to wait',
    source: 'P0.5 (seen in clients)',
    needs: 'sandbox',
    observe: async ({ sandbox }) => {
      const customer = await sandbox.customer();
      await sandbox.control('PUT', '/settings', { requestsPerMinute: 1 });
      const first = await customer.call('GET', '/v1/introspect');
      const second = await customer.call('GET', '/v1/introspect');
      await sandbox.control('PUT', '/settings', { requestsPerMinute: null });
      return [first.status, refusal(second)[0], second.headers.get('retry-after')];
    },
    expected: [200, 429, expect.stringMatching(/^\d+$/)],
  },
  {
    fact: 'an API key is good until it expires',
    source: 'P3.5',
    needs: 'sandbox',
    observe: async ({ sandbox }) => {
      const companyId = await (await sandbox.customer()).companyId();
      const key = await sandbox.control('POST', '/api-keys', { companyId, expiresInSeconds: 60 });
      const authorization = `Bearer ${String(at(key, 'apiKey'))}`;
      const customer = await sandbox.withKey(companyId, undefined);
      const before = await customer.call('GET', '/v1/introspect', { authorization });
      await sandbox.advance(61);
      return [before.status, (await customer.call('GET', '/v1/introspect', { authorization })).status];
    },
    expected: [200, 401],
  },
];

export const LIMIT_ROWS: readonly ConformanceRow[] = [
  ...ACCOUNT_LIMITS.map(([fact, taken, refused]) => ({
    fact,
    source: 'P4',
    needs: 'write' as const,
    observe: async (platform: Platform) => [await account(platform, taken), await account(platform, refused)],
    expected: [201, 400],
  })),
  ...SEARCHES,
  ...PAGES,
  ...OTHERS,
];
