import { expect } from '@jest/globals';
import type { ConformanceRow } from '../conformance-row.js';
import { item } from '../export-item.js';
import { at, fresh, unknownId, type Platform } from '../platform.js';

const GROUPS = '/v0/tag-groups';
const ORGANIZATION = unknownId();
const ADDRESS = {
  addressLine1: 'Main street 1',
  addressLine2: '2nd floor',
  country: 'DK',
  locality: 'Copenhagen',
  postalCode: '1000',
  region: 'Capital',
};
const VENDOR = {
  code: '70001',
  country: 'DK',
  registrationNumber: 'DK12345678',
  taxRegistrationNumber: 'DK87654321',
};
const posted = async (platform: Platform, path: string, body: object) => {
  const companyId = await platform.companyId();
  return at((await platform.call('POST', path, { body: { companyId, ...body } })).body, 'data');
};
const newVendor = (platform: Platform, extra: object) =>
  posted(platform, '/v1/vendors', { name: 'Paper Ltd', defaultCurrency: 'EUR', ...extra });
const newTaxCode = (platform: Platform, extra: object = {}) =>
  posted(platform, '/v0/tax-codes', {
    name: 'VAT',
    rate: 0.25,
    type: 'inclusive',
    archived: false,
    ...extra,
  });
const newGroup = async (platform: Platform, extra: object = {}) =>
  platform.create(
    `${GROUPS}?company_id=${await platform.companyId()}`,
    { archived: false, code: 'P', name: 'Project', ...extra },
    GROUPS,
  );

const KEPT: readonly ConformanceRow[] = [
  ...Object.entries({ ...VENDOR, externalId: '' }).map(([field, value]) => ({
    fact: `a vendor keeps its ${field}`,
    source: 'P6',
    needs: 'write' as const,
    observe: async (platform: Platform) => {
      const kept = value === '' ? fresh('vendor') : value;
      return at(await newVendor(platform, { [field]: kept }), field) === kept;
    },
    expected: true,
  })),
  ...['createdAt', 'updatedAt'].map((field) => ({
    fact: `a vendor is answered with ${field}`,
    source: 'P6',
    needs: 'write' as const,
    observe: async (platform: Platform) => at(await newVendor(platform, {}), field),
    expected: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  })),
  ...['code', 'ingoingTaxAccount', 'outgoingTaxAccount', 'accountingIntegrationSystem'].map((field) => ({
    fact: `a tax code has ${field} with null when it is not known`,
    source: 'P5',
    needs: 'write' as const,
    observe: async (platform: Platform) => at(await newTaxCode(platform), field),
    expected: null,
  })),
  ...['code', 'taxCodeExternalId', 'metadata'].map((field) => ({
    fact: `an account has ${field} with null when it is not known`,
    source: 'P4',
    needs: 'write' as const,
    observe: async (platform: Platform) => {
      const body = { externalId: fresh('x'), name: 'Travel', archived: false };
      return at(await posted(platform, '/v1/chart-of-accounts', body), field);
    },
    expected: null,
  })),
  {
    fact: 'an activated vendor has the externalId and the code it was activated with',
    source: 'P6',
    needs: 'write',
    observe: async (platform) => {
      const path = `/v1/vendors/${String(at(await newVendor(platform, {}), 'id'))}`;
      const body = { externalId: fresh('vendor'), code: '70002' };
      await platform.call('POST', `${path}:activate`, { body });
      const data = at((await platform.call('GET', path)).body, 'data');
      return [at(data, 'externalId') === body.externalId, at(data, 'code'), at(data, 'state')];
    },
    expected: [true, '70002', 'ACTIVE'],
  },
  {
    fact: 'a failed account of a batch is returned with its request',
    source: 'P4',
    needs: 'write',
    observe: async (platform) => {
      const items = [{ externalId: '', name: 'Travel', archived: false }];
      const data = await posted(platform, '/v1/chart-of-accounts/batch', { items });
      return at(data, 'failed', 0);
    },
    expected: { request: expect.objectContaining({ name: 'Travel' }), reasons: ['EXTERNAL_ID_EMPTY'] },
  },
  {
    fact: 'accounts that are a contra account are left out of a search on request',
    source: 'P4',
    needs: 'sandbox',
    observe: async ({ sandbox }) => {
      const account = { id: unknownId(), code: '1010', identifier: fresh('wallet') };
      const customer = await sandbox.customer({ company: { contraAccounts: { EUR: account } } });
      const body = { externalId: account.identifier, name: 'Wallet', archived: false };
      const companyId = await customer.companyId();
      await posted(customer, '/v1/chart-of-accounts', body);
      const found = async (filter: object) => {
        const search = { body: { companyId, ...filter } };
        return at((await customer.call('POST', '/v1/chart-of-accounts:search', search)).body, 'data', 'length');
      };
      return [await found({}), await found({ excludeIfAssignedToContraAccount: true })];
    },
    expected: [1, 0],
  },
  ...['gross', 'net', 'tax'].map((part) => ({
    fact: `calculated tax is returned with ${part}`,
    source: 'P5',
    needs: 'write' as const,
    observe: async (platform: Platform) => {
      const id = String(at(await newTaxCode(platform), 'id'));
      const amounts = [{ id: 'one', amount: { currency: 'ISK', minors: 1_500 } }];
      const body = { amountsByTaxCodeId: { [id]: amounts } };
      const answer = await platform.call('POST', '/v0/tax-codes:calculate-tax-amounts', { body });
      return at(answer.body, 'data', 'taxes', id, 0, 'amountTaxBreakdown', part);
    },
    expected: { currency: 'ISK', minors: { gross: 1_500, net: 1_200, tax: 300 }[part] },
  })),
];

