import { expect } from '@jest/globals';
import type { ConformanceRow } from '../conformance-row.js';
import { item } from '../export-item.js';
import { at, unknownId, refusal, type Platform } from '../platform.js';
import { payload, only, scene } from '../webhook-scene.js';

/** A job asked for with these fields, as it is answered. */
const jobWith = async (platform: Platform, extra: object) => {
  const body = { companyId: await platform.companyId(), accountingEntryIds: platform.address.entryIds };
  const answer = await platform.call('POST', '/v3/export-jobs', { body: { ...body, ...extra } });
  await platform.sendJobEvent(String(at(answer.body, 'data', 'id')), 'failed');
  return at(answer.body, 'data');
};
const EMPLOYEE = unknownId();

const OPTIONS: readonly ConformanceRow[] = (
  [
    ['a job is interactive by default', 'isInteractive', {}, true],
    ['a job may be asked for as not interactive', 'isInteractive', { isInteractive: false }, false],
    ['isInteractive may be null', 'isInteractive', { isInteractive: null }, true],
    ['a job has no vendor bookkeeping by default', 'vendorBasedBookkeeping', {}, false],
    [
      'a job may be asked for with vendor bookkeeping',
      'vendorBasedBookkeeping',
      { options: { vendorBasedBookkeeping: true } },
      true,
    ],
    ['the options of a job may be null', 'vendorBasedBookkeeping', { options: null }, false],
    [
      'vendorBasedBookkeeping may be null',
      'vendorBasedBookkeeping',
      { options: { vendorBasedBookkeeping: null } },
      false,
    ],
    ['a job is returned with the employee who asked for it', 'createdBy', { employeeId: EMPLOYEE }, EMPLOYEE],
    ['the employee of a job may be null', 'createdBy', { employeeId: null }, null],
  ] as const
).map(([fact, field, extra, expected]) => ({
  fact,
  source: 'P1.3, P1.7, P13',
  needs: 'export' as const,
  observe: async (platform: Platform) => at(await jobWith(platform, extra), field),
  expected,
}));

const LISTED: readonly ConformanceRow[] = [
  {
    fact: 'jobs are listed by company, and not those of a foreign one',
    source: 'P1.2, P0.3',
    needs: 'export',
    observe: async (platform) => {
      const jobId = await platform.newJob();
      const list = (companyId: string) =>
        platform.call('GET', `/v3/export-jobs?company_id=${companyId}&statuses=pending`);
      const own = await list(await platform.companyId());
      return [JSON.stringify(own.body).includes(jobId), (await list(unknownId())).status];
    },
    expected: [true, 403],
  },
  ...['v2', 'v3'].map((version) => ({
    fact: `a single status ${version === 'v2' ? 'filters jobs in version 2' : 'filters nothing in version 3'}`,
    source: 'P1.2, P1.9',
    needs: 'export' as const,
    observe: async (platform: Platform) => {
      const jobId = await platform.newJob();
      const { body } = await platform.call(
        'GET',
        `/${version}/export-jobs?status=completed&limit=100${version === 'v2' ? '' : '&statuses=pending'}`,
      );
      return JSON.stringify(at(body, 'data')).includes(jobId);
    },
    expected: version === 'v3',
  })),
  {
    fact: 'the items of a job are listed by status',
    source: 'P1.2',
    needs: 'export',
    observe: async (platform) => {
      const path = `/v3/export-jobs/${await platform.newJob()}/items`;
      const [accountingEntryId] = platform.address.entryIds;
      await platform.call('PUT', path, { body: [{ accountingEntryId, status: 'in_progress' }] });
      const found = async (status: string) =>
        JSON.stringify(at((await platform.call('GET', `${path}?status=${status}`)).body, 'data'));
      return [
        (await found('in_progress')).includes(String(accountingEntryId)),
        (await found('pending')).includes(String(accountingEntryId)),
      ];
    },
    expected: [true, false],
  },
];

