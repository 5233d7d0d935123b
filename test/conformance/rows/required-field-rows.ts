import type { ConformanceRow } from '../conformance-row.js';
import { fresh, unknownId, refusal, type Platform } from '../platform.js';

/** A request that is complete, and which of its fields must not be missing. */
interface Complete {
  readonly what: string;
  readonly source: string;
  readonly operation: string;
  readonly body: object;
  readonly required: readonly string[];
  /** How it is answered without one of them: a thing that does not exist may be noticed first. */
  readonly statuses?: readonly number[];
}

const ACCOUNT = { externalId: 'x', name: 'Travel', archived: false };
const TAX_CODE = { name: 'VAT', rate: 0.2, type: 'inclusive', archived: false };
const VENDOR = { name: 'Example Ltd', defaultCurrency: 'EUR', externalId: 'x', state: 'ACTIVE' };
const COMPANY = { companyId: '' };

const COMPLETE: readonly Complete[] = [
  {
    what: 'a new account',
    source: 'P4',
    operation: 'POST /v1/chart-of-accounts',
    body: { ...COMPANY, ...ACCOUNT },
    required: ['companyId', 'externalId', 'name', 'archived'],
  },
  {
    what: 'the update of an account',
    source: 'P4',
    operation: 'PUT /v1/chart-of-accounts/*',
    body: ACCOUNT,
    required: ['name', 'archived'],
  },
  {
    what: 'a batch of accounts',
    source: 'P4',
    operation: 'POST /v1/chart-of-accounts/batch',
    body: { ...COMPANY, items: [ACCOUNT] },
    required: ['companyId', 'items'],
  },
  {
    what: 'a search of accounts',
    source: 'P4',
    operation: 'POST /v1/chart-of-accounts:search',
    body: COMPANY,
    required: ['companyId'],
  },
  {
    what: 'a new tax code',
    source: 'P5',
    operation: 'POST /v0/tax-codes',
    body: { ...COMPANY, ...TAX_CODE },
    required: ['companyId', 'name', 'rate', 'type', 'archived'],
  },
  {
    what: 'the update of a tax code',
    source: 'P5',
    operation: 'PUT /v0/tax-codes/*',
    body: { ...COMPANY, ...TAX_CODE },
    required: ['companyId', 'name', 'rate', 'type', 'archived'],
  },
  {
    what: 'the update of a vendor',
    source: 'P6',
    operation: 'PUT /v1/vendors/*',
    body: { ...COMPANY, ...VENDOR },
    required: ['companyId', 'defaultCurrency', 'externalId', 'name', 'state'],
  },
  {
    what: 'the activation of a vendor',
    source: 'P6',
    operation: 'POST /v1/vendors/*:activate',
    body: { externalId: 'x' },
    required: ['externalId'],
  },
  {
    what: 'a new tag',
    source: 'P7',
    operation: 'POST /v0/tag-groups/*/tags',
    body: { archived: false, code: 'x' },
    required: ['archived', 'code'],
  },
  {
    what: 'the update of a tag',
    source: 'P7',
    operation: 'PUT /v0/tags/*',
    body: { archived: false, code: 'x' },
    required: ['archived', 'code'],
  },
  {
    what: 'a new tag group',
    source: 'P7',
    operation: 'POST /v0/tag-groups',
    body: { archived: false, code: 'x', name: 'Project', metadata: {} },
    required: ['archived', 'code', 'name'],
  },
  {
    what: 'archiving tags in bulk',
    source: 'P7',
    operation: 'POST /v0/tags/archive',
    body: { ...COMPANY, archived: true, tagIds: [unknownId()] },
    required: ['companyId', 'archived', 'tagIds'],
  },
  {
    what: 'deleting tags in bulk',
    source: 'P7',
    operation: 'DELETE /v0/tags',
    body: { ...COMPANY, tagIds: [unknownId()] },
    required: ['companyId', 'tagIds'],
  },
  {
    what: 'the value of a dimension',
    source: 'P7',
    operation: 'PUT /v0/tags/*/dimensions/*',
    body: { value: 'North' },
    required: ['value'],
  },
  {
    what: 'a job event',
    source: 'P1.5',
    operation: 'POST /v3/export-job-events',
    body: { jobId: unknownId(), event: 'started' },
    required: ['jobId', 'event'],
  },
  {
    what: 'a new job',
    source: 'P1.7',
    operation: 'POST /v3/export-jobs',
    body: { ...COMPANY, accountingEntryIds: [unknownId()] },
    required: ['companyId', 'accountingEntryIds'],
  },
  {
    what: 'the update of a subscription',
    source: 'P2.1',
    operation: 'PUT /v1/subscriptions/*',
    body: { endpointUrl: 'https://example.com/hook', eventTypes: ['v1.export-job.created'] },
    required: ['endpointUrl', 'eventTypes'],
  },
  {
    what: 'the update of an installation',
    source: 'P3.6',
    operation: 'PUT /v1/installations/me',
    body: { status: 'ACTIVATED' },
    required: ['status'],
  },
];