const TAGS: readonly ConformanceRow[] = [
  {
    fact: 'a tag group is made without metadata',
    source: 'P7',
    needs: 'write',
    observe: async (platform) => at((await platform.call('GET', `${GROUPS}/${await newGroup(platform)}`)).body, 'data'),
    expected: expect.objectContaining({ name: 'Project', archived: false, metadata: {} }),
  },
  {
    fact: 'a tag is made without a name',
    source: 'P7',
    needs: 'write',
    observe: async (platform) => {
      const body = { archived: false, code: 'A' };
      const answer = await platform.call('POST', `${GROUPS}/${await newGroup(platform)}/tags`, { body });
      return [answer.status, at(answer.body, 'data', 'archived')];
    },
    expected: [201, false],
  },
  ...(['include_archived', 'include_tags_count'] as const).map((name) => ({
    fact: `tag groups are listed with ${name}`,
    source: 'P7',
    needs: 'write' as const,
    observe: async (platform: Platform) => {
      const archived = name === 'include_archived';
      const id = await newGroup(platform, { archived });
      await platform.call('POST', `${GROUPS}/${id}/tags`, { body: { archived: false, code: 'A' } });
      const list = async (query: string) => {
        const { body } = await platform.call('GET', `${GROUPS}?company_id=${await platform.companyId()}${query}`);
        const groups: unknown = at(body, 'data');
        return Array.isArray(groups)
          ? groups.map((group: unknown) => group).find((group) => at(group, 'id') === id)
          : undefined;
      };
      const [plain, asked] = [await list(''), await list(`&${name}=true`)];
      return archived
        ? [plain === undefined, asked !== undefined]
        : [at(plain, 'totalTagsCount'), at(asked, 'totalTagsCount')];
    },
    expected: name === 'include_archived' ? [true, true] : [undefined, 1],
  })),
  {
    fact: 'company_id wins over organization_id',
    source: 'P7',
    needs: 'write',
    observe: async (platform) => {
      const query = `company_id=${await platform.companyId()}&organization_id=${unknownId()}`;
      return (await platform.call('GET', `${GROUPS}?${query}`)).status;
    },
    expected: 200,
  },
  {
    fact: 'the usage of a tag group counts the entries that carry each tag',
    source: 'P7',
    needs: 'sandbox',
    observe: async ({ sandbox }) => {
      const customer = await sandbox.customer();
      const group = await newGroup(customer);
      const id = await customer.create(`${GROUPS}/${group}/tags`, { archived: false, code: 'A' });
      const amount = at(item(1), 'amount');
      const line = { lineAmount: amount, netAmount: amount, tags: [{ id, code: 'A', groupCode: '' }] };
      await sandbox.addItems(await customer.companyId(), [item(1, { accountingEntryLines: [line] })]);
      return at((await customer.call('GET', `${GROUPS}/${group}/usage`)).body, 'data', 'usages', 0);
    },
    expected: { id: expect.any(String), count: 1 },
  },
  {
    fact: 'a tag takes values of the other dimensions with its update',
    source: 'P13',
    needs: 'write',
    observe: async (platform) => {
      const group = await newGroup(platform);
      const list = `${GROUPS}/${group}/dimensions`;
      await platform.create(list, { code: 'region', name: 'Region', visible: true }, list);
      const body = { archived: false, code: 'A', name: 'Alpha', otherDimensionValues: ['North'] };
      const tag = await platform.create(`${GROUPS}/${group}/tags`, body);
      const value = async () => at((await platform.call('GET', `/v0/tags/${tag}/dimensions`)).body, 'data', 0, 'value');
      const before = await value();
      await platform.call('PUT', `/v0/tags/${tag}`, { body: { ...body, otherDimensionValues: ['South'] } });
      return [before, await value()];
    },
    expected: ['North', 'South'],
  },
];

const COMPANIES: readonly ConformanceRow[] = [
  ...['organizationId', 'registrationNumber', 'address'].map((field) => ({
    fact: `a company is returned with its ${field}`,
    source: 'P8',
    needs: 'sandbox' as const,
    observe: async ({ sandbox }: Platform) => {
      const company = { organizationId: ORGANIZATION, registrationNumber: 'DK1', address: ADDRESS };
      const customer = await sandbox.customer({ company });
      return at((await customer.call('GET', '/v1/companies')).body, 'data', 0, field);
    },
    expected: { organizationId: ORGANIZATION, registrationNumber: 'DK1', address: ADDRESS }[field],
  })),
  {
    fact: 'companies are found by organization, with a credential of it only',
    source: 'P8',
    needs: 'sandbox',
    observe: async ({ sandbox }) => {
      const organizationId = unknownId();
      const customer = await sandbox.customer({ company: { organizationId } });
      const list = (id: string) => customer.call('GET', `/v1/companies?organization_id=${id}`);
      return [at((await list(organizationId)).body, 'data', 'length'), (await list(unknownId())).status];
    },
    expected: [1, 403],
  },
  {
    fact: 'a credential of an organization names the company it means',
    source: 'P0.3',
    needs: 'sandbox',
    observe: async ({ sandbox }) => {
      const organizationId = unknownId();
      const [one, other] = [
        await sandbox.customer({ company: { organizationId }, items: [item(1)] }),
        await sandbox.customer({ company: { organizationId } }),
      ];
      const jobId = await one.newJob();
      const both = await sandbox.withOrganizationKey(organizationId);
      const listed = async (platform: Platform) => {
        const path = `/v3/export-jobs?company_id=${await platform.companyId()}`;
        return JSON.stringify((await both.call('GET', path)).body).includes(jobId);
      };
      return [await listed(one), await listed(other)];
    },
    expected: [true, false],
  },
];
export const REFERENCE_DETAIL_ROWS: readonly ConformanceRow[] = [...KEPT, ...TAGS, ...COMPANIES];
