import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { at, exportItem, listAt, SimulatorHarness, textAt, type SimulatorResponse } from '../simulator-harness.js';
import { startedOnce } from '../../../support/started-once.js';

const simulator = startedOnce(() => SimulatorHarness.start());
let token: string;
let companyId: string;
let organizationId: string;
let foreignId: string;

beforeAll(async () => {
  foreignId = await simulator.addCompany();
});
beforeEach(async () => {
  organizationId = randomUUID();
  companyId = await simulator.addCompany({ organizationId });
  token = textAt(await simulator.control('POST', '/api-keys', { companyId }), 'apiKey');
});

const call = (method: string, path: string, body?: unknown) =>
  simulator.call(method, path, { token, ...(body === undefined ? {} : { body }) });
const create = (extra: object = {}, query = `?company_id=${companyId}`) =>
  call('POST', `/v0/tag-groups${query}`, { archived: false, code: 'PROJECT', name: 'Project', ...extra });
const idOf = (answer: SimulatorResponse) => textAt(answer.body, 'data', 'id');
const update = (id: string, extra: object = {}) =>
  call('PUT', `/v0/tag-groups/${id}`, {
    archived: false,
    code: 'PROJECT',
    name: 'Project',
    metadata: {},
    ...extra,
  });
const seedGroups = async (groups: readonly object[], into = companyId) => {
  const seeded = await simulator.control('POST', `/companies/${into}/tag-groups`, groups);
  return listAt(seeded, 'ids').map(String);
};
const codes = async (query: string) =>
  listAt((await call('GET', `/v0/tag-groups?${query}`)).body, 'data').map((group) => at(group, 'code'));

