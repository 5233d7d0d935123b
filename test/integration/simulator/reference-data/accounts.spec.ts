import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { at, exportItem, listAt, SimulatorHarness, textAt, type SimulatorResponse } from '../simulator-harness.js';
import { startedOnce } from '../../../support/started-once.js';

const PATH = '/v1/chart-of-accounts';
const SOME_ID = '123e4567-e89b-12d3-a456-426614174015';

const simulator = startedOnce(() => SimulatorHarness.start());
let token: string;
let companyId: string;
let foreignId: string;

beforeAll(async () => {
  foreignId = await simulator.addCompany();
});
beforeEach(async () => {
  companyId = await simulator.addCompany();
  token = textAt(await simulator.control('POST', '/api-keys', { companyId }), 'apiKey');
});

const call = (method: string, path: string, body?: unknown) =>
  simulator.call(method, path, { token, ...(body === undefined ? {} : { body }) });
const create = (extra: object = {}) =>
  call('POST', PATH, { companyId, externalId: 'X1', name: 'Bank charges', archived: false, ...extra });
const idOf = (answer: SimulatorResponse) => textAt(answer.body, 'data', 'id');
const search = async (body: object) =>
  listAt((await call('POST', `${PATH}:search`, { companyId, ...body })).body, 'data');
const externalIds = async (body: object) => (await search(body)).map((account) => textAt(account, 'externalId'));
/** An account of another company. */
const foreignAccount = async () => {
  const seeded = await simulator.control('POST', `/companies/${foreignId}/accounts`, [{ externalId: randomUUID() }]);
  return textAt(seeded, 'ids', 0);
};

describe('creating an account', () => {
  it('answers 201 with the account, nullable fields as null [P4]', async () => {
    const answer = await create();
    expect(answer.status).toBe(201);
    expect(at(answer.body, 'data')).toEqual({
      id: expect.any(String),
      companyId,
      externalId: 'X1',
      name: 'Bank charges',
      code: null,
      archived: false,
      taxCodeExternalId: null,
      metadata: null,
    });
  });

  it('answers 200 with the same account when the request is equal [P4]', async () => {
    const body = { code: '2001', taxCodeExternalId: 'IVA 20', metadata: { b: 1, a: [2] } };
    const first = await create(body);
    const again = await create({ ...body, metadata: { a: [2], b: 1 } });
    expect([again.status, idOf(again)]).toEqual([200, idOf(first)]);
  });

  it.each([
    ['name', { name: 'Other' }],
    ['code', { code: '2002' }],
    ['archived', { archived: true }],
    ['taxCodeExternalId', { taxCodeExternalId: 'IVA 10' }],
    ['metadata', { metadata: { a: 1 } }],
  ])('answers 409 when only %s differs [P4]', async (_field, extra) => {
    await create();
    const answer = await create(extra);
    expect([answer.status, at(answer.body, 'type')]).toEqual([409, 'ACCOUNT_ALREADY_EXISTS']);
    expect(await search({})).toHaveLength(1);
  });

  it.each([
    ['externalId of no characters', { externalId: '' }],
    ['externalId of 256 characters', { externalId: 'x'.repeat(256) }],
    ['name of 256 characters', { name: 'x'.repeat(256) }],
    ['code of 256 characters', { code: 'x'.repeat(256) }],
    ['no archived', { archived: undefined }],
    ['no name', { name: undefined }],
    ['a name PostgreSQL cannot keep', { name: 'a\0b' }],
    ['half a surrogate pair', { name: '\ud800' }],
    ['metadata PostgreSQL cannot keep', { metadata: { a: '\0' } }],
    ['metadata with half a surrogate pair', { metadata: { a: ['\udc00'] } }],
    ['companyId that is no UUID', { companyId: 'me' }],
  ])('answers 400 to %s [P4]', async (_case, extra) => {
    const answer = await create(extra);
    expect([answer.status, at(answer.body, 'type')]).toEqual([400, 'VALIDATION_FAILED']);
  });

  it.each([
    ['255 characters everywhere', { externalId: 'x'.repeat(255), name: 'y'.repeat(255), code: 'z'.repeat(255) }],
    ['an empty name', { name: '' }],
    ['characters of two units', { name: '😀', metadata: { a: '😀' } }],
    ['backslashes before what looks like an escape', { metadata: { a: 'C:\\udata', b: '\\\\u0000' } }],
    ['unknown fields (P10)', { color: 'red' }],
  ])('accepts %s [P4]', async (_case, extra) => {
    expect((await create(extra)).status).toBe(201);
  });

  it('answers 403 to another company [P0.4]', async () => {
    expect((await create({ companyId: foreignId })).status).toBe(403);
  });

  it('creates one account for twenty concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create()));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(19);
    expect(new Set(answers.map(idOf)).size).toBe(1);
  });

  it('accepts one of twenty different requests with the same externalId', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => create({ code: `${index}` })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(19).fill(409)]);
  });
});