const send = async (platform: Platform, { operation, body }: Complete, field: string) => {
  const [method = '', path = ''] = operation.split(' ');
  const complete = 'companyId' in body ? { ...body, companyId: await platform.companyId() } : body;
  const address = path.replaceAll('*', unknownId());
  return platform.call(method, address, { body: { ...complete, [field]: undefined } });
};

export const REQUIRED_FIELD_ROWS: readonly ConformanceRow[] = [
  ...COMPLETE.flatMap((complete) =>
    complete.required.map((field) => ({
      fact: `${complete.what} needs ${field}`,
      source: complete.source,
      needs: 'write' as const,
      observe: async (platform: Platform) => (await send(platform, complete, field)).status,
      expected: 400,
    })),
  ),
  ...['accountingEntryId', 'status'].map((field) => ({
    fact: `a result needs ${field}`,
    source: 'P1.6',
    needs: 'export' as const,
    observe: async (platform: Platform) => {
      const path = `/v3/export-jobs/${await platform.newJob()}/items`;
      const result = {
        accountingEntryId: platform.address.entryIds[0],
        status: 'pending',
        [field]: undefined,
      };
      return (await platform.call('PUT', path, { body: [result] })).status;
    },
    expected: 400,
  })),
  {
    fact: 'results in an object instead of a bare array are refused',
    source: 'P1.6',
    needs: 'export',
    observe: async (platform) => {
      const path = `/v3/export-jobs/${await platform.newJob()}/items`;
      const item = { accountingEntryId: platform.address.entryIds[0], status: 'pending' };
      return (await platform.call('PUT', path, { body: { items: [item] } })).status;
    },
    expected: 400,
  },
  {
    fact: 'a search of vendors needs company_id',
    source: 'P6',
    needs: 'read',
    observe: async (platform) => (await platform.call('POST', '/v1/vendors:search', { body: {} })).status,
    expected: 400,
  },
  {
    fact: 'the aggregation of tag groups needs a company or an organization',
    source: 'P7',
    needs: 'read',
    observe: async (platform) => (await platform.call('GET', '/v0/aggregations/tag-groups')).status,
    expected: 400,
  },
  {
    fact: 'a bad body is VALIDATION_FAILED, a bad parameter PARAMETER_VALIDATION_FAILED, bad JSON JSON_MAPPING_EXCEPTION',
    source: 'P0.4 (generic validation types)',
    needs: 'read',
    observe: async (platform) => [
      refusal(await platform.call('POST', '/v1/chart-of-accounts:search', { body: {} })),
      refusal(await platform.call('GET', '/v3/export-jobs/none')),
      refusal(await platform.call('POST', '/v1/chart-of-accounts:search', { text: '{"companyId":' })),
    ],
    expected: [
      [400, 'VALIDATION_FAILED'],
      [400, 'PARAMETER_VALIDATION_FAILED'],
      [400, 'JSON_MAPPING_EXCEPTION'],
    ],
  },
  {
    fact: 'unknown fields of a request are ignored',
    source: 'P4, P10',
    needs: 'read',
    observe: async (platform) => {
      const body = { companyId: await platform.companyId(), includeArchived: true };
      return (await platform.call('POST', '/v1/chart-of-accounts:search', { body })).status;
    },
    expected: 200,
  },
  {
    fact: 'a plain application/json is taken like one with a charset',
    source: 'P0.1',
    needs: 'read',
    observe: async (platform) => {
      const text = JSON.stringify({ companyId: await platform.companyId(), name: fresh('none') });
      const type = 'application/json';
      return (await platform.call('POST', '/v1/chart-of-accounts:search', { text, type })).status;
    },
    expected: 200,
  },
];
