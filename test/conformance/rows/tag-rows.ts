import { expect } from '@jest/globals';
import type { ConformanceRow } from '../conformance-row.js';
import { at, fresh, unknownId, type Platform } from '../platform.js';

const GROUPS = '/v0/tag-groups';
const newGroup = async (platform: Platform) => {
  const body = { archived: false, code: fresh('group'), name: 'Project', metadata: {} };
  return platform.create(`${GROUPS}?company_id=${await platform.companyId()}`, body, GROUPS);
};
const newTag = async (platform: Platform, groupId: string, code = fresh('tag')) =>
  platform.create(`${GROUPS}/${groupId}/tags`, { archived: false, code, name: 'Alpha' }, '/v0/tags');
const data = async (platform: Platform, path: string) => at((await platform.call('GET', path)).body, 'data');

const GROUP_ROWS: readonly ConformanceRow[] = [
  {
    fact: 'a tag group is read, and updated with all its fields',
    source: 'P7',
    needs: 'write',
    observe: async (platform) => {
      const path = `${GROUPS}/${await newGroup(platform)}`;
      const before = await data(platform, path);
      const body = { archived: true, code: 'P', metadata: { note: 'x' }, name: 'Project' };
      return [before, at((await platform.call('PUT', path, { body })).body, 'data')];
    },
    expected: [
      expect.objectContaining({ archived: false }),
      expect.objectContaining({ archived: true, code: 'P', metadata: { note: 'x' }, name: 'Project' }),
    ],
  },
  ...['archived', 'code', 'metadata', 'name'].map((field) => ({
    fact: `the update of a tag group needs ${field}`,
    source: 'P7',
    needs: 'write' as const,
    observe: async (platform: Platform) => {
      const body = { archived: false, code: 'P', metadata: {}, name: 'Project', [field]: undefined };
      return (await platform.call('PUT', `${GROUPS}/${await newGroup(platform)}`, { body })).status;
    },
    expected: 400,
  })),
  {
    fact: 'tag groups are listed without pagination, and only for a company or an organization',
    source: 'P0.1, P7',
    needs: 'write',
    observe: async (platform) => {
      const id = await newGroup(platform);
      const listed = await platform.call('GET', `${GROUPS}?company_id=${await platform.companyId()}`);
      const without = await platform.call('GET', GROUPS);
      return [JSON.stringify(listed.body).includes(id), at(listed.body, 'pagination'), without.status];
    },
    expected: [true, undefined, 400],
  },
  {
    fact: 'a tag group is deleted with 204',
    source: 'P7',
    needs: 'write',
    observe: async (platform) => {
      const path = `${GROUPS}/${await newGroup(platform)}`;
      return [(await platform.call('DELETE', path)).status, (await platform.call('GET', path)).status];
    },
    expected: [204, 404],
  },
  {
    fact: 'tag groups are returned with usage and aggregation',
    source: 'P7',
    needs: 'write',
    observe: async (platform) => {
      const id = await newGroup(platform);
      const usages = at(await data(platform, `${GROUPS}/${id}/usage`), 'usages');
      const query = `company_id=${await platform.companyId()}&tag_group_ids=${id}`;
      const groups = await platform.call('GET', `/v0/aggregations/tag-groups?${query}`);
      return [Array.isArray(usages), groups.status];
    },
    expected: [true, 200],
  },
  {
    fact: 'dimensions of a group are created, read, listed, updated and deleted',
    source: 'P7',
    needs: 'write',
    observe: async (platform) => {
      const list = `${GROUPS}/${await newGroup(platform)}/dimensions`;
      const body = { code: fresh('dimension'), name: 'Region', visible: true };
      const id = await platform.create(list, body, list);
      const update = await platform.call('PUT', `${list}/${id}`, {
        body: { ...body, name: 'Area', displayOrder: 1 },
      });
      return [
        JSON.stringify(await data(platform, list)).includes(id),
        update.status,
        at(await data(platform, `${list}/${id}`), 'name'),
        (await platform.call('DELETE', `${list}/${id}`)).status,
      ];
    },
    expected: [true, 200, 'Area', 204],
  },
];

