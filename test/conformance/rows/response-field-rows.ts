import { expect } from '@jest/globals';
import type { ConformanceRow } from '../conformance-row.js';
import { at, fresh, type Platform } from '../platform.js';

/** An answer, and the fields it has always. */
interface DocumentedResponse {
  readonly what: string;
  readonly source: string;
  readonly needs: ConformanceRow['needs'];
  readonly fields: readonly string[];
  readonly read: (platform: Platform) => Promise<unknown>;
}

const firstItem = async (platform: Platform, ...path: readonly (string | number)[]) => {
  const { body } = await platform.call('GET', `/v3/export-items?job_id=${await platform.newJob()}&limit=1`);
  return at(body, 'data', 0, ...path);
};
const created = async (platform: Platform, path: string, body: object, removal?: string) => {
  const companyId = await platform.companyId();
  const id = await platform.create(path, { companyId, ...body }, removal);
  return at((await platform.call('GET', `${path}/${id}`)).body, 'data');
};
const SUBSCRIPTION = { endpointUrl: 'https://example.com/hook', eventTypes: ['v1.export-job.created'] };

const OF_EXPORTS: readonly DocumentedResponse[] = [
  {
    what: 'a job',
    source: 'P1.3',
    needs: 'export',
    fields: [
      ...['companyId', 'createdAt', 'expiresIn', 'id', 'isInteractive', 'numberOfItems', 'status'],
      'vendorBasedBookkeeping',
    ],
    read: async (platform) =>
      at((await platform.call('GET', `/v3/export-jobs/${await platform.newJob()}`)).body, 'data'),
  },
  {
    what: 'a result',
    source: 'P1.6',
    needs: 'export',
    fields: ['accountingEntryId', 'exportJobId', 'status'],
    read: async (platform) => {
      const { body } = await platform.call('GET', `/v3/export-jobs/${await platform.newJob()}/items`);
      return at(body, 'data', 0);
    },
  },
  {
    what: 'an export item',
    source: 'P1.8',
    needs: 'export',
    fields: [
      ...['_links', 'accountingEntryId', 'accountingEntryLines', 'additionalInformation', 'amount'],
      ...['companyId', 'date', 'type'],
    ],
    read: (platform) => firstItem(platform),
  },
  {
    what: 'a line of an item',
    source: 'P1.8',
    needs: 'export',
    fields: ['accountingEntryLineId', 'lineAmount', 'netAmount'],
    read: (platform) => firstItem(platform, 'accountingEntryLines', 0),
  },
  {
    what: 'an amount of an item',
    source: 'P1.8',
    needs: 'export',
    fields: ['inSupplierCurrency', 'inWalletCurrency'],
    read: (platform) => firstItem(platform, 'amount'),
  },
];

const OF_SETUP: readonly DocumentedResponse[] = [
  {
    what: 'a subscription',
    source: 'P2.1',
    needs: 'write',
    fields: ['id', 'status', 'eventTypes', 'endpointUrl', 'createdAt', 'updatedAt'],
    read: (platform) => created(platform, '/v1/subscriptions', SUBSCRIPTION, '/v1/subscriptions'),
  },
  {
    what: 'an activity',
    source: 'P2.1',
    needs: 'write',
    fields: ['id', 'subscriptionId', 'operationType', 'actorUrn', 'description', 'createdAt'],
    read: async (platform) => {
      const id = await platform.create('/v1/subscriptions', SUBSCRIPTION, '/v1/subscriptions');
      return at((await platform.call('GET', `/v1/subscriptions/${id}/activities`)).body, 'data', 0);
    },
  },
  {
    what: 'an installation',
    source: 'P3.6',
    needs: 'write',
    fields: ['applicationId', 'createdAt', 'id', 'metadata', 'resource', 'status', 'updatedAt'],
    read: async (platform) => {
      await platform.call('POST', '/v1/installations/me', { body: {} });
      return (await platform.call('GET', '/v1/installations/me')).body;
    },
  },
  {
    what: 'a company',
    source: 'P8',
    needs: 'read',
    fields: ['address', 'id', 'name'],
    read: async (platform) =>
      at((await platform.call('GET', `/v1/companies/${await platform.companyId()}`)).body, 'data'),
  },
];

