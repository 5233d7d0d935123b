import { expect } from '@jest/globals';
import type { ConformanceRow } from '../conformance-row.js';
import { at, fresh, unknownId, type Platform } from '../platform.js';
import { item } from '../export-item.js';

/** A list of two elements at least, and how to get to it: `open` gives its method, path with query, and body. */
interface ListOf {
  readonly name: string;
  readonly source: string;
  readonly open: (platform: Platform) => Promise<readonly [method: string, path: string, body?: object]>;
}

const group = async (platform: Platform) => {
  const body = { archived: false, code: fresh('group'), name: 'Project', metadata: {} };
  return platform.create(`/v0/tag-groups?company_id=${await platform.companyId()}`, body);
};
/** Two of a kind. */
const two = async (platform: Platform, path: string, body: (number: number) => object) => {
  const companyId = await platform.companyId();
  for (const number of [1, 2]) {
    await platform.create(path, { companyId, ...body(number) });
  }
};
/** The second job is there when the first has ended. */
const twoJobs = async (platform: Platform) => {
  await platform.sendJobEvent(await platform.newJob(), 'failed');
  return platform.newJob();
};
const tags = async (platform: Platform) => {
  const id = await group(platform);
  await two(platform, `/v0/tag-groups/${id}/tags`, (number) => ({ archived: false, code: `${number}` }));
  return id;
};
const HOOK = { endpointUrl: 'https://example.com/hook', eventTypes: ['v1.export-job.created'] };
const subscription = async (platform: Platform) => platform.create('/v1/subscriptions', HOOK);

const LISTS: readonly ListOf[] = [
  ...['v2', 'v3'].flatMap((version): readonly ListOf[] => [
    {
      name: `GET /${version}/export-jobs`,
      source: 'P1.2',
      open: async (platform) => {
        await twoJobs(platform);
        return ['GET', `/${version}/export-jobs?`];
      },
    },
    {
      name: `GET /${version}/export-jobs/*/items`,
      source: 'P1.2',
      open: async (platform) => ['GET', `/${version}/export-jobs/${await platform.newJob()}/items?`],
    },
    {
      name: `GET /${version}/export-items`,
      source: 'P1.1, P1.2',
      open: async (platform) => ['GET', `/${version}/export-items?job_id=${await platform.newJob()}&`],
    },
  ]),
  {
    name: 'GET /v1/subscriptions',
    source: 'P2.1',
    open: async (platform) => {
      await two(platform, '/v1/subscriptions', () => HOOK);
      return ['GET', '/v1/subscriptions?'];
    },
  },
  {
    name: 'GET /v1/subscriptions/*/activities',
    source: 'P2.1',
    open: async (platform) => {
      const path = `/v1/subscriptions/${await subscription(platform)}`;
      await platform.call('PUT', path, { body: HOOK });
      return ['GET', `${path}/activities?`];
    },
  },
  {
    name: 'GET /v1/companies',
    source: 'P8',
    open: () => Promise.resolve(['GET', '/v1/companies?']),
  },
  {
    name: 'GET /v2/employees',
    source: 'P8',
    open: async (platform) => {
      const people = [1, 2].map((number) => ({ email: `${number}@example.com`, firstName: 'A', lastName: 'B' }));
      await platform.sandbox.control('POST', `/companies/${await platform.companyId()}/employees`, people);
      return ['GET', '/v2/employees?'];
    },
  },
  {
    name: 'POST /v1/chart-of-accounts:search',
    source: 'P4',
    open: async (platform) => {
      const account = (number: number) => ({ externalId: `${number}`, name: 'Travel', archived: false });
      await two(platform, '/v1/chart-of-accounts', account);
      return ['POST', '/v1/chart-of-accounts:search?', { companyId: await platform.companyId() }];
    },
  },
  {
    name: 'POST /v0/tax-codes:search',
    source: 'P5',
    open: async (platform) => {
      const taxCode = { name: 'VAT', rate: 0.2, type: 'inclusive', archived: false };
      await two(platform, '/v0/tax-codes', () => taxCode);
      return ['POST', `/v0/tax-codes:search?company_id=${await platform.companyId()}&`, {}];
    },
  },
  {
    name: 'POST /v1/vendors:search',
    source: 'P6',
    open: async (platform) => {
      await two(platform, '/v1/vendors', () => ({ name: 'Paper Ltd', defaultCurrency: 'EUR' }));
      return ['POST', `/v1/vendors:search?company_id=${await platform.companyId()}&`, {}];
    },
  },
  {
    name: 'POST /v0/tags:search',
    source: 'P7',
    open: async (platform) => {
      await tags(platform);
      return ['POST', `/v0/tags:search?company_id=${await platform.companyId()}&`, {}];
    },
  },
  {
    name: 'GET /v0/tag-groups/*/tags',
    source: 'P7',
    open: async (platform) => ['GET', `/v0/tag-groups/${await tags(platform)}/tags?`],
  },
];

