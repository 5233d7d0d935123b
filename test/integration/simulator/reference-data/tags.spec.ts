import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { at, listAt, SimulatorHarness, textAt, type SimulatorResponse } from '../simulator-harness.js';
import { startedOnce } from '../../../support/started-once.js';

const SOME_ID = '123e4567-e89b-12d3-a456-426614174015';

const simulator = startedOnce(() => SimulatorHarness.start());
let token: string;
let companyId: string;
let groupId: string;
let otherGroupId: string;
let foreignId: string;
let foreignTagId: string;

const seedGroups = async (into: string, groups: readonly object[]) =>
  listAt(await simulator.control('POST', `/companies/${into}/tag-groups`, groups), 'ids').map(String);

beforeAll(async () => {
  foreignId = await simulator.addCompany();
  foreignTagId = randomUUID();
  await seedGroups(foreignId, [{ name: 'F', code: 'F', tags: [{ id: foreignTagId, code: 'F' }] }]);
});
beforeEach(async () => {
  companyId = await simulator.addCompany();
  token = textAt(await simulator.control('POST', '/api-keys', { companyId }), 'apiKey');
  [groupId = '', otherGroupId = ''] = await seedGroups(companyId, [
    { name: 'A', code: 'A' },
    { name: 'B', code: 'B' },
  ]);
  await simulator.control('PUT', '/settings', { mostActiveTags: 10_000 });
});

const call = (method: string, path: string, body?: unknown) =>
  simulator.call(method, path, { token, ...(body === undefined ? {} : { body }) });
const create = (code: string, extra: object = {}, into = groupId) =>
  call('POST', `/v0/tag-groups/${into}/tags`, { archived: false, code, ...extra });
const update = (id: string, extra: object) => call('PUT', `/v0/tags/${id}`, { archived: false, code: '1', ...extra });
const idOf = (answer: SimulatorResponse) => textAt(answer.body, 'data', 'id');
const codesOf = (answer: SimulatorResponse) => listAt(answer.body, 'data').map((tag) => at(tag, 'code'));
const inGroup = async (query = '') => codesOf(await call('GET', `/v0/tag-groups/${groupId}/tags${query}`));

describe('a tag', () => {
  it('is created with 201 and no name unless one is given [P7]', async () => {
    const answer = await create('12345');
    expect(answer.status).toBe(201);
    expect(at(answer.body, 'data')).toEqual({
      id: expect.any(String),
      groupId,
      code: '12345',
      archived: false,
      createdAt: expect.stringMatching(/:\d\dZ$/),
      updatedAt: expect.stringMatching(/:\d\dZ$/),
    });
    expect(at((await create('2', { name: 'Lunch' })).body, 'data', 'name')).toBe('Lunch');
  });

  it.each(['archived', 'code'])('is not created without %s [P7]', async (field) => {
    expect((await create('1', { [field]: undefined })).status).toBe(400);
  });

  it('is not created when the group has the code, archived or not (409) [P7]', async () => {
    await create('1', { archived: true });
    const answer = await create('1');
    expect([answer.status, at(answer.body, 'type')]).toEqual([409, 'TAG_ALREADY_EXISTS']);
    expect((await create('1', {}, otherGroupId)).status).toBe(201);
  });

  it('may have a code that differs in case only [P9.10]', async () => {
    expect([(await create('a')).status, (await create('A')).status]).toEqual([201, 201]);
  });

  it('is refused with a code that is too long to be unique, with 400', async () => {
    // Random: what repeats itself is compressed, and fits longer.
    const code = randomBytes(2_000).toString('hex');
    const answer = await create(code);
    expect([answer.status, at(answer.body, 'type')]).toEqual([400, 'VALIDATION_FAILED']);
    const id = idOf(await create('1'));
    expect((await update(id, { code })).status).toBe(400);
    expect((await create('é'.repeat(500))).status).toBe(201);
  });

  it('is created once for twenty concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create('1')));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(19).fill(409)]);
  });

  it('is changed and archived, and keeps an omitted name [P7]', async () => {
    const id = idOf(await create('1', { name: 'Old' }));
    const answer = await update(id, { code: '2', archived: true });
    expect([answer.status, at(answer.body, 'data')]).toMatchObject([
      200,
      { id, groupId, name: 'Old', code: '2', archived: true },
    ]);
    expect((await update(id, { code: '2', name: 'New' })).body).toMatchObject({
      data: { name: 'New', archived: false },
    });
    expect((await call('GET', `/v0/tags/${id}`)).body).toMatchObject({ data: { name: 'New', code: '2' } });
  });

  it.each(['archived', 'code'])('requires %s [P7]', async (field) => {
    expect((await update(idOf(await create('1')), { [field]: undefined })).status).toBe(400);
  });

  it('cannot be changed to a code in use (409) [P7]', async () => {
    await create('1');
    const id = idOf(await create('2'));
    const answer = await update(id, { code: '1' });
    expect([answer.status, at(answer.body, 'type')]).toEqual([409, 'TAG_ALREADY_EXISTS']);
    expect(await inGroup()).toEqual(['1', '2']);
  });

  it('is deleted [P7]', async () => {
    const id = idOf(await create('1'));
    const answer = await call('DELETE', `/v0/tags/${id}`);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await call('GET', `/v0/tags/${id}`)).status).toBe(404);
    expect((await create('1')).status).toBe(201);
  });

  it.each([
    ['GET', ''],
    ['PUT', ''],
    ['DELETE', ''],
    ['GET', '/dimensions'],
    ['GET', `/dimensions/${SOME_ID}`],
    ['POST', `/dimensions/${SOME_ID}`],
    ['PUT', `/dimensions/${SOME_ID}`],
    ['DELETE', `/dimensions/${SOME_ID}`],
  ])('%s …/{tagId}%s answers 404 to an unknown and a foreign id [P7]', async (method, rest) => {
    const hasBody = method === 'PUT' || method === 'POST';
    const body = hasBody ? { archived: true, code: 'x', value: 'x' } : undefined;
    for (const id of [randomUUID(), foreignTagId]) {
      const answer = await call(method, `/v0/tags/${id}${rest}`, body);
      expect([answer.status, at(answer.body, 'type')]).toEqual([404, 'TAG_NOT_FOUND']);
    }
  });
});