const RESULTS: readonly ConformanceRow[] = [
  {
    fact: 'an entry that is not of the job stands in errors as EXPORT_ENTRY_STATUS_UPDATE_FAILED',
    source: 'P1.6',
    needs: 'sandbox',
    observe: async ({ sandbox }) => {
      const customer = await sandbox.customer({ items: [item(1)] });
      const jobId = await customer.newJob();
      const [elsewhere] = await sandbox.addItems(await customer.companyId(), [item(2)]);
      const body = [{ accountingEntryId: elsewhere, status: 'successful' }];
      const answer = await customer.call('PUT', `/v3/export-jobs/${jobId}/items`, { body });
      return [answer.status, answer.body, at(answer.body, 'errors', 0, 'accountingEntryId') === elsewhere];
    },
    expected: [
      200,
      {
        data: [],
        errors: [
          {
            accountingEntryId: expect.any(String),
            type: 'EXPORT_ENTRY_STATUS_UPDATE_FAILED',
            message: expect.any(String),
          },
        ],
      },
      true,
    ],
  },
  ...['accountingEntryId', 'message', 'type'].map((field) => ({
    fact: `an error of a result is answered with ${field}`,
    source: 'P1.6',
    needs: 'export' as const,
    observe: async (platform: Platform) => {
      const body = [{ accountingEntryId: unknownId(), status: 'failed' }];
      const path = `/v3/export-jobs/${await platform.newJob()}/items`;
      return at((await platform.call('PUT', path, { body })).body, 'errors', 0, field);
    },
    expected: expect.any(String),
  })),
  {
    fact: 'a job that an integration asks for is announced, too',
    source: 'P1.4 (first row)',
    needs: 'sandbox',
    observe: async (platform) =>
      scene(platform, async ({ customer, receiver }) => {
        const accountingEntryIds = customer.address.entryIds;
        const body = { companyId: await customer.companyId(), accountingEntryIds };
        const answer = await customer.call('POST', '/v3/export-jobs', { body });
        await receiver.arrivals(1);
        const seen = payload(only({ receiver }));
        return [at(seen, 'eventType'), at(seen, 'data', 'id') === at(answer.body, 'data', 'id')];
      }),
    expected: ['v1.export-job.created', true],
  },
];

/** The messages of the error table, as its examples have them. */
const MESSAGES: readonly (readonly [
  message: string,
  type: string,
  provoke: (platform: Platform) => Promise<readonly [string, string, unknown?]>,
])[] = [
  ['Export job not found.', 'EXPORT_NOT_FOUND', () => Promise.resolve(['GET', `/v3/export-jobs/${unknownId()}`])],
  [
    'Number of items to update is more than 100.',
    'EXPORT_JOB_ITEMS_UPDATE_LIMIT',
    async (platform) => [
      'PUT',
      `/v3/export-jobs/${await platform.newJob()}/items`,
      Array.from({ length: 101 }, () => ({ accountingEntryId: unknownId(), status: 'failed' })),
    ],
  ],
  [
    'Export job is finished.',
    'EXPORT_JOB_STATUS_UNPROCESSABLE',
    async (platform) => {
      const jobId = await platform.newJob();
      await platform.sendJobEvent(jobId, 'failed');
      return ['PUT', `/v3/export-jobs/${jobId}/items`, []];
    },
  ],
  [
    'Export Job status change failed',
    'INVALID_EXPORT_JOB_STATUS_CHANGE',
    async (platform) => ['POST', '/v3/export-job-events', { jobId: await platform.newJob(), event: 'completed' }],
  ],
];

const ERRORS: readonly ConformanceRow[] = [
  ...MESSAGES.map(([message, type, provoke]) => ({
    fact: `${type} says “${message}”`,
    source: 'P0.4',
    needs: type === 'EXPORT_NOT_FOUND' ? ('read' as const) : ('export' as const),
    observe: async (platform: Platform) => {
      const [method, path, body] = await provoke(platform);
      const answer = await platform.call(method, path, body === undefined ? {} : { body });
      return [refusal(answer)[1], at(answer.body, 'message')];
    },
    expected: [type, message],
  })),
  {
    fact: 'a 401 has the form of an error',
    source: 'P0.3, P0.4',
    needs: 'read',
    observe: async (platform) => (await platform.call('GET', '/v1/introspect', { authorization: null })).body,
    expected: { type: expect.any(String), message: expect.any(String) },
  },
  {
    fact: 'a 403 has the form of an error',
    source: 'P0.3, P0.4',
    needs: 'read',
    observe: async (platform) => {
      const { status, body } = await platform.call('GET', `/v2/employees?companyId=${unknownId()}`);
      return [status, body];
    },
    expected: [403, { type: expect.any(String), message: expect.any(String) }],
  },
  ...['GET /v3/export-jobs', 'GET /v1/companies', 'GET /v1/subscriptions'].map((operation) => ({
    fact: `${operation} is answered as application/json;charset=UTF-8`,
    source: 'P0.1',
    needs: 'read' as const,
    observe: async (platform: Platform) => {
      const [method = '', path = ''] = operation.split(' ');
      return (await platform.call(method, path)).headers.get('content-type');
    },
    expected: expect.stringMatching(/^application\/json; ?charset=utf-8$/i),
  })),
];

export const JOB_OPTION_ROWS: readonly ConformanceRow[] = [...OPTIONS, ...LISTED, ...RESULTS, ...ERRORS];