describe('a batch', () => {
  const item = (externalId: string, extra: object = {}) => ({
    externalId,
    name: 'Name',
    archived: false,
    ...extra,
  });
  const batch = (items: readonly object[]) => call('POST', `${PATH}/batch`, { companyId, items });

  it.each([{ name: 'a\0b' }, { code: '\ud800' }])(
    'is refused as a whole for %j, which no database can store',
    async (extra) => {
      const answer = await batch([item('good'), item('a', extra)]);
      expect([answer.status, at(answer.body, 'type')]).toEqual([400, 'VALIDATION_FAILED']);
    },
  );

  it.each([
    ['EXTERNAL_ID_ALREADY_EXISTS', item('taken')],
    ['EXTERNAL_ID_TOO_LONG', item('x'.repeat(256))],
    ['EXTERNAL_ID_EMPTY', item('')],
    ['NAME_TOO_LONG', item('a', { name: 'x'.repeat(256) })],
    ['NAME_EMPTY', item('a', { name: '' })],
    ['CODE_TOO_LONG', item('a', { code: 'x'.repeat(256) })],
  ])('fails only the item with %s [P4]', async (reason, request) => {
    await create({ externalId: 'taken' });
    const answer = await batch([item('first'), request, item('last')]);
    expect(answer.status).toBe(201);
    expect(listAt(answer.body, 'data', 'created').map((each) => at(each, 'externalId'))).toEqual(['first', 'last']);
    expect(at(answer.body, 'data', 'failed')).toEqual([{ request, reasons: [reason] }]);
  });

  it('reports all errors of an item [P4]', async () => {
    const answer = await batch([item('', { name: '', code: 'x'.repeat(256) })]);
    expect(at(answer.body, 'data', 'failed', 0, 'reasons')).toEqual([
      'EXTERNAL_ID_EMPTY',
      'NAME_EMPTY',
      'CODE_TOO_LONG',
    ]);
  });

  it('accepts the first of two items with one externalId', async () => {
    const answer = await batch([item('same', { name: 'One' }), item('same', { name: 'Two' })]);
    expect(listAt(answer.body, 'data', 'created').map((each) => at(each, 'name'))).toEqual(['One']);
    expect(at(answer.body, 'data', 'failed', 0)).toMatchObject({
      request: { name: 'Two' },
      reasons: ['EXTERNAL_ID_ALREADY_EXISTS'],
    });
  });

  it.each([
    [0, 400],
    [1, 201],
    [1_000, 201],
    [1_001, 400],
  ])('of %d items gets %d [P4]', async (size, status) => {
    const items = Array.from({ length: size }, (_, index) => item(index.toString()));
    expect((await batch(items)).status).toBe(status);
    expect((await call('POST', `${PATH}:search`, { companyId })).body).toMatchObject({
      pagination: { total: status === 201 ? size : 0 },
    });
  });

  it('creates each account once in concurrent batches, in any order', async () => {
    const items = Array.from({ length: 1_000 }, (_, index) => item(`B${index}`));
    const backward = [...items].reverse();
    const answers = await Promise.all([items, backward, items, backward, items, backward].map(batch));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201));
    const created = answers.map(({ body }) => listAt(body, 'data', 'created').length);
    expect(created.reduce((sum, count) => sum + count, 0)).toBe(1_000);
  });
});

