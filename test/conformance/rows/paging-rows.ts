import { expect } from '@jest/globals';
import type { ConformanceRow } from '../conformance-row.js';
import { at, fresh, type PlatformResponse, type Platform } from '../platform.js';

type Search = (query: string) => Promise<PlatformResponse>;

/** Accounts under one name, so that a search finds exactly these. */
const accounts = async (platform: Platform, given: readonly (string | null)[]): Promise<Search> => {
  const companyId = await platform.companyId();
  const name = fresh('conformance');
  for (const code of given) {
    const body = { companyId, externalId: fresh('account'), name, code, archived: false };
    await platform.create('/v1/chart-of-accounts', body, '/v1/chart-of-accounts');
  }
  return (query) => platform.call('POST', `/v1/chart-of-accounts:search?${query}`, { body: { companyId, name } });
};
const threeAccounts = (platform: Platform) => accounts(platform, ['1', null, '3']);
const codes = ({ body }: PlatformResponse) => [0, 1, 2].map((index) => at(body, 'data', index, 'code'));
const cursor = ({ body }: PlatformResponse, end: 'startCursor' | 'endCursor') => String(at(body, 'pagination', end));

const sorted = (order: string, expected: readonly unknown[]): ConformanceRow => ({
  fact: `a list is sorted ${order}`,
  source: 'P4, P0.2',
  needs: 'write',
  observe: async (platform) => {
    const search = await threeAccounts(platform);
    return codes(await search(`sorting_keys=code&sorting_order=${order}`));
  },
  expected,
});

/** Where missing codes stand is not said for these orders. */
const sortedPlainly = (order: string, expected: readonly string[]): ConformanceRow => ({
  ...sorted(order, expected),
  observe: async (platform) => {
    const search = await threeAccounts(platform);
    return codes(await search(`sorting_keys=code&sorting_order=${order}`)).filter((code) => code !== null);
  },
});

const refused = (fact: string, query: string): ConformanceRow => ({
  fact,
  source: 'P0.2',
  needs: 'read',
  observe: async (platform) => (await platform.call('GET', `/v1/companies?${query}`)).status,
  expected: 400,
});

/** Each of the two is taken alone, with a cursor of the list. */
const excluding = (one: string, other: string): ConformanceRow => ({
  fact: `${one} and ${other} exclude each other`,
  source: 'P0.2',
  needs: 'read',
  observe: async (platform) => {
    const list = (query: string) => platform.call('GET', `/v1/companies?limit=1&${query}`);
    const end = cursor(await list(''), 'endCursor');
    const [first, second] = [one, other].map((name) => `${name}=${name === 'offset' ? '0' : end}`);
    const answers = [list(first ?? ''), list(second ?? ''), list(`${first}&${second}`)];
    return (await Promise.all(answers)).map(({ status }) => status);
  },
  expected: [200, 200, 400],
});

export const PAGING_ROWS: readonly ConformanceRow[] = [
  sortedPlainly('ASC', ['1', '3']),
  sortedPlainly('DESC', ['3', '1']),
  sorted('ASC_NULLS_FIRST', [null, '1', '3']),
  sorted('ASC_NULLS_LAST', ['1', '3', null]),
  sorted('DESC_NULLS_FIRST', [null, '3', '1']),
  sorted('DESC_NULLS_LAST', ['3', '1', null]),
  excluding('before', 'after'),
  excluding('after', 'offset'),
  excluding('before', 'offset'),
  refused('each sorting key has one order', 'sorting_keys=id&sorting_order=ASC&sorting_order=DESC'),
  refused('an order is one of the documented', 'sorting_keys=id&sorting_order=UP'),
  refused('a cursor has the published letters', 'after=a-b'),
  refused('a limit is not negative', 'limit=-1'),
  {
    fact: 'pages follow each other by endCursor until there is none',
    source: 'P0.2',
    needs: 'write',
    observe: async (platform) => {
      const search = await threeAccounts(platform);
      const first = await search('limit=2');
      const second = await search(`limit=2&after=${cursor(first, 'endCursor')}`);
      return [first, second].map(({ body }) => [
        at(body, 'data', 'length'),
        at(body, 'pagination', 'hasNextPage'),
        at(body, 'pagination', 'hasPreviousPage'),
      ]);
    },
    expected: [
      [2, true, false],
      [1, false, true],
    ],
  },
  {
    fact: 'a page is found backwards by startCursor',
    source: 'P0.2',
    needs: 'write',
    observe: async (platform) => {
      const search = await threeAccounts(platform);
      const last = await search('limit=1&offset=2');
      const before = await search(`limit=2&before=${cursor(last, 'startCursor')}`);
      return [at(before.body, 'data', 'length'), at(before.body, 'pagination', 'hasNextPage')];
    },
    expected: [2, true],
  },
  {
    fact: 'before gives the elements right before its cursor, in the order of the list',
    source: 'P0.2',
    needs: 'write',
    observe: async (platform) => {
      const search = await accounts(platform, ['1', '2', '3', '4']);
      const last = await search('sorting_keys=code&limit=1&offset=3');
      const { body } = await search(`sorting_keys=code&limit=2&before=${cursor(last, 'startCursor')}`);
      const ends = ['hasPreviousPage', 'hasNextPage'].map((name) => at(body, 'pagination', name));
      return [[0, 1, 2].map((index) => at(body, 'data', index, 'code')), ends];
    },
    expected: [
      ['2', '3', undefined],
      [true, true],
    ],
  },
  {
    fact: 'total counts the whole list, whatever the page',
    source: 'P0.2',
    needs: 'write',
    observe: async (platform) => {
      const search = await threeAccounts(platform);
      const pages = [await search('limit=1'), await search('limit=2&offset=2'), await search('limit=0')];
      return pages.map(({ body }) => at(body, 'pagination', 'total'));
    },
    expected: [3, 3, 3],
  },
  {
    fact: 'a cursor is made of the published letters',
    source: 'P0.2',
    needs: 'write',
    observe: async (platform) => cursor(await (await threeAccounts(platform))('limit=1'), 'endCursor'),
    expected: expect.stringMatching(/^[A-Z2-7=~]+$/),
  },
  {
    fact: 'the request is returned, its other parameters as lists',
    source: 'P0.2',
    needs: 'write',
    observe: async (platform) => {
      const search = await threeAccounts(platform);
      const answer = await search('limit=2&offset=1&sorting_keys=code&sorting_order=ASC');
      return at(answer.body, 'pagination', 'currentRequestPagination');
    },
    expected: expect.objectContaining({
      parameters: expect.any(Object),
      limit: 2,
      offset: 1,
      sortingKeys: ['code'],
      sortingOrder: ['ASC'],
    }),
  },
];
