import { expect } from '@jest/globals';
import type { ConformanceRow } from '../conformance-row.js';
import { at, fresh, type Platform } from '../platform.js';

const JOB_REASONS = [
  'invalid_configuration',
  'missing_configuration',
  'authentication_failure',
  'accounting_system_authentication_failure',
  // The platform's own limit is named after the platform.
  'platform_rate_limit',
  'accounting_system_rate_limit',
  'service_unreachable',
  'accounting_system_unreachable',
  'validation_failure',
  'authorization_failure',
  'integration_unusable',
  'job_expired',
  'service_timeout',
  'accounting_system_timeout',
  'canceled_by_user',
];
const ITEM_REASONS = [
  'receipt_upload_failure',
  'receipt_download_failure',
  'receipt_file_size_limit_exceeded',
  'receipt_conversion_failure',
  'unexpected_failure',
  'invalid_configuration',
  'missing_configuration',
  'accounting_system_authentication_failure',
  'accounting_system_rate_limit',
  'accounting_system_unreachable',
  'validation_failure',
  'accounting_system_validation_failure',
  'authorization_failure',
  'accounting_system_timeout',
];
/** Codes that are not, or no longer, those of a country. */
const LEGACY_COUNTRIES = 'AC AN BU CP CS DG EA EU EZ FX IC NT SF SU TA TP UK XI XU XK YU ZR'.split(' ');
const ITEM_REASONS_OF_V3 = ['vendor_unknown', 'account_unknown', 'tax_code_unknown', 'tag_unknown'];

const reported = async (platform: Platform, version: string, result: object) => {
  const path = `/${version}/export-jobs/${await platform.newJob()}/items`;
  const [accountingEntryId] = platform.address.entryIds;
  return platform.call('PUT', path, { body: [{ accountingEntryId, status: 'failed', ...result }] });
};
const failedItem = (version: string, failureReasonType: string, status: number): ConformanceRow => ({
  fact: `${version} ${status === 200 ? 'takes' : 'refuses'} the reason ${failureReasonType} of an item`,
  source: 'P1.6',
  needs: 'export',
  observe: async (platform) => {
    const answer = await reported(platform, version, { failureReasonType });
    return [answer.status, at(answer.body, 'data', 0, 'failureReasonType')];
  },
  expected: [status, status === 200 ? failureReasonType : undefined],
});

const EXPORT_ENUMERATIONS: readonly ConformanceRow[] = [
  ...JOB_REASONS.map((failureReasonType) => ({
    fact: `a job may fail for ${failureReasonType}`,
    source: 'P1.5',
    needs: 'export' as const,
    observe: async (platform: Platform) => {
      const jobId = await platform.newJob();
      const { status } = await platform.sendJobEvent(jobId, 'failed', { failureReasonType });
      const { body } = await platform.call('GET', `/v3/export-jobs/${jobId}`);
      return [status, at(body, 'data', 'failureReasonType')];
    },
    expected: [202, failureReasonType],
  })),
  ...[...ITEM_REASONS, ...ITEM_REASONS_OF_V3].map((type) => failedItem('v3', type, 200)),
  ...ITEM_REASONS.map((type) => failedItem('v2', type, 200)),
  ...ITEM_REASONS_OF_V3.map((type) => failedItem('v2', type, 400)),
  failedItem('v3', 'because', 400),
  ...['pending', 'in_progress', 'failed', 'successful', 'abandoned'].map((status) => ({
    fact: `an item may be ${status}`,
    source: 'P1.6',
    needs: 'export' as const,
    observe: async (platform: Platform) => at((await reported(platform, 'v3', { status })).body, 'data', 0, 'status'),
    expected: status,
  })),
  {
    fact: 'an item is in no other state',
    source: 'P1.6',
    needs: 'export',
    observe: async (platform) => (await reported(platform, 'v3', { status: 'done' })).status,
    expected: 400,
  },
  {
    fact: 'an item keeps when it was exported and under which id and address',
    source: 'P1.6',
    needs: 'export',
    observe: async (platform) => {
      const result = {
        status: 'successful',
        exportedAt: '2026-04-22T10:08:56Z',
        externalId: 'JE-10452',
        externalUrl: 'https://erp.example/JE-10452',
      };
      return at((await reported(platform, 'v3', result)).body, 'data', 0);
    },
    expected: expect.objectContaining({
      exportedAt: '2026-04-22T10:08:56Z',
      externalId: 'JE-10452',
      externalUrl: 'https://erp.example/JE-10452',
    }),
  },
];

