import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { at, listAt, SimulatorHarness, textAt, type SimulatorResponse } from '../simulator-harness.js';
import { startedOnce } from '../../../support/started-once.js';

const simulator = startedOnce(() => SimulatorHarness.start());
let token: string;
let companyId: string;

beforeEach(async () => {
  companyId = await simulator.addCompany();
  token = textAt(await simulator.control('POST', '/api-keys', { companyId }), 'apiKey');
});

const call = (method: string, path: string, body?: unknown) =>
  simulator.call(method, path, { token, ...(body === undefined ? {} : { body }) });
const create = (extra: object = {}) =>
  call('POST', '/v0/tag-groups', { archived: false, code: 'PROJECT', name: 'Project', ...extra });
const idOf = (answer: SimulatorResponse) => textAt(answer.body, 'data', 'id');
const seedGroups = async (groups: readonly object[], into = companyId) => {
  const seeded = await simulator.control('POST', `/companies/${into}/tag-groups`, groups);
  return listAt(seeded, 'ids').map(String);
};

describe('dimensions', () => {
  const dimension = (groupId: string, code: string) =>
    call('POST', `/v0/tag-groups/${groupId}/dimensions`, {
      name: code,
      code,
      visible: true,
      displayOrder: 9,
    });

  it('are sorted by creation, whatever displayOrder says [P7, P13]', async () => {
    const id = idOf(await create());
    const first = await dimension(id, 'one');
    expect(first.status).toBe(201);
    expect(at(first.body, 'data')).toEqual({
      id: expect.any(String),
      groupId: id,
      name: 'one',
      code: 'one',
      visible: true,
      displayOrder: 1,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    await dimension(id, 'two');
    const path = `/v0/tag-groups/${id}/dimensions`;
    const listed = await call('GET', path);
    expect(listAt(listed.body, 'data').map((each) => [at(each, 'code'), at(each, 'displayOrder')])).toEqual([
      ['one', 1],
      ['two', 2],
    ]);
  });

  it('are read, changed with a displayOrder, and deleted [P7, P13]', async () => {
    const id = idOf(await create());
    const path = `/v0/tag-groups/${id}/dimensions/${idOf(await dimension(id, 'one'))}`;
    const change = { name: 'New', code: 'new', visible: false };
    expect((await call('PUT', path, change)).status).toBe(400);
    expect((await call('PUT', path, { ...change, displayOrder: 3 })).body).toMatchObject({
      data: { ...change, displayOrder: 3 },
    });
    expect((await call('GET', path)).body).toMatchObject({ data: change });
    expect((await call('DELETE', path)).status).toBe(204);
    const gone = await call('GET', path);
    expect([gone.status, at(gone.body, 'type')]).toEqual([404, 'TAG_DIMENSION_NOT_FOUND']);
  });

  it('have values that belong to a tag and are created, read, changed and deleted [P7]', async () => {
    const id = idOf(await create());
    const dimensionId = idOf(await dimension(id, 'one'));
    const tag = { archived: false, code: '1' };
    const tagId = idOf(await call('POST', `/v0/tag-groups/${id}/tags`, tag));
    const path = `/v0/tags/${tagId}/dimensions/${dimensionId}`;
    expect((await call('GET', `/v0/tags/${tagId}/dimensions`)).body).toMatchObject({
      data: [{ tagId, dimensionId, value: '' }],
    });
    expect((await call('POST', path, { value: 'x' })).status).toBe(409);
    expect((await call('PUT', path, { value: 'x' })).body).toMatchObject({ data: { value: 'x' } });
    const removed = await call('DELETE', path);
    expect([removed.status, removed.text]).toEqual([204, '']);
    expect((await call('GET', path)).status).toBe(404);
    expect((await call('PUT', path, { value: 'y' })).status).toBe(404);
    const made = await call('POST', path, { value: 'z' });
    expect([made.status, at(made.body, 'data', 'value')]).toEqual([201, 'z']);
    expect((await call('POST', `/v0/tags/${tagId}/dimensions/${randomUUID()}`, { value: '' })).status).toBe(404);
  });

  it('have otherDimensionValues in display order; missing ones are empty or unchanged [P7, P13]', async () => {
    const id = idOf(await create());
    await dimension(id, 'one');
    await dimension(id, 'two');
    const tag = { archived: false, code: '1', otherDimensionValues: ['a'] };
    const tagId = idOf(await call('POST', `/v0/tag-groups/${id}/tags`, tag));
    const values = async () =>
      listAt((await call('GET', `/v0/tags/${tagId}/dimensions`)).body, 'data').map((each) => at(each, 'value'));
    expect(await values()).toEqual(['a', '']);
    await call('PUT', `/v0/tags/${tagId}`, { ...tag, otherDimensionValues: ['b', 'c', 'too many'] });
    expect(await values()).toEqual(['b', 'c']);
    await call('PUT', `/v0/tags/${tagId}`, { ...tag, otherDimensionValues: ['d'] });
    expect(await values()).toEqual(['d', 'c']);
  });

  it('are shown by aggregations with their groups and tags [P7]', async () => {
    const id = idOf(await create({ metadata: { a: 'b' } }));
    const dimensionId = idOf(await dimension(id, 'one'));
    const tag = { archived: false, code: '1', name: 'First', otherDimensionValues: ['a'] };
    const tagId = idOf(await call('POST', `/v0/tag-groups/${id}/tags`, tag));
    const groups = await call('GET', `/v0/aggregations/tag-groups?company_id=${companyId}`);
    expect(at(groups.body, 'data', 0)).toMatchObject({
      id,
      dimensions: [{ id: dimensionId, displayOrder: 1 }],
    });
    expect(at(groups.body, 'data', 0, 'metadata')).toBeUndefined();
    const tags = await call('POST', `/v0/aggregations/tags?company_id=${companyId}`, {});
    expect([tags.status, at(tags.body, 'data', 0), at(tags.body, 'pagination', 'total')]).toEqual([
      200,
      {
        id: tagId,
        companyId,
        name: 'First',
        code: '1',
        archived: false,
        group: { id, code: 'PROJECT', name: 'Project' },
        dimensions: [{ id: dimensionId, code: 'one', name: 'one', displayOrder: 1, visible: true, value: 'a' }],
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
      1,
    ]);
  });

  it('are aggregated for active groups, or for the requested ones, including archived ones [P7]', async () => {
    const [, archived = ''] = await seedGroups([
      { name: 'A', code: 'A' },
      { name: 'B', code: 'B', archived: true },
    ]);
    const path = `/v0/aggregations/tag-groups?company_id=${companyId}`;
    const shown = async (query: string) =>
      listAt((await call('GET', `${path}${query}`)).body, 'data').map((group) => at(group, 'code'));
    expect(await shown('')).toEqual(['A']);
    expect(await shown(`&tag_group_ids=${archived}`)).toEqual(['B']);
    expect((await call('GET', '/v0/aggregations/tag-groups')).status).toBe(400);
  });
});