describe('the limit of active tags', () => {
  it('refuses a further active tag (400), but accepts an archived one [P7]', async () => {
    await simulator.control('PUT', '/settings', { mostActiveTags: 2 });
    await create('1');
    await create('2');
    const answer = await create('3');
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        type: 'TAG_LIMIT_REACHED',
        message: 'Tag group already contains the maximum number of active tags (2).',
      },
    ]);
    expect(await inGroup('?include_archived=true')).toEqual(['1', '2']);
    expect((await create('3', { archived: true })).status).toBe(201);
    expect((await create('1', {}, otherGroupId)).status).toBe(201);
  });

  it('holds for unarchiving, single and in bulk', async () => {
    await simulator.control('PUT', '/settings', { mostActiveTags: 2 });
    const [one, two, three] = await Promise.all(
      ['1', '2', '3'].map(async (code) => idOf(await create(code, { archived: true }))),
    );
    expect((await update(one ?? '', {})).status).toBe(200);
    const both = { companyId, archived: false, tagIds: [two, three] };
    expect((await call('POST', '/v0/tags/archive', both)).status).toBe(400);
    expect(await inGroup()).toEqual(['1']);
    expect((await update(two ?? '', { code: '2' })).status).toBe(200);
    expect((await update(three ?? '', { code: '3' })).status).toBe(400);
    await simulator.control('PUT', '/settings', { mostActiveTags: 1 });
    expect((await update(two ?? '', { code: '2', name: 'was active before' })).status).toBe(200);
  });

  it('holds for ten concurrent requests', async () => {
    await simulator.control('PUT', '/settings', { mostActiveTags: 3 });
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => create(index.toString())));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(await inGroup()).toHaveLength(3);
  });
});

