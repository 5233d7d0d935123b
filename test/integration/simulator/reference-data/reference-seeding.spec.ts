import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { at, listAt, SimulatorHarness, textAt } from '../simulator-harness.js';
import { startedOnce } from '../../../support/started-once.js';

const simulator = startedOnce(() => SimulatorHarness.start());
let companyId: string;

beforeEach(async () => {
  companyId = await simulator.addCompany();
});

const post = (kind: string, body: unknown, into = companyId) =>
  simulator.call('POST', `/control/companies/${into}/${kind}`, { body });
const total = async (kind: string) =>
  at(await simulator.control('GET', `/companies/${companyId}/${kind}?limit=1`), 'pagination', 'total');
const many = <Seed>(count: number, seed: (index: number) => Seed) =>
  Array.from({ length: count }, (_, index) => seed(index));

describe('seeding', () => {
  it('accepts 20,000 accounts, 10,000 vendors and 5 × 5,000 tags, and the API serves them', async () => {
    const name = 'A name of ordinary length';
    await post(
      'accounts',
      many(20_000, (index) => ({ externalId: `acc-${index.toString()}`, name })),
    );
    await post(
      'vendors',
      many(10_000, (index) => ({ externalId: `v-${index.toString()}`, name })),
    );
    await post(
      'tag-groups',
      many(5, (group) => ({
        name,
        code: group.toString(),
        tags: many(5_000, (index) => ({ code: index.toString(), name })),
      })),
    );
    expect([await total('accounts'), await total('vendors'), await total('tags')]).toEqual([20_000, 10_000, 25_000]);
    const token = textAt(await simulator.control('POST', '/api-keys', { companyId }), 'apiKey');
    const last = await simulator.call('POST', '/v1/chart-of-accounts:search?offset=19999', {
      token,
      body: { companyId },
    });
    expect(at(last.body, 'data', 0, 'externalId')).toBe('acc-19999');
    const group = at(await simulator.control('GET', `/companies/${companyId}/tag-groups`), 'data', 4);
    expect(group).toMatchObject({ code: '4', totalTagsCount: 5_000 });
    const tags = await simulator.control('GET', `/companies/${companyId}/tags?tag_group_id=${textAt(group, 'id')}`);
    expect(at(tags, 'pagination', 'total')).toBe(5_000);
  });

  it.each([
    ['accounts', { externalId: 'A' }],
    ['vendors', { name: 'V' }],
    ['tax-codes', { name: 'T', rate: 0.2 }],
    ['tag-groups', { name: 'G', code: 'G' }],
    ['employees', { email: 'a@example.com', firstName: 'A', lastName: 'B' }],
  ])('%s: an id that another company has is refused, and nothing of the call is added', async (kind, seed) => {
    const id = randomUUID();
    expect((await post(kind, [{ ...seed, id }], await simulator.addCompany())).status).toBe(201);
    const refused = await post(kind, [{ ...seed, id }]);
    expect([refused.status, at(refused.body, 'message')]).toEqual([
      409,
      'The id of an element is taken: leave ids out, or choose others.',
    ]);
    expect(at(await simulator.control('GET', `/companies/${companyId}/${kind}`), 'data')).toEqual([]);
  });

  it.each([
    ['accounts', { externalId: 'A' }, { externalId: 'A', name: 'A', code: null, archived: false }],
    ['vendors', { name: 'V' }, { name: 'V', state: 'ACTIVE', country: 'UNDEFINED', defaultCurrency: 'EUR' }],
    ['tax-codes', { name: 'T', rate: 0.2 }, { name: 'T', rate: 0.2, type: 'inclusive', archived: false }],
    ['tag-groups', { name: 'G', code: 'G' }, { name: 'G', metadata: {}, totalTagsCount: 0 }],
    [
      'employees',
      { email: 'a@example.com', firstName: 'A', lastName: 'B' },
      { email: 'a@example.com', firstName: 'A', lastName: 'B' },
    ],
  ])('of %s fills in missing fields, keeps a given id, and can be read back', async (kind, seed, shown) => {
    const id = randomUUID();
    const isKeyed = kind === 'accounts' || kind === 'vendors';
    const answer = await post(kind, [seed, { ...seed, id, ...(isKeyed ? { externalId: 'other' } : {}) }]);
    expect([answer.status, listAt(answer.body, 'ids')[1]]).toEqual([201, id]);
    const read = await simulator.control('GET', `/companies/${companyId}/${kind}`);
    expect(listAt(read, 'data')).toHaveLength(2);
    expect(listAt(read, 'data')[0]).toMatchObject(shown);
  });

  it.each([
    ['accounts', { externalId: 'A' }],
    ['vendors', { name: 'V' }],
    ['tax-codes', { name: 'T', rate: 0.2 }],
    ['tag-groups', { name: 'G', code: 'G' }],
  ])('of %s is limited, and requires a company', async (kind, seed) => {
    expect((await post(kind, [])).status).toBe(400);
    expect((await post(kind, Array(25_001).fill(seed))).status).toBe(400);
    expect((await post(kind, [seed], randomUUID())).status).toBe(404);
  });

  it.each([
    ['accounts', [{ externalId: 'A' }, { externalId: 'B' }, { externalId: 'A' }]],
    [
      'vendors',
      [
        { name: 'V', externalId: 'A' },
        { name: 'W', externalId: 'A' },
      ],
    ],
    ['tag-groups', [{ name: 'G', code: 'G', tags: [{ code: '1' }, { code: '1' }] }]],
  ])('of %s is all or nothing: a repeated key is refused (409)', async (kind, seeds) => {
    expect((await post(kind, seeds)).status).toBe(409);
    const read = await simulator.control('GET', `/companies/${companyId}/${kind}`);
    expect(listAt(read, 'data')).toEqual([]);
  });

  it('may exceed the limits, which apply in the API only', async () => {
    const groups = many(8, (index) => ({ name: 'G', code: 'same', archived: index > 6 }));
    expect((await post('tag-groups', groups)).status).toBe(201);
    expect((await post('tax-codes', [{ name: 'T', rate: 0.2, type: 'exclusive' }])).status).toBe(201);
    expect((await post('vendors', [{ name: 'V', state: 'ARCHIVED' }])).status).toBe(201);
  });

  it('accepts at most 25,000 tags in total', async () => {
    const tags = many(12_501, (index) => ({ code: index.toString() }));
    const groups = [
      { name: 'A', code: 'A', tags },
      { name: 'B', code: 'B', tags },
    ];
    expect((await post('tag-groups', groups)).status).toBe(400);
  });

  it('is deleted by a reset', async () => {
    await post('accounts', [{ externalId: 'A' }]);
    await post('tag-groups', [{ name: 'G', code: 'G', tags: [{ code: '1' }] }]);
    await simulator.control('PUT', '/settings', { mostActiveTags: 7, mostActiveTagGroups: 8 });
    await simulator.control('POST', '/reset');
    expect(await simulator.control('GET', '/companies')).toEqual([]);
    expect(await simulator.control('GET', '/settings')).toMatchObject({
      mostActiveTags: 10_000,
      mostActiveTagGroups: 5,
    });
  });
});
