import type { ConformanceRow } from '../conformance-row.js';
import { at, fresh, type Platform } from '../platform.js';

/** A list that can be asked for a part of it: one element of each kind, and what finds the first only. */
interface FilteredList {
  readonly what: string;
  readonly source: string;
  /** Makes two elements that differ by everything that can be asked for. @returns their ids */
  readonly make: (platform: Platform, mark: string) => Promise<readonly [string, string]>;
  readonly find: (platform: Platform, filter: object) => Promise<unknown>;
  /** By name: body and query that find the first of the two; `*` in texts is the mark. */
  readonly filters: Readonly<Record<string, object | string>>;
}

const two = async (platform: Platform, path: string, bodies: readonly object[], removal?: string) => {
  const companyId = await platform.companyId();
  const [first = {}, second = {}] = bodies.map((body) => ({ companyId, ...body }));
  return [await platform.create(path, first, removal), await platform.create(path, second, removal)] as const;
};
/** A search that names the company in its query, or in its body. */
const posted = (path: string, place: 'query' | 'body') => async (platform: Platform, filter: object) => {
  const companyId = await platform.companyId();
  const inQuery = place === 'query';
  const address = `${path}?limit=100${inQuery ? `&company_id=${companyId}` : ''}`;
  return (await platform.call('POST', address, { body: { ...filter, ...(inQuery ? {} : { companyId }) } })).body;
};

const ACCOUNTS = '/v1/chart-of-accounts';
const LISTS: readonly FilteredList[] = [
  {
    what: 'accounts',
    source: 'P4',
    make: (platform, mark) =>
      two(
        platform,
        ACCOUNTS,
        [
          { externalId: `x-${mark}`, name: `Travel ${mark}`, code: `c-${mark}`, archived: true },
          { externalId: `y-${mark}`, name: `Meals ${mark}`, code: `d-${mark}`, archived: false },
        ],
        ACCOUNTS,
      ),
    find: posted(`${ACCOUNTS}:search`, 'body'),
    filters: {
      archived: { archived: true, ids: ['first', 'second'] },
      code: { code: 'c-*' },
      codes: { codes: ['c-*', 'other'] },
      externalId: { externalId: 'x-*' },
      ids: { ids: ['first', null] },
      name: { name: 'Travel *' },
    },
  },
  {
    what: 'tax codes',
    source: 'P5',
    make: (platform, mark) =>
      two(
        platform,
        '/v0/tax-codes',
        [
          { name: 'VAT', code: `c-${mark}`, rate: 0.2, type: 'reverse', archived: true },
          { name: 'VAT', code: `d-${mark}`, rate: 0.2, type: 'inclusive', archived: false },
        ],
        '/v0/tax-codes',
      ),
    find: posted('/v0/tax-codes:search', 'query'),
    filters: {
      archived: { archived: true, taxCodeIds: ['first', 'second'] },
      code: { code: 'c-*' },
      taxCodeIds: { taxCodeIds: ['first'] },
      type: { type: 'reverse', taxCodeIds: ['first', 'second'] },
    },
  },
  {
    what: 'vendors',
    source: 'P6',
    make: async (platform, mark) => {
      const own = (letter: string) => ({
        externalId: `${letter}-${mark}`,
        code: `${letter}-${mark}`,
        taxRegistrationNumber: `${letter}-${mark}`,
      });
      const ids = await two(platform, '/v1/vendors', [
        { name: `Paper ${mark}`, defaultCurrency: 'EUR', country: 'DK', ...own('x') },
        { name: `Pencil ${mark}`, defaultCurrency: 'EUR', country: 'DE', ...own('y') },
      ]);
      await platform.call('POST', `/v1/vendors/${ids[0]}:activate`, { body: own('x') });
      return ids;
    },
    find: posted('/v1/vendors:search', 'query'),
    filters: {
      ids: { ids: ['first'] },
      codes: { codes: ['x-*'] },
      externalIds: { externalIds: ['x-*'] },
      countries: { countries: ['DK'], ids: ['first', 'second'] },
      states: { states: ['ACTIVE'], ids: ['first', 'second'] },
      taxRegistrationNumbers: { taxRegistrationNumbers: ['x-*'] },
      name: { name: 'Paper *' },
    },
  },
  {
    what: 'tags',
    source: 'P7',
    make: async (platform, mark) => {
      const groups = `/v0/tag-groups?company_id=${await platform.companyId()}`;
      const inGroup = async (name: string, archived: boolean) => {
        const group = await platform.create(groups, { name, code: name, archived: false }, '/v0/tag-groups');
        return platform.create(`/v0/tag-groups/${group}/tags`, {
          archived,
          code: name,
          name: `${name} ${mark}`,
        });
      };
      return [await inGroup('Alpha', true), await inGroup('Beta', false)];
    },
    find: posted('/v0/tags:search', 'query'),
    filters: {
      archived: { archived: true, tagIds: ['first', 'second'] },
      tagIds: { tagIds: ['first'], includeArchived: true },
      textSearch: { textSearch: 'alpha *', includeArchived: true },
    },
  },
];

