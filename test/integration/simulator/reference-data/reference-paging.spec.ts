import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { at, listAt, SimulatorHarness, textAt } from '../simulator-harness.js';
import { startedOnce } from '../../../support/started-once.js';

const COUNT = 23;
/** Names repeat and codes are missing, so that sorting has ties and nulls; letters are not all ASCII. */
const seedOf = (index: number) => ({
  name: `Ä${(index % 4).toString()}`,
  code: index % 3 === 0 ? null : `ö${(index % 5).toString()}`,
});

const simulator = startedOnce(() => SimulatorHarness.start());
let token: string;
let companyId: string;
let groupId: string;

beforeAll(async () => {
  companyId = await simulator.addCompany();
  token = textAt(await simulator.control('POST', '/api-keys', { companyId }), 'apiKey');
  const seeds = Array.from({ length: COUNT }, (_, index) => index);
  const seed = (kind: string, body: object) => simulator.control('POST', `/companies/${companyId}/${kind}`, body);
  await seed(
    'accounts',
    seeds.map((index) => ({ ...seedOf(index), externalId: `x${index.toString()}` })),
  );
  await seed('vendors', seeds.map(seedOf));
  await seed(
    'tax-codes',
    seeds.map((index) => ({ ...seedOf(index), rate: 0.2 })),
  );
  await seed(
    'employees',
    seeds.map((index) => ({
      email: `${index.toString()}@example.com`,
      firstName: seedOf(index).name,
      lastName: 'L',
      code: seedOf(index).code,
    })),
  );
  const tags = seeds.map((index) => ({
    code: index.toString(),
    name: index % 3 === 0 ? null : seedOf(index).name,
  }));
  groupId = textAt(await seed('tag-groups', [{ name: 'G', code: 'G', tags }]), 'ids', 0);
});

/** Every list, and the sorting keys that a walk may use. */
const LISTS = [
  [
    'POST /v1/chart-of-accounts:search',
    'POST',
    () => '/v1/chart-of-accounts:search',
    ['name', 'code', 'externalId', 'id'],
  ],
  [
    'POST /v1/vendors:search',
    'POST',
    () => `/v1/vendors:search?company_id=${companyId}`,
    ['name', 'code', 'externalId', 'createdAt', 'id'],
  ],
  ['POST /v0/tax-codes:search', 'POST', () => '/v0/tax-codes:search', ['name', 'code', 'updatedAt', 'id']],
  ['GET /v2/employees', 'GET', () => '/v2/employees', ['firstName', 'code', 'email', 'id']],
  ['POST /v0/tags:search', 'POST', () => '/v0/tags:search', ['name', 'code', 'createdAt', 'id']],
  ['GET /v0/tag-groups/{groupId}/tags', 'GET', () => `/v0/tag-groups/${groupId}/tags`, ['name', 'code', 'id']],
  ['GET /v0/tags', 'GET', () => '/v0/tags', ['name', 'code', 'id']],
  ['POST /v0/aggregations/tags', 'POST', () => '/v0/aggregations/tags', ['name', 'code', 'id']],
] as const;
const ORDERS = ['ASC', 'ASC_NULLS_FIRST', 'ASC_NULLS_LAST', 'DESC', 'DESC_NULLS_FIRST', 'DESC_NULLS_LAST'];

const page = async (method: string, path: string, parameters: Readonly<Record<string, string | string[]>>) => {
  const query = new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]) => [value].flat().map((each): [string, string] => [name, each])),
  );
  const address = `${path}${path.includes('?') ? '&' : '?'}${query.toString()}`;
  const answer = await simulator.call(method, address, {
    token,
    ...(method === 'POST' ? { body: { companyId } } : {}),
  });
  expect(answer.status).toBe(200);
  const { body } = answer;
  return {
    ids: listAt(body, 'data').map((row) => textAt(row, 'id')),
    hasNext: at(body, 'pagination', 'hasNextPage') === true,
    hasPrevious: at(body, 'pagination', 'hasPreviousPage') === true,
    start: String(at(body, 'pagination', 'startCursor')),
    end: String(at(body, 'pagination', 'endCursor')),
    total: at(body, 'pagination', 'total'),
    data: listAt(body, 'data'),
  };
};