describe('an account', () => {
  it('is read, changed without its externalId, archived and deleted [P4]', async () => {
    const id = idOf(await create({ code: '1', metadata: { a: 1 } }));
    const changed = await call('PUT', `${PATH}/${id}`, {
      name: 'New',
      archived: true,
      externalId: 'ignored',
    });
    expect(changed.status).toBe(200);
    const expected = { id, externalId: 'X1', name: 'New', archived: true, code: null, metadata: null };
    expect(at(changed.body, 'data')).toMatchObject(expected);
    expect((await call('GET', `${PATH}/${id}`)).body).toMatchObject({ data: expected });
    const removed = await call('DELETE', `${PATH}/${id}`);
    expect([removed.status, removed.text]).toEqual([204, '']);
    expect((await call('GET', `${PATH}/${id}`)).status).toBe(404);
  });

  it.each([
    ['no name', { archived: false }],
    ['no archived', { name: 'New' }],
    ['an unknown tax code', { name: 'New', archived: false, taxCodeExternalId: 'V25' }],
  ])('refuses a change with %s (400) [P4]', async (_case, body) => {
    const id = idOf(await create());
    expect((await call('PUT', `${PATH}/${id}`, body)).status).toBe(400);
    expect((await call('GET', `${PATH}/${id}`)).body).toMatchObject({ data: { name: 'Bank charges' } });
  });

  it('accepts the code of a tax code of its company [P4]', async () => {
    await simulator.control('POST', `/companies/${companyId}/tax-codes`, [{ name: 'VAT', code: 'V25', rate: 0.25 }]);
    const id = idOf(await create());
    const answer = await call('PUT', `${PATH}/${id}`, {
      name: 'New',
      archived: false,
      taxCodeExternalId: 'V25',
    });
    expect(at(answer.body, 'data', 'taxCodeExternalId')).toBe('V25');
  });

  it('cannot be deleted while accounting entries refer to it (409) [P4]', async () => {
    const id = idOf(await create());
    const lines = [{ account: { id, name: 'Bank charges', code: null, identifier: 'X1' } }];
    await simulator.addItems(companyId, [exportItem(-1, { accountingEntryLines: lines })]);
    const answer = await call('DELETE', `${PATH}/${id}`);
    expect([answer.status, at(answer.body, 'type')]).toEqual([409, 'ACCOUNT_LINKED_TO_ACCOUNTING_ENTRIES']);
    expect((await call('GET', `${PATH}/${id}`)).status).toBe(200);
  });

  it.each(['GET', 'PUT', 'DELETE'])('%s answers 404 to an unknown and a foreign id [P4]', async (method) => {
    const body = method === 'PUT' ? { name: 'New', archived: false } : undefined;
    for (const id of [randomUUID(), await foreignAccount()]) {
      const answer = await call(method, `${PATH}/${id}`, body);
      expect([answer.status, at(answer.body, 'type')]).toEqual([404, 'ACCOUNT_NOT_FOUND']);
    }
  });

  it('with an invalid id in the path gets 400 [P0.4]', async () => {
    const answer = await call('GET', `${PATH}/me`);
    expect([answer.status, at(answer.body, 'type')]).toEqual([400, 'PARAMETER_VALIDATION_FAILED']);
  });
});