const TAG_ROWS: readonly ConformanceRow[] = [
  {
    fact: 'a tag is created with 201, and a code stands once in a group',
    source: 'P7',
    needs: 'write',
    observe: async (platform) => {
      const path = `${GROUPS}/${await newGroup(platform)}/tags`;
      const body = { archived: false, code: 'A', name: 'Alpha' };
      const first = await platform.call('POST', path, { body });
      return [first.status, (await platform.call('POST', path, { body })).status];
    },
    expected: [201, 409],
  },
  {
    fact: 'a tag is not updated to the code of another one of its group',
    source: 'P7',
    needs: 'write',
    observe: async (platform) => {
      const groupId = await newGroup(platform);
      await newTag(platform, groupId, 'A');
      const path = `/v0/tags/${await newTag(platform, groupId, 'B')}`;
      return (await platform.call('PUT', path, { body: { archived: false, code: 'A' } })).status;
    },
    expected: 409,
  },
  {
    fact: 'a tag is updated; its name may be left out',
    source: 'P7',
    needs: 'write',
    observe: async (platform) => {
      const path = `/v0/tags/${await newTag(platform, await newGroup(platform))}`;
      const updated = await platform.call('PUT', path, { body: { archived: true, code: 'B' } });
      return [updated.status, at(await data(platform, path), 'code'), at(updated.body, 'data', 'archived')];
    },
    expected: [200, 'B', true],
  },
  {
    fact: 'the tags of a group are listed, archived ones on request',
    source: 'P7',
    needs: 'write',
    observe: async (platform) => {
      const groupId = await newGroup(platform);
      const tagIds = [await newTag(platform, groupId)];
      const companyId = await platform.companyId();
      await platform.call('POST', '/v0/tags/archive', { body: { archived: true, companyId, tagIds } });
      const path = `${GROUPS}/${groupId}/tags`;
      return [await data(platform, path), at(await data(platform, `${path}?include_archived=true`), 'length')];
    },
    expected: [[], 1],
  },
  {
    fact: 'tags are searched, aggregated, and deleted in bulk with 204',
    source: 'P7',
    needs: 'write',
    observe: async (platform) => {
      const groupId = await newGroup(platform);
      const tagIds = [await newTag(platform, groupId)];
      const companyId = await platform.companyId();
      const query = `company_id=${companyId}`;
      const found = await platform.call('POST', `/v0/tags:search?${query}`, { body: { tagIds } });
      const listed = await platform.call('GET', `/v0/tags?${query}`);
      const aggregated = await platform.call('POST', `/v0/aggregations/tags?${query}`, { body: { tagIds } });
      const deleted = await platform.call('DELETE', '/v0/tags', { body: { companyId, tagIds } });
      return [at(found.body, 'data', 'length'), listed.status, aggregated.status, deleted.status];
    },
    expected: [1, 200, 200, 204],
  },
  {
    fact: 'a tag is deleted with 204, and an unknown one is answered 404',
    source: 'P7',
    needs: 'write',
    observe: async (platform) => {
      const path = `/v0/tags/${await newTag(platform, await newGroup(platform))}`;
      return [
        (await platform.call('DELETE', path)).status,
        (await platform.call('GET', `/v0/tags/${unknownId()}`)).status,
      ];
    },
    expected: [204, 404],
  },
  {
    fact: 'a tag has values of its group’s dimensions',
    source: 'P7',
    needs: 'write',
    observe: async (platform) => {
      const groupId = await newGroup(platform);
      const dimensions = `${GROUPS}/${groupId}/dimensions`;
      const dimension = { code: fresh('dimension'), name: 'Region', visible: true };
      const dimensionId = await platform.create(dimensions, dimension, dimensions);
      const values = `/v0/tags/${await newTag(platform, groupId)}/dimensions`;
      const path = `${values}/${dimensionId}`;
      // Whether a fresh tag has an empty value is not stated.
      await platform.call('DELETE', path);
      const created = await platform.call('POST', path, { body: { value: 'North' } });
      await platform.call('PUT', path, { body: { value: 'South' } });
      const value = at(await data(platform, path), 'value');
      const listed = at(await data(platform, values), 'length');
      return [created.status < 300, value, listed, (await platform.call('DELETE', path)).status < 300];
    },
    expected: [true, 'South', 1, true],
  },
];

export const TAG_ROWS_OF_V0: readonly ConformanceRow[] = [...GROUP_ROWS, ...TAG_ROWS];