const PAGE = '/v1/companies?limit=1';
const OF_LISTS: readonly DocumentedResponse[] = [
  {
    what: 'the pagination of a list',
    source: 'P0.2',
    needs: 'read',
    fields: [...['currentRequestPagination', 'hasNextPage', 'hasPreviousPage', 'startCursor', 'endCursor'], 'total'],
    read: async (platform) => at((await platform.call('GET', PAGE)).body, 'pagination'),
  },
  {
    what: 'the request in a pagination',
    source: 'P0.2',
    needs: 'read',
    fields: ['parameters', 'limit', 'sortingKeys', 'sortingOrder'],
    read: async (platform) => {
      const sorted = `${PAGE}&sorting_keys=id&sorting_order=ASC`;
      return at((await platform.call('GET', sorted)).body, 'pagination', 'currentRequestPagination');
    },
  },
];

const newGroup = async (platform: Platform) =>
  platform.create(
    `/v0/tag-groups?company_id=${await platform.companyId()}`,
    { archived: false, code: 'P', name: 'Project' },
    '/v0/tag-groups',
  );
const OF_TAGS: readonly DocumentedResponse[] = [
  {
    what: 'a tag group',
    source: 'P7',
    needs: 'write',
    fields: ['id', 'companyId', 'name', 'code', 'archived', 'metadata', 'createdAt', 'updatedAt'],
    read: async (platform) =>
      at((await platform.call('GET', `/v0/tag-groups/${await newGroup(platform)}`)).body, 'data'),
  },
  {
    what: 'a tag',
    source: 'P7',
    needs: 'write',
    fields: ['id', 'groupId', 'name', 'code', 'archived', 'createdAt', 'updatedAt'],
    read: async (platform) => {
      const tags = `/v0/tag-groups/${await newGroup(platform)}/tags`;
      const body = { archived: false, code: 'A', name: 'Alpha' };
      return at((await platform.call('POST', tags, { body })).body, 'data');
    },
  },
  {
    what: 'a dimension',
    source: 'P7',
    needs: 'write',
    fields: ['id', 'code', 'name', 'visible', 'displayOrder'],
    read: async (platform) => {
      const list = `/v0/tag-groups/${await newGroup(platform)}/dimensions`;
      const id = await platform.create(list, { code: 'region', name: 'Region', visible: true }, list);
      return at((await platform.call('GET', `${list}/${id}`)).body, 'data');
    },
  },
  {
    what: 'an employee',
    source: 'P8',
    needs: 'sandbox',
    fields: ['id', 'companyId', 'email', 'firstName', 'lastName'],
    read: async ({ sandbox }) => {
      const customer = await sandbox.customer();
      const person = { email: 'ida@example.com', firstName: 'Ida', lastName: 'Berg' };
      await sandbox.control('POST', `/companies/${await customer.companyId()}/employees`, person);
      return at((await customer.call('GET', '/v2/employees')).body, 'data', 0);
    },
  },
];

const OF_REFERENCE_DATA: readonly DocumentedResponse[] = [
  {
    what: 'an account',
    source: 'P4',
    needs: 'write',
    fields: ['archived', 'companyId', 'externalId', 'id', 'name'],
    read: (platform) => {
      const body = { externalId: fresh('account'), name: 'Travel', archived: false };
      return created(platform, '/v1/chart-of-accounts', body, '/v1/chart-of-accounts');
    },
  },
  {
    what: 'a tax code',
    source: 'P5',
    needs: 'write',
    fields: ['archived', 'companyId', 'name', 'rate', 'type', 'id', 'createdAt', 'updatedAt'],
    read: (platform) => {
      const body = { name: 'VAT', rate: 0.2, type: 'inclusive', archived: false };
      return created(platform, '/v0/tax-codes', body, '/v0/tax-codes');
    },
  },
  {
    what: 'a vendor',
    source: 'P6',
    needs: 'write',
    fields: ['companyId', 'defaultCurrency', 'id', 'name', 'state'],
    read: (platform) => created(platform, '/v1/vendors', { name: 'Example Ltd', defaultCurrency: 'EUR' }),
  },
];

export const RESPONSE_FIELD_ROWS: readonly ConformanceRow[] = [
  ...OF_EXPORTS,
  ...OF_SETUP,
  ...OF_LISTS,
  ...OF_TAGS,
  ...OF_REFERENCE_DATA,
].flatMap(({ what, source, needs, fields, read }) =>
  fields.map((field) => ({
    fact: `${what} is answered with ${field}`,
    source,
    needs,
    observe: async (platform: Platform) => at(await read(platform), field),
    expected: expect.anything(),
  })),
);