describe('a tag group', () => {
  it('is created with 201 [P7, P10]', async () => {
    const answer = await create({ metadata: { externalExtraId: 'x' } });
    expect(answer.status).toBe(201);
    expect(at(answer.body, 'data')).toEqual({
      id: expect.any(String),
      companyId,
      name: 'Project',
      code: 'PROJECT',
      archived: false,
      metadata: { externalExtraId: 'x' },
      createdAt: expect.stringMatching(/:\d\dZ$/),
      updatedAt: expect.stringMatching(/:\d\dZ$/),
    });
  });

  it('needs no company_id when the credential covers one company only [P7]', async () => {
    expect(at((await create({}, '')).body, 'data', 'companyId')).toBe(companyId);
    await simulator.addCompany({ organizationId });
    const key = await simulator.control('POST', '/api-keys', { organizationId });
    token = textAt(key, 'apiKey');
    expect((await create({}, '')).status).toBe(400);
    expect((await create()).status).toBe(201);
  });

  it.each(['archived', 'code', 'name'])('is not created without %s [P7]', async (field) => {
    expect((await create({ [field]: undefined })).status).toBe(400);
  });

  it('keeps metadata as it is given: keys and values are free [P7]', async () => {
    const metadata = { a: 1, b: { c: [true, null] }, d: 'text' };
    expect(at((await create({ metadata })).body, 'data', 'metadata')).toEqual(metadata);
    for (const wrong of ['text', ['a'], { a: '\0' }]) {
      expect((await create({ metadata: wrong })).status).toBe(400);
    }
  });

  it.each(['archived', 'code', 'metadata', 'name'])('requires %s [P7]', async (field) => {
    const id = idOf(await create());
    expect((await update(id, { [field]: undefined })).status).toBe(400);
  });

  it('is renamed, archived and unarchived without a change of its tags [P7]', async () => {
    const [id = ''] = await seedGroups([
      { name: 'Old', code: 'OLD', tags: [{ code: '1' }, { code: '2', archived: true }] },
    ]);
    const changed = { name: 'New', code: 'NEW', metadata: { a: 'b' } };
    const archived = await update(id, { ...changed, archived: true });
    expect([archived.status, at(archived.body, 'data')]).toMatchObject([200, { id, ...changed, archived: true }]);
    expect((await call('GET', `/v0/tag-groups/${id}`)).body).toMatchObject({ data: { archived: true } });
    const tags = await call('GET', `/v0/tag-groups/${id}/tags?include_archived=true`);
    expect(listAt(tags.body, 'data').map((tag) => at(tag, 'archived'))).toEqual([false, true]);
    expect(at((await update(id)).body, 'data', 'archived')).toBe(false);
  });

  it('is deleted with 204, together with its tags [P7]', async () => {
    const [id = ''] = await seedGroups([{ name: 'Old', code: 'OLD', tags: [{ code: '1' }] }]);
    const tags = await call('GET', `/v0/tag-groups/${id}/tags`);
    const tagId = textAt(tags.body, 'data', 0, 'id');
    const removed = await call('DELETE', `/v0/tag-groups/${id}`);
    expect([removed.status, removed.text]).toEqual([204, '']);
    expect((await call('GET', `/v0/tag-groups/${id}`)).status).toBe(404);
    expect((await call('GET', `/v0/tags/${tagId}`)).status).toBe(404);
  });

  it.each([
    ['GET', ''],
    ['PUT', ''],
    ['DELETE', ''],
    ['GET', '/usage'],
    ['GET', '/tags'],
    ['POST', '/tags'],
    ['GET', '/dimensions'],
    ['POST', '/dimensions'],
  ])('%s …/{groupId}%s answers 404 to an unknown and a foreign id [P0.4, P7]', async (method, rest) => {
    const [foreign = ''] = await seedGroups([{ name: 'F', code: 'F' }], foreignId);
    const bodies: Readonly<Record<string, object>> = {
      PUT: { archived: true, code: 'C', name: 'N', metadata: {} },
      '/tags': { archived: false, code: 'C' },
      '/dimensions': { name: 'N', code: 'C', visible: true },
    };
    const body = method === 'PUT' ? bodies['PUT'] : method === 'POST' ? bodies[rest] : undefined;
    for (const id of [randomUUID(), foreign]) {
      const answer = await call(method, `/v0/tag-groups/${id}${rest}`, body);
      expect([answer.status, at(answer.body, 'type')]).toEqual([404, 'TAG_GROUP_NOT_FOUND']);
    }
  });
});

describe('the list of tag groups', () => {
  it('has data and no pagination [P0.1]', async () => {
    await create();
    const answer = await call('GET', `/v0/tag-groups?company_id=${companyId}`);
    expect([answer.status, answer.body]).toEqual([200, { data: [expect.objectContaining({ companyId })] }]);
  });

  it.each([
    ['neither id', '', 400],
    ['another company', 'company_id=FOREIGN', 403],
    ['another organization', 'organization_id=6b0c6f1e-52d4-4d8e-9d53-1f2f3c1a0001', 403],
    ['a flag that is none', 'company_id=OWN&include_archived=1', 400],
  ])('%s is refused [P7]', async (_case, query, status) => {
    const given = query.replace('OWN', companyId).replace('FOREIGN', foreignId);
    expect((await call('GET', `/v0/tag-groups?${given}`)).status).toBe(status);
  });

  it('omits archived groups unless include_archived is set [P7]', async () => {
    await seedGroups([
      { name: 'A', code: 'A' },
      { name: 'B', code: 'B', archived: true },
    ]);
    expect(await codes(`company_id=${companyId}`)).toEqual(['A']);
    expect(await codes(`company_id=${companyId}&include_archived=true`)).toEqual(['A', 'B']);
  });

  it('shows all companies of the organization, or the one of company_id [P7]', async () => {
    const second = await simulator.addCompany({ organizationId });
    await seedGroups([{ name: 'A', code: 'A' }]);
    await seedGroups([{ name: 'B', code: 'B' }], second);
    token = textAt(await simulator.control('POST', '/api-keys', { organizationId }), 'apiKey');
    expect(await codes(`organization_id=${organizationId}`)).toEqual(['A', 'B']);
    expect(await codes(`organization_id=${organizationId}&company_id=${second}`)).toEqual(['B']);
  });

  it('counts tags with include_tags_count [P7]', async () => {
    await seedGroups([
      { name: 'A', code: 'A', tags: [{ code: '1' }, { code: '2', archived: true }] },
      { name: 'B', code: 'B' },
    ]);
    const counted = await call('GET', `/v0/tag-groups?company_id=${companyId}&include_tags_count=true`);
    expect(listAt(counted.body, 'data').map((group) => at(group, 'totalTagsCount'))).toEqual([2, 0]);
    const plain = await call('GET', `/v0/tag-groups?company_id=${companyId}`);
    expect(at(plain.body, 'data', 0, 'totalTagsCount')).toBeUndefined();
  });
});