const installed = async (platform: Platform, change: object) => {
  await platform.call('POST', '/v1/installations/me', { body: {} });
  return platform.call('PUT', '/v1/installations/me', { body: { status: 'ERROR', ...change } });
};
const subscribed = async (platform: Platform, extra: object) => {
  const body = { endpointUrl: 'https://example.com/hook', eventTypes: ['v1.export-job.created'], ...extra };
  const answer = await platform.call('POST', '/v1/subscriptions', { body });
  await platform.call('DELETE', `/v1/subscriptions/${String(at(answer.body, 'data', 'id'))}`);
  return answer;
};
const taxCode = async (platform: Platform, extra: object) => {
  const companyId = await platform.companyId();
  const body = { companyId, name: 'VAT', rate: 0.2, type: 'inclusive', archived: false, ...extra };
  const answer = await platform.call('POST', '/v0/tax-codes', { body });
  await platform.call('DELETE', `/v0/tax-codes/${String(at(answer.body, 'data', 'id'))}`);
  return answer;
};
const vendor = async (platform: Platform, extra: object) => {
  const companyId = await platform.companyId();
  const body = { companyId, name: 'Example Ltd', defaultCurrency: 'EUR', ...extra };
  return platform.call('POST', '/v1/vendors', { body });
};

const OTHER_ENUMERATIONS: readonly ConformanceRow[] = [
  ...['AUTHORIZED', 'PENDING_INTEGRATION', 'ACTIVATED', 'INACTIVE', 'ERROR'].map((status) => ({
    fact: `an installation may be ${status}`,
    source: 'P3.6',
    needs: 'write' as const,
    observe: async (platform: Platform) => at((await installed(platform, { status })).body, 'status'),
    expected: status,
  })),
  ...['NOT_ENTITLED', 'AUTH_ERROR'].map((errorCode) => ({
    fact: `an installation may be in error for ${errorCode}`,
    source: 'P3.6',
    needs: 'write' as const,
    observe: async (platform: Platform) => at((await installed(platform, { errorCode })).body, 'errorCode'),
    expected: errorCode,
  })),
  {
    fact: 'an installation is in error for nothing else',
    source: 'P3.6',
    needs: 'write',
    observe: async (platform) => (await installed(platform, { errorCode: 'TIRED' })).status,
    expected: 400,
  },
  ...['v1.export-job.created', 'v1.vendor.created'].map((eventType) => ({
    fact: `${eventType} can be subscribed to`,
    source: 'P2.2',
    needs: 'write' as const,
    observe: async (platform: Platform) => (await subscribed(platform, { eventTypes: [eventType] })).status,
    expected: 200,
  })),
  ...['v1.export.job-created', 'v2.export-job.created'].map((eventType) => ({
    fact: `${eventType} is a misspelling and refused`,
    source: 'P2.2',
    needs: 'write' as const,
    observe: async (platform: Platform) => (await subscribed(platform, { eventTypes: [eventType] })).status,
    expected: 400,
  })),
  {
    fact: 'one subscription may be of several events',
    source: 'P2.1',
    needs: 'write',
    observe: async (platform) => {
      const eventTypes = ['v1.export-job.created', 'v1.vendor.created'];
      return at((await subscribed(platform, { eventTypes })).body, 'data', 'eventTypes');
    },
    expected: ['v1.export-job.created', 'v1.vendor.created'],
  },
  ...(
    [
      [{ type: 'NONE' }, 200],
      [{ type: 'BASIC', credentials: { username: 'u', password: 'p' } }, 200],
      [{ type: 'BEARER', credentials: { token: 't' } }, 400],
    ] as const
  ).map(([endpointAuth, status]) => ({
    fact: `an endpointAuth of type ${endpointAuth.type} is ${status === 200 ? 'taken' : 'refused'}`,
    source: 'P2.1',
    needs: 'write' as const,
    observe: async (platform: Platform) => (await subscribed(platform, { endpointAuth })).status,
    expected: status,
  })),
  ...['ACTIVE', 'INACTIVE'].map((status) => ({
    fact: `a subscription may be ${status}`,
    source: 'P2.1',
    needs: 'write' as const,
    observe: async (platform: Platform) => at((await subscribed(platform, { status })).body, 'data', 'status'),
    expected: status,
  })),
  {
    fact: 'a subscription is in no other state',
    source: 'P2.1',
    needs: 'write',
    observe: async (platform) => (await subscribed(platform, { status: 'PAUSED' })).status,
    expected: 400,
  },
  ...['CREATE', 'UPDATE', 'DELETE'].map((operationType) => ({
    fact: `activities of a subscription are found by ${operationType}`,
    source: 'P2.1',
    needs: 'write' as const,
    observe: async (platform: Platform) => {
      const body = { endpointUrl: 'https://example.com/hook', eventTypes: ['v1.export-job.created'] };
      const path = `/v1/subscriptions/${await platform.create('/v1/subscriptions', body)}`;
      await platform.call('PUT', path, { body });
      await platform.call('DELETE', path);
      const found = await platform.call('GET', `${path}/activities?operation_types=${operationType}`);
      return [at(found.body, 'data', 'length'), at(found.body, 'data', 0, 'operationType')];
    },
    expected: [1, operationType],
  })),
  ...(
    [
      ['inclusive', 201],
      ['reverse', 201],
      ['exclusive', 400],
    ] as const
  ).map(([type, status]) => ({
    fact: `a tax code of type ${type} is ${status === 201 ? 'taken' : 'not supported'}`,
    source: 'P1.8, P5',
    needs: 'write' as const,
    observe: async (platform: Platform) => (await taxCode(platform, { type })).status,
    expected: status,
  })),
  ...['DK', 'UNDEFINED', ...LEGACY_COUNTRIES].map((country) => ({
    fact: `a vendor may be of the country ${country}`,
    source: 'P6, P1.8',
    needs: 'write' as const,
    observe: async (platform: Platform) => at((await vendor(platform, { country })).body, 'data', 'country'),
    expected: country,
  })),
  ...(
    [
      ['country', 'Denmark'],
      ['defaultCurrency', 'EURO'],
    ] as const
  ).map(([field, value]) => ({
    fact: `a vendor’s ${field} is no ${value}`,
    source: 'P6',
    needs: 'write' as const,
    observe: async (platform: Platform) => (await vendor(platform, { [field]: value })).status,
    expected: 400,
  })),
  ...['DRAFT', 'ACTIVE', 'ARCHIVED'].map((state) => ({
    fact: `a vendor is updated to ${state}, and found by it`,
    source: 'P6',
    needs: 'write' as const,
    observe: async (platform: Platform) => {
      const externalId = fresh('vendor');
      const created = await vendor(platform, { externalId });
      const companyId = await platform.companyId();
      const body = { companyId, name: 'Example Ltd', defaultCurrency: 'EUR', externalId, state };
      const path = `/v1/vendors/${String(at(created.body, 'data', 'id'))}`;
      const updated = await platform.call('PUT', path, { body });
      const search = { externalIds: [externalId], states: [state] };
      const found = await platform.call('POST', `/v1/vendors:search?company_id=${companyId}`, {
        body: search,
      });
      return [at(updated.body, 'data', 'state'), at(found.body, 'data', 'length')];
    },
    expected: [state, 1],
  })),
];

export const ENUMERATION_ROWS: readonly ConformanceRow[] = [...EXPORT_ENUMERATIONS, ...OTHER_ENUMERATIONS];