const written = (filter: unknown, mark: string, [first, second]: readonly [string, string]): unknown =>
  JSON.parse(
    JSON.stringify(filter)
      .replaceAll('*', mark)
      .replaceAll('"first"', `"${first}"`)
      .replaceAll('"second"', `"${second}"`),
  );

const FOUND_BY: readonly ConformanceRow[] = LISTS.flatMap(({ what, source, make, find, filters }) =>
  Object.entries(filters).map(([name, filter]) => ({
    fact: `${what} are found by ${name}`,
    source,
    needs: 'write' as const,
    observe: async (platform: Platform) => {
      const mark = fresh('m');
      const ids = await make(platform, mark);
      const body = Object.assign({}, written(filter, mark, ids));
      const found = JSON.stringify(await find(platform, body));
      return ids.map((id) => found.includes(id));
    },
    expected: [true, false],
  })),
);

const archivedTag = async (platform: Platform) => {
  const tags = LISTS.find(({ what }) => what === 'tags');
  const [archived = '', active = ''] = (await tags?.make(platform, fresh('m'))) ?? [];
  return async (filter: object) => {
    const found = JSON.stringify(await tags?.find(platform, { tagIds: [archived, active], ...filter }));
    return [found.includes(archived), found.includes(active)];
  };
};

const DEFAULTS: readonly ConformanceRow[] = [
  ...(
    [
      ['tags are searched without archived ones', {}, [false, true]],
      ['tags are searched with archived ones on request', { includeArchived: true }, [true, true]],
      ['archived overrides includeArchived', { archived: false, includeArchived: true }, [false, true]],
    ] as const
  ).map(([fact, filter, expected]) => ({
    fact,
    source: 'P7',
    needs: 'write' as const,
    observe: async (platform: Platform) => (await archivedTag(platform))(filter),
    expected: [...expected],
  })),
  ...['accounts', 'tax codes'].map((what) => ({
    fact: `${what} are searched with archived ones when archived is left out or null`,
    source: what === 'accounts' ? 'P4' : 'P5, P13',
    needs: 'write' as const,
    observe: async (platform: Platform) => {
      const list = LISTS.find((each) => each.what === what);
      const ids = (await list?.make(platform, fresh('m'))) ?? [];
      const key = what === 'accounts' ? 'ids' : 'taxCodeIds';
      return Promise.all(
        [{}, { archived: null }].map(async (filter) => {
          const found = JSON.stringify(await list?.find(platform, { [key]: ids, ...filter }));
          return ids.filter((id) => found.includes(id)).length;
        }),
      );
    },
    expected: [2, 2],
  })),
  ...['email', 'code'].map((name) => ({
    fact: `employees are found by ${name}`,
    source: 'P8',
    needs: 'sandbox' as const,
    observe: async ({ sandbox }: Platform) => {
      const customer = await sandbox.customer();
      const person = (letter: string) => ({
        email: `${letter}@example.com`,
        code: `${letter}@example.com`,
        firstName: 'Ida',
        lastName: 'Berg',
      });
      await sandbox.control('POST', `/companies/${await customer.companyId()}/employees`, [person('x'), person('y')]);
      const { body } = await customer.call('GET', `/v2/employees?${name}=x@example.com`);
      return [at(body, 'data', 'length'), at(body, 'data', 0, name)];
    },
    expected: [1, 'x@example.com'],
  })),
];

export const FILTER_ROWS: readonly ConformanceRow[] = [...FOUND_BY, ...DEFAULTS];