const PAGE = {
  data: expect.any(Array),
  pagination: expect.objectContaining({
    currentRequestPagination: expect.objectContaining({ parameters: expect.any(Object), limit: 1 }),
    hasNextPage: expect.any(Boolean),
    hasPreviousPage: false,
    total: expect.any(Number),
  }),
};

/** The list of a new customer, asked with more parameters. */
const opened = async ({ sandbox }: Platform, open: ListOf['open']) => {
  const customer = await sandbox.customer({ company: { multiCurrency: false }, items: [item(1), item(2)] });
  const [method, path, body] = await open(customer);
  return (query: string) => customer.call(method, path + query, body === undefined ? {} : { body });
};

const PAGED: readonly ConformanceRow[] = LISTS.flatMap(({ name, source, open }) => [
  {
    fact: `${name} answers a page of at most limit elements, with its pagination`,
    source: `P0.1, P0.2; ${source}`,
    needs: 'sandbox' as const,
    observe: async (platform: Platform) => {
      const { body } = await (await opened(platform, open))('limit=1');
      return [at(body, 'data', 'length'), body];
    },
    expected: [1, PAGE],
  },
  {
    fact: `${name} tells how many elements its list has`,
    source: `P0.2; ${source}`,
    needs: 'sandbox' as const,
    observe: async (platform: Platform) => {
      const list = await opened(platform, open);
      const answers = [await list('limit=1'), await list('')];
      return answers.map(({ body }) => at(body, 'pagination', 'total'));
    },
    // A customer has one company.
    expected: name === 'GET /v1/companies' ? [1, 1] : [2, 2],
  },
  {
    fact: `${name} refuses before, after and offset together`,
    source: `P0.2; ${source}`,
    needs: 'sandbox' as const,
    observe: async (platform: Platform) => {
      const list = await opened(platform, open);
      const cursor = String(at((await list('limit=1')).body, 'pagination', 'endCursor'));
      const [before, after, offset] = [`before=${cursor}`, `after=${cursor}`, 'offset=1'];
      const queries = [before, after, offset, `${before}&${after}`, `${after}&${offset}`, `${before}&${offset}`];
      return (await Promise.all(queries.map(list))).map(({ status }) => status);
    },
    expected: [200, 200, 200, 400, 400, 400],
  },
]);

const pages = async (platform: Platform, step: (cursor: string) => string, first: string) => {
  const seen: unknown[] = [];
  let query = first;
  for (;;) {
    const { body } = await platform.call('GET', `/v3/export-items?${query}`);
    const ids = [0, 1].map((index) => at(body, 'data', index, 'accountingEntryId'));
    seen.push(...ids.filter((id) => id !== undefined));
    if (at(body, 'pagination', 'hasNextPage') !== true) {
      return seen;
    }
    query = step(String(at(body, 'pagination', 'endCursor')));
  }
};