describe('every list', () => {
  it.each(LISTS)(
    '%s returns each row once, in both directions, for any page size and order [P0.2]',
    async (_list, method, path, keys) => {
      const sortings = fc.subarray([...keys], { maxLength: 2 }).chain((chosen) =>
        fc.tuple(...chosen.map(() => fc.constantFrom(...ORDERS))).map((orders) => ({
          sorting_keys: chosen,
          sorting_order: [...orders],
        })),
      );
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: COUNT + 2 }), sortings, async (limit, sorting) => {
          const parameters = { ...sorting, limit: limit.toString() };
          const whole = (await page(method, path(), { ...sorting, limit: '100' })).ids;
          expect(new Set(whole).size).toBe(COUNT);
          const first = await page(method, path(), parameters);
          let here = first;
          const forward = [...here.ids];
          expect(here.hasPrevious).toBe(false);
          while (here.hasNext && forward.length < COUNT) {
            here = await page(method, path(), { ...parameters, after: here.end });
            forward.push(...here.ids);
          }
          expect(forward).toEqual(whole);
          const backward = [...here.ids];
          while (here.hasPrevious && backward.length < COUNT) {
            here = await page(method, path(), { ...parameters, before: here.start });
            backward.unshift(...here.ids);
          }
          expect(backward).toEqual(whole);
          expect(here.total).toBe(COUNT);
          // Before the end of the first page there is less than a page.
          const rest = await page(method, path(), { ...parameters, before: first.end });
          expect([rest.ids, rest.hasPrevious]).toEqual([first.ids.slice(0, -1), false]);
          const offset = Math.min(limit, COUNT - 1);
          const byOffset = await page(method, path(), { ...parameters, offset: offset.toString() });
          expect(byOffset.ids).toEqual(whole.slice(offset, offset + limit));
        }),
        { numRuns: 4 },
      );
    },
  );

  it.each(LISTS)('%s refuses invalid parameters (400) [P0.2]', async (_list, method, path, [key]) => {
    for (const query of [
      'after=AB~CD&before=AB~CD',
      'after=AB~CD&offset=1',
      'before=AB~CD&offset=0',
      'after=lower',
      'limit=-1',
      'sorting_keys=nothing',
      `sorting_keys=${key}&sorting_keys=${key}`,
      `sorting_keys=${key}&sorting_order=ASC&sorting_order=ASC`,
      `sorting_keys=${key}&sorting_order=UP`,
      // A cursor of the default order says nothing about this one.
      `sorting_keys=${key}&after=GAYDAMBQGAYDAMBQGAYDAMBQGAYDA~GE`,
    ]) {
      const address = `${path()}${path().includes('?') ? '&' : '?'}${query}`;
      const answer = await simulator.call(method, address, {
        token,
        ...(method === 'POST' ? { body: { companyId } } : {}),
      });
      expect([query, answer.status, at(answer.body, 'type')]).toEqual([query, 400, 'PARAMETER_VALIDATION_FAILED']);
    }
  });
});