describe('the limit of active groups', () => {
  const full = async () => {
    await simulator.control('PUT', '/settings', { mostActiveTagGroups: 2 });
    return seedGroups([
      { name: 'A', code: 'A' },
      { name: 'B', code: 'B' },
      { name: 'C', code: 'C', archived: true },
    ]);
  };

  it('is five [P7]', async () => {
    await simulator.control('PUT', '/settings', { mostActiveTagGroups: 5 });
    const answers = [];
    for (let count = 0; count < 6; count += 1) {
      answers.push((await create({ code: count.toString() })).status);
    }
    expect(answers).toEqual([201, 201, 201, 201, 201, 400]);
  });

  it('refuses a further active group with a reason, but accepts an archived one', async () => {
    await full();
    const answer = await create();
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        type: 'TAG_GROUP_LIMIT_REACHED',
        message: 'The company already has 2 active tag groups, which is the limit. Archive one of them first.',
      },
    ]);
    expect((await create({ archived: true })).status).toBe(201);
  });

  it('refuses to unarchive until another one is archived', async () => {
    const [first = '', second = '', third = ''] = await full();
    expect((await update(third)).status).toBe(400);
    expect((await call('GET', `/v0/tag-groups/${third}`)).body).toMatchObject({ data: { archived: true } });
    expect((await update(second)).status).toBe(200);
    expect((await update(first, { archived: true })).status).toBe(200);
    expect((await update(third)).status).toBe(200);
  });

  it.each([1, 2, 3, 4, 5])('holds for ten concurrent requests (%d)', async () => {
    await simulator.control('PUT', '/settings', { mostActiveTagGroups: 2 });
    const answers = await Promise.all(Array.from({ length: 10 }, () => create()));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    expect(await codes(`company_id=${companyId}`)).toHaveLength(2);
  });
});

describe('tag usage', () => {
  it('counts the accounting entries of each tag [P7]', async () => {
    const [id = ''] = await seedGroups([{ name: 'A', code: 'A', tags: [{ code: '1' }, { code: '2' }, { code: '3' }] }]);
    const tags = await call('GET', `/v0/tag-groups/${id}/tags`);
    const [one, two] = listAt(tags.body, 'data').map((tag) => textAt(tag, 'id'));
    const line = (...ids: readonly unknown[]) => ({
      lineAmount: at(exportItem(-1), 'amount'),
      netAmount: at(exportItem(-1), 'amount'),
      tags: ids.map((tagId) => ({ id: tagId, code: 'c', groupCode: 'A' })),
    });
    await simulator.addItems(companyId, [
      exportItem(-1, { accountingEntryLines: [line(one, two), line(one)] }),
      exportItem(-1, { accountingEntryLines: [line(one)] }),
      exportItem(-1),
    ]);
    const answer = await call('GET', `/v0/tag-groups/${id}/usage`);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        data: {
          usages: [
            { id: one, count: 2 },
            { id: two, count: 1 },
          ],
        },
      },
    ]);
  });
});