describe('searching accounts', () => {
  const seeds = [
    { externalId: 'A', code: '1', name: 'Alpha', accountingSystem: 'xero' },
    { externalId: 'B', code: '2', name: 'Beta', archived: true },
    { externalId: 'C', code: '2', name: 'alpha' },
    { externalId: 'D', name: 'Delta' },
  ];
  let ids: readonly string[];
  beforeEach(async () => {
    ids = listAt(await simulator.control('POST', `/companies/${companyId}/accounts`, seeds), 'ids').map(String);
  });

  it('shows data and pagination, 200 [P4]', async () => {
    const answer = await call('POST', `${PATH}:search`, { companyId });
    expect(answer.status).toBe(200);
    expect(listAt(answer.body, 'data')[0]).toMatchObject({ externalId: 'A', accountingSystem: 'xero' });
    expect(at(answer.body, 'pagination')).toMatchObject({
      total: 4,
      hasNextPage: false,
      hasPreviousPage: false,
    });
  });

  it.each([
    ['nothing', {}, ['A', 'B', 'C', 'D']],
    ['archived: null', { archived: null }, ['A', 'B', 'C', 'D']],
    ['archived: true', { archived: true }, ['B']],
    ['archived: false', { archived: false }, ['A', 'C', 'D']],
    ['code', { code: '2' }, ['B', 'C']],
    ['codes (P4)', { codes: ['1', '2'] }, ['A', 'B', 'C']],
    ['externalId', { externalId: 'D' }, ['D']],
    ['name', { name: 'alpha' }, ['C']],
    ['null filters', { code: null, externalId: null, ids: null, name: null }, ['A', 'B', 'C', 'D']],
    ['several filters', { code: '2', archived: false }, ['C']],
    ['an unknown field', { includeArchived: true }, ['A', 'B', 'C', 'D']],
  ])('filters by %s [P4]', async (_case, body, expected) => {
    expect(await externalIds(body)).toEqual(expected);
  });

  it('filters by ids with null entries [P4]', async () => {
    expect(await externalIds({ ids: [ids[1], null, ids[3]] })).toEqual(['B', 'D']);
    expect(await externalIds({ ids: [ids[1], null, null] })).toEqual(['B']);
  });

  it('filters nothing by what is null [P4]', async () => {
    const excluded = { excludeIfAssignedToCategory: null, excludeIfAssignedToContraAccount: null };
    expect(await externalIds({ ...excluded, ids: null, name: null })).toEqual(['A', 'B', 'C', 'D']);
  });

  it('excludes accounts that are contra accounts [P4]', async () => {
    await simulator.control('PUT', `/companies/${companyId}/bookkeeping`, {
      contraAccounts: { EUR: { identifier: 'A' }, SEK: { id: ids[1] } },
    });
    expect(await externalIds({ excludeIfAssignedToContraAccount: true })).toEqual(['C', 'D']);
    expect(await externalIds({ excludeIfAssignedToCategory: true })).toEqual(['A', 'B', 'C', 'D']);
  });

  it('excludes accounts that are assigned to a category [P4]', async () => {
    const path = `/companies/${companyId}/categories`;
    const categories = [{ name: 'Travel', accountId: ids[1] }, { name: 'Meals', accountId: ids[3] }, { name: 'Other' }];
    await simulator.control('POST', path, categories);
    expect(at(await simulator.control('GET', path), 'data')).toEqual([
      { id: expect.any(String), name: 'Travel', accountId: ids[1] },
      { id: expect.any(String), name: 'Meals', accountId: ids[3] },
      { id: expect.any(String), name: 'Other', accountId: null },
    ]);
    expect(await externalIds({ excludeIfAssignedToCategory: true })).toEqual(['A', 'C']);
    const unknown = await simulator.call('POST', `/control${path}`, { body: [{ name: 'X', accountId: companyId }] });
    expect([unknown.status, at(unknown.body, 'type')]).toEqual([404, 'ACCOUNT_NOT_FOUND']);
  });

  it.each([
    ['no companyId [P4]', { companyId: undefined }, 400],
    ['repeated ids [P13]', { ids: [SOME_ID, SOME_ID] }, 400],
    ['archived as text [P4]', { archived: 'true' }, 400],
    ['another company [P0.4]', { companyId: 'foreign' }, 403],
  ])('%s is refused', async (_case, body, status) => {
    const given = 'companyId' in body && body.companyId === 'foreign' ? { companyId: foreignId } : body;
    expect((await call('POST', `${PATH}:search`, { companyId, ...given })).status).toBe(status);
  });
});