const WALKS: readonly ConformanceRow[] = [
  {
    fact: 'all items of a job are found page by page, each once',
    source: 'P9.3 (step 4), P0.2',
    needs: 'sandbox',
    observe: async ({ sandbox }) => {
      const items = Array.from({ length: 5 }, (_, index) => item(index + 1));
      const customer = await sandbox.customer({ items });
      const jobId = await customer.newJob();
      const first = `job_id=${jobId}&limit=2`;
      const seen = await pages(customer, (cursor) => `${first}&after=${cursor}`, first);
      return [seen.length, new Set(seen).size];
    },
    expected: [5, 5],
  },
  {
    fact: 'the same page is found by cursor and by offset, sorted by id',
    source: 'P0.2 (sorting_keys=id)',
    needs: 'sandbox',
    observe: async ({ sandbox }) => {
      const customer = await sandbox.customer({ items: [item(1), item(2), item(3)] });
      const path = `/v3/export-items?job_id=${await customer.newJob()}&sorting_keys=id&limit=1`;
      const first = await customer.call('GET', path);
      const after = String(at(first.body, 'pagination', 'endCursor'));
      const byCursor = await customer.call('GET', `${path}&after=${after}`);
      const byOffset = await customer.call('GET', `${path}&offset=1`);
      const ids = [first, byCursor, byOffset].map(({ body }) => String(at(body, 'data', 0, 'accountingEntryId')));
      return [ids[1] === ids[2], ids[0] !== undefined && ids[1] !== undefined && ids[0] < ids[1]];
    },
    expected: [true, true],
  },
  {
    fact: 'a page of no elements is a page',
    source: 'P0.2 (limit from 0)',
    needs: 'read',
    observe: async (platform) => {
      const { status, body } = await platform.call('GET', '/v3/export-jobs?limit=0');
      return [status, at(body, 'data')];
    },
    expected: [200, []],
  },
  {
    fact: 'an offset beyond the end is an empty page with one before it',
    source: 'P0.2',
    needs: 'read',
    observe: async (platform) => {
      const { body } = await platform.call('GET', '/v1/companies?offset=100000');
      return [at(body, 'data'), at(body, 'pagination', 'hasNextPage')];
    },
    expected: [[], false],
  },
  {
    fact: 'other query parameters are returned as lists',
    source: 'P0.2 (parameters)',
    needs: 'read',
    observe: async (platform) => {
      const companyId = await platform.companyId();
      const query = `company_id=${companyId}&statuses=failed&statuses=completed&limit=1`;
      const { body } = await platform.call('GET', `/v3/export-jobs?${query}`);
      const parameters = at(body, 'pagination', 'currentRequestPagination', 'parameters');
      return [at(parameters, 'company_id', 0) === companyId, at(parameters, 'statuses')];
    },
    expected: [true, ['failed', 'completed']],
  },
  {
    fact: 'a list without elements is answered 200',
    source: 'P1.1 (empty list if none)',
    needs: 'sandbox',
    observe: async ({ sandbox }) => {
      const { status, body } = await (await sandbox.customer()).call('GET', '/v3/export-jobs');
      return [status, at(body, 'data'), at(body, 'pagination', 'total')];
    },
    expected: [200, [], 0],
  },
];

const MISSING: readonly (readonly [operation: string, source: string, body?: object])[] = [
  ['PUT /v3/export-jobs/*/items', 'P0.4', []],
  ['PUT /v2/export-jobs/*/items', 'P0.4', []],
  ['GET /v3/export-jobs/*/items', 'P0.4'],
  ['GET /v2/export-jobs/*/items', 'P0.4'],
  [
    'PUT /v1/subscriptions/*',
    'P2.1',
    { endpointUrl: 'https://example.com/hook', eventTypes: ['v1.export-job.created'] },
  ],
  ['DELETE /v1/subscriptions/*', 'P2.1'],
  ['GET /v1/subscriptions/*/activities', 'P2.1'],
  ['GET /v1/subscriptions/*/secret', 'P2.1'],
  ['PUT /v1/chart-of-accounts/*', 'P4', { name: 'Travel', archived: false }],
  ['DELETE /v1/chart-of-accounts/*', 'P4'],
  ['GET /v0/tax-codes/*', 'P5 (HTTP)'],
  ['GET /v1/vendors/*', 'P6'],
  ['POST /v1/vendors/*:activate', 'P6', { externalId: 'x' }],
  ['POST /v1/vendors/*:archive', 'P6'],
  ['GET /v0/tag-groups/*', 'P7 (HTTP)'],
  ['GET /v0/tag-groups/*/usage', 'P7'],
  ['PUT /v0/tags/*', 'P7', { archived: false, code: 'x' }],
  ['GET /v2/employees/*', 'P8'],
];

const NOT_FOUND: readonly ConformanceRow[] = MISSING.map(([operation, source, body]) => ({
  fact: `${operation} of nothing is answered 404 with a type`,
  source,
  needs: 'read' as const,
  observe: async (platform: Platform) => {
    const [method = '', path = ''] = operation.split(' ');
    const options = body === undefined ? {} : { body };
    const answer = await platform.call(method, path.replaceAll('*', unknownId()), options);
    return [answer.status, at(answer.body, 'type')];
  },
  expected: [404, expect.stringMatching(/^[A-Z_]+$/)],
}));

export const LIST_ROWS: readonly ConformanceRow[] = [...PAGED, ...WALKS, ...NOT_FOUND];