describe('bulk operations', () => {
  const made = async (count: number) => {
    const tags = Array.from({ length: count }, (_, index) => ({ id: randomUUID(), code: `bulk${index}` }));
    await seedGroups(companyId, [{ name: 'C', code: 'C', tags }]);
    return tags.map(({ id }) => id);
  };
  const archive = (tagIds: readonly unknown[], extra: object = {}) =>
    call('POST', '/v0/tags/archive', { companyId, archived: true, tagIds, ...extra });
  const remove = (tagIds: readonly unknown[], extra: object = {}) =>
    call('DELETE', '/v0/tags', { companyId, tagIds, ...extra });

  it('archive and unarchive up to 100 tags, of any groups [P7]', async () => {
    const ids = [...(await made(99)), idOf(await create('1'))];
    const answer = await archive(ids);
    expect(answer.status).toBe(200);
    expect(listAt(answer.body, 'data').map((tag) => at(tag, 'archived'))).toEqual(Array(100).fill(true));
    expect(await inGroup()).toEqual([]);
    await archive(ids, { archived: false });
    expect(await inGroup()).toEqual(['1']);
  });

  it('delete up to 100 tags with 204 [P7]', async () => {
    const ids = await made(100);
    const answer = await remove(ids);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await call('GET', `/v0/tags/${ids[0] ?? ''}`)).status).toBe(404);
  });

  it.each([
    ['archive', archive],
    ['delete', remove],
  ])('%s refuses no tags, 101 tags or a repeated one (400) [P7]', async (_name, run) => {
    const ids = await made(101);
    expect((await run([])).status).toBe(400);
    expect((await run(ids)).status).toBe(400);
    expect((await run([ids[0], ids[0]])).status).toBe(400);
    expect((await run(ids.slice(1), { companyId: undefined })).status).toBe(400);
  });

  it.each([
    ['archive', archive],
    ['delete', remove],
  ])('%s is all or nothing; a foreign tag is unknown, a foreign company forbidden [P0.4]', async (_name, run) => {
    const id = idOf(await create('1'));
    for (const unknown of [randomUUID(), foreignTagId]) {
      const answer = await run([id, unknown]);
      expect([answer.status, at(answer.body, 'type')]).toEqual([404, 'TAG_NOT_FOUND']);
    }
    expect((await run([foreignTagId], { companyId: foreignId })).status).toBe(403);
    expect(await inGroup()).toEqual(['1']);
  });
});

describe('searching tags', () => {
  beforeEach(async () => {
    await create('1', { name: 'Alpha' });
    await create('2', { name: 'Beta', archived: true });
    await create('3', { name: 'alphabet' }, otherGroupId);
    await create('4', {}, otherGroupId);
  });
  const search = (body?: unknown, query = '') => call('POST', `/v0/tags:search?${query}`, body);

  it.each([
    ['no body', undefined, ['1', '3', '4']],
    ['nothing: active ones only', {}, ['1', '3', '4']],
    ['includeArchived', { includeArchived: true }, ['1', '2', '3', '4']],
    ['archived: true', { archived: true }, ['2']],
    ['archived: false, which wins over includeArchived', { archived: false, includeArchived: true }, ['1', '3', '4']],
    ['archived: null', { archived: null, includeArchived: true }, ['1', '2', '3', '4']],
    ['textSearch', { textSearch: 'ALPHA' }, ['1', '3']],
    ['textSearch and archived', { textSearch: 'e', archived: true }, ['2']],
  ])('filters by %s [P7]', async (_case, body, expected) => {
    const answer = await search(body);
    expect([answer.status, codesOf(answer)]).toEqual([200, expected]);
  });

  it('filters by tagGroupIds and tagIds [P7]', async () => {
    expect(codesOf(await search({ tagGroupIds: [otherGroupId] }))).toEqual(['3', '4']);
    const one = textAt((await search({ tagGroupIds: [groupId] })).body, 'data', 0, 'id');
    expect(codesOf(await search({ tagIds: [one] }))).toEqual(['1']);
    expect(codesOf(await search({ tagIds: [foreignTagId] }))).toEqual([]);
  });

  it('is limited by company_id and organization_id [P7]', async () => {
    expect(codesOf(await search({}, `company_id=${companyId}`))).toEqual(['1', '3', '4']);
    expect((await search({}, `company_id=${foreignId}`)).status).toBe(403);
    expect((await search({}, `organization_id=${randomUUID()}`)).status).toBe(403);
  });

  it('by the deprecated GET finds the same [P7]', async () => {
    const query = `company_id=${companyId}&tag_group_id=${groupId}&tag_group_id=${otherGroupId}`;
    expect(codesOf(await call('GET', `/v0/tags?${query}&text_search=alpha`))).toEqual(['1', '3']);
    expect(codesOf(await call('GET', `/v0/tags?${query}&include_archived=true`))).toEqual(['1', '2', '3', '4']);
  });

  it('in the list of a group omits archived tags unless requested [P7]', async () => {
    expect(await inGroup()).toEqual(['1']);
    expect(await inGroup('?include_archived=true')).toEqual(['1', '2']);
  });
});