describe('a cursor', () => {
  const accounts = async (body: object, query = '') =>
    simulator.call('POST', `/v1/chart-of-accounts:search?limit=1${query}`, { token, body: { companyId, ...body } });
  const listed = async (path: string) => simulator.call('GET', path, { token });
  const endOf = async (answer: ReturnType<typeof listed>) => textAt((await answer).body, 'pagination', 'endCursor');

  it.each(['', '&sorting_keys=id', '&sorting_keys=name&sorting_keys=code'])(
    'sorted by%j is valid for its own list, company and filter only [P0.2]',
    async (order) => {
      const other = await simulator.addCompany();
      const key = textAt(await simulator.control('POST', '/api-keys', { companyId: other }), 'apiKey');
      await simulator.control('POST', `/companies/${other}/accounts`, [{ externalId: 'x0' }]);
      const search = { token: key, body: { companyId: other } };
      const foreign = simulator.call('POST', `/v1/chart-of-accounts:search?limit=1${order}`, search);
      const vendors = `/v1/vendors:search?company_id=${companyId}&limit=1${order}`;
      const cursors = {
        own: await endOf(accounts({}, order)),
        'another list': await endOf(simulator.call('POST', vendors, { token })),
        'another company': await endOf(foreign),
        'another filter': await endOf(accounts({ archived: false }, order)),
        'another value of a filter': await endOf(accounts({ name: 'Ä1' }, order)),
      };
      const seen: Record<string, unknown> = {};
      for (const [of, cursor] of Object.entries(cursors)) {
        const { status, body } = await accounts({}, `${order}&after=${cursor}`);
        seen[of] = [status, at(body, 'type')];
      }
      const refused = [400, 'PARAMETER_VALIDATION_FAILED'];
      expect(seen).toEqual({
        ...Object.fromEntries(Object.keys(cursors).map((of) => [of, refused])),
        own: [200, undefined],
      });
    },
  );

  it('of a query parameter is valid for this parameter only [P0.2]', async () => {
    const cursor = await endOf(listed('/v2/employees?limit=1&code=%C3%B61'));
    expect((await listed(`/v2/employees?limit=1&code=%C3%B61&after=${cursor}`)).status).toBe(200);
    expect((await listed(`/v2/employees?limit=1&code=%C3%B62&after=${cursor}`)).status).toBe(400);
    expect((await listed(`/v2/employees?limit=1&after=${cursor}`)).status).toBe(400);
  });
});

describe('the sort order', () => {
  it.each([
    ['ASC', 'last'],
    ['ASC_NULLS_FIRST', 'first'],
    ['ASC_NULLS_LAST', 'last'],
    ['DESC', 'first'],
    ['DESC_NULLS_FIRST', 'first'],
    ['DESC_NULLS_LAST', 'last'],
  ])('puts nulls under %s %s, with the values in order [P0.2]', async (order, place) => {
    const parameters = { sorting_keys: 'code', sorting_order: order, limit: '100' };
    const { data } = await page('POST', '/v1/chart-of-accounts:search', parameters);
    const codes = data.map((account) => at(account, 'code'));
    const values = codes.filter((code) => code !== null);
    const nulls = codes.filter((code) => code === null);
    expect(nulls).toHaveLength(8);
    expect(codes).toEqual(place === 'first' ? [...nulls, ...values] : [...values, ...nulls]);
    const up = [...values].sort();
    expect(values).toEqual(order.startsWith('DESC') ? up.reverse() : up);
  });

  it('uses a second key for equal first ones [P0.2]', async () => {
    const { data } = await page('POST', '/v1/chart-of-accounts:search', {
      sorting_keys: ['name', 'externalId'],
      sorting_order: ['DESC', 'ASC'],
      limit: '7',
    });
    expect(data.map((account) => [at(account, 'name'), at(account, 'externalId')])).toEqual([
      ['Ä3', 'x11'],
      ['Ä3', 'x15'],
      ['Ä3', 'x19'],
      ['Ä3', 'x3'],
      ['Ä3', 'x7'],
      ['Ä2', 'x10'],
      ['Ä2', 'x14'],
    ]);
  });

  it('is repeated in the response [P0.2]', async () => {
    const answer = await simulator.call('GET', '/v2/employees?limit=3&offset=2&sorting_keys=code&code=%C3%B61', {
      token,
    });
    expect(at(answer.body, 'pagination', 'currentRequestPagination')).toEqual({
      parameters: { code: ['ö1'] },
      limit: 3,
      offset: 2,
      sortingKeys: ['code'],
      sortingOrder: [],
    });
  });
});
