import { expect } from '@jest/globals';
import type { ConformanceRow } from '../conformance-row.js';
import { at, unknownId, refusal, type Platform } from '../platform.js';

const JOB = {
  id: expect.any(String),
  companyId: expect.any(String),
  createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
  expiresIn: expect.any(Number),
  isInteractive: expect.any(Boolean),
  numberOfItems: expect.any(Number),
  status: 'pending',
  vendorBasedBookkeeping: false,
};
const report = async (platform: Platform, jobId: string, results: readonly object[]) =>
  platform.call('PUT', `/v3/export-jobs/${jobId}/items`, { body: results });
const firstEntry = (platform: Platform) => platform.address.entryIds[0];
const jobOf = async (platform: Platform, jobId: string) =>
  at((await platform.call('GET', `/v3/export-jobs/${jobId}`)).body, 'data');

const JOBS: readonly ConformanceRow[] = [
  {
    fact: 'a job is created with 201, pending, and expires an hour after its last update',
    source: 'P1.1, P1.3, P1.4',
    needs: 'export',
    observe: async (platform) => {
      const body = { companyId: await platform.companyId(), accountingEntryIds: platform.address.entryIds };
      const answer = await platform.call('POST', '/v3/export-jobs', { body });
      await platform.sendJobEvent(String(at(answer.body, 'data', 'id')), 'failed');
      return [answer.status, at(answer.body, 'data')];
    },
    expected: [201, expect.objectContaining({ ...JOB, expiresIn: 3600 })],
  },
  ...(['v2', 'v3'] as const).map((version) => ({
    fact: `a second job of the company is refused with 409 (${version})`,
    source: 'P0.4, P1.4',
    needs: 'export' as const,
    observe: async (platform: Platform) => {
      await platform.newJob();
      const body = { companyId: await platform.companyId(), accountingEntryIds: platform.address.entryIds };
      return refusal(await platform.call('POST', `/${version}/export-jobs`, { body }));
    },
    expected: [409, 'EXPORT_ALREADY_IN_PROGRESS'],
  })),
  ...(['v2', 'v3'] as const).map((version) => ({
    fact: `a job is read by its id (${version})`,
    source: 'P1.1',
    needs: 'export' as const,
    observe: async (platform: Platform) => {
      const jobId = await platform.newJob();
      return at((await platform.call('GET', `/${version}/export-jobs/${jobId}`)).body, 'data');
    },
    expected: expect.objectContaining(JOB),
  })),
  ...(['v2', 'v3'] as const).map((version) => ({
    fact: `jobs are listed by status, which may be repeated (${version})`,
    source: 'P0.1, P1.2',
    needs: 'export' as const,
    observe: async (platform: Platform) => {
      const jobId = await platform.newJob();
      const list = async (query: string) =>
        JSON.stringify((await platform.call('GET', `/${version}/export-jobs?limit=100&${query}`)).body);
      return [
        (await list('statuses=pending&statuses=in_progress')).includes(jobId),
        (await list('statuses=completed')).includes(jobId),
      ];
    },
    expected: [true, false],
  })),
  ...(['v2', 'v3'] as const).map((version) => ({
    fact: `an unknown job is answered 404 (${version})`,
    source: 'P0.4',
    needs: 'read' as const,
    observe: async (platform: Platform) =>
      refusal(await platform.call('GET', `/${version}/export-jobs/${unknownId()}`)),
    expected: [404, 'EXPORT_NOT_FOUND'],
  })),
  {
    fact: 'an unknown status in a filter is refused',
    source: 'P1.2 (enumeration)',
    needs: 'read',
    observe: async (platform) => (await platform.call('GET', '/v3/export-jobs?statuses=expired')).status,
    expected: 400,
  },
];

const EVENTS: readonly ConformanceRow[] = [
  {
    fact: 'an event is answered 202 without a body',
    source: 'P1.1',
    needs: 'export',
    observe: async (platform) => {
      const answer = await platform.sendJobEvent(await platform.newJob(), 'started');
      return [answer.status, answer.body];
    },
    expected: [202, undefined],
  },
  {
    fact: 'version 2 takes events as well',
    source: 'P1.1',
    needs: 'export',
    observe: async (platform) => {
      const body = { jobId: await platform.newJob(), event: 'started' };
      return (await platform.call('POST', '/v2/export-job-events', { body })).status;
    },
    expected: 202,
  },
  {
    fact: 'started makes a job in_progress and sets startedAt',
    source: 'P1.4',
    needs: 'export',
    observe: async (platform) => {
      const jobId = await platform.newJob();
      await platform.sendJobEvent(jobId, 'started');
      return jobOf(platform, jobId);
    },
    expected: expect.objectContaining({ status: 'in_progress', startedAt: expect.any(String) }),
  },
  ...['completed', 'completed_with_errors', 'failed'].map((event) => ({
    fact: `${event} ends a started job and sets completedAt`,
    source: 'P1.4',
    needs: 'export' as const,
    observe: async (platform: Platform) => {
      const jobId = await platform.newJob();
      await platform.sendJobEvent(jobId, 'started');
      await platform.sendJobEvent(jobId, event);
      return jobOf(platform, jobId);
    },
    expected: expect.objectContaining({ status: event, completedAt: expect.any(String) }),
  })),
  ...['started', 'completed', 'failed'].map((event) => ({
    fact: `a finished job takes no ${event}`,
    source: 'P1.4',
    needs: 'export' as const,
    observe: async (platform: Platform) => {
      const jobId = await platform.newJob();
      await platform.sendJobEvent(jobId, 'started');
      await platform.sendJobEvent(jobId, 'completed');
      return refusal(await platform.sendJobEvent(jobId, event));
    },
    expected: [422, 'INVALID_EXPORT_JOB_STATUS_CHANGE'],
  })),
  {
    fact: 'a started job takes no second started',
    source: 'P1.4',
    needs: 'export',
    observe: async (platform) => {
      const jobId = await platform.newJob();
      await platform.sendJobEvent(jobId, 'started');
      return refusal(await platform.sendJobEvent(jobId, 'started'));
    },
    expected: [422, 'INVALID_EXPORT_JOB_STATUS_CHANGE'],
  },
  {
    fact: 'a failed job keeps its reason, and its open items are abandoned',
    source: 'P1.4, P1.5',
    needs: 'export',
    observe: async (platform) => {
      const jobId = await platform.newJob();
      const reason = { failureReason: 'no rights', failureReasonType: 'authorization_failure' };
      await platform.sendJobEvent(jobId, 'failed', reason);
      const items = await platform.call('GET', `/v3/export-jobs/${jobId}/items?limit=1`);
      return [await jobOf(platform, jobId), at(items.body, 'data', 0, 'status')];
    },
    expected: [
      expect.objectContaining({ failureReason: 'no rights', failureReasonType: 'authorization_failure' }),
      'abandoned',
    ],
  },
  {
    fact: 'a reason that only items have is refused for a job',
    source: 'P1.5, note',
    needs: 'export',
    observe: async (platform) => {
      const failureReasonType = 'accounting_system_validation_failure';
      return (await platform.sendJobEvent(await platform.newJob(), 'failed', { failureReasonType })).status;
    },
    expected: 400,
  },
  {
    fact: 'an unknown event is refused',
    source: 'P1.5',
    needs: 'export',
    observe: async (platform) => (await platform.sendJobEvent(await platform.newJob(), 'canceled')).status,
    expected: 400,
  },
];

const RESULTS: readonly ConformanceRow[] = [
  ...(['v2', 'v3'] as const).map((version) => ({
    fact: `results come as a bare array and are returned in data (${version})`,
    source: 'P1.6',
    needs: 'export' as const,
    observe: async (platform: Platform) => {
      const jobId = await platform.newJob();
      const body = [{ accountingEntryId: firstEntry(platform), status: 'in_progress', externalId: 'JE-1' }];
      return (await platform.call('PUT', `/${version}/export-jobs/${jobId}/items`, { body })).body;
    },
    expected: {
      data: [expect.objectContaining({ status: 'in_progress', externalId: 'JE-1' })],
      errors: [],
    },
  })),
  {
    fact: 'an unknown entry stands in errors, and the others count',
    source: 'P1.6',
    needs: 'export',
    observe: async (platform) => {
      const jobId = await platform.newJob();
      const results = [unknownId(), firstEntry(platform)].map((accountingEntryId) => ({
        accountingEntryId,
        status: 'in_progress',
      }));
      const { status, body } = await report(platform, jobId, results);
      return [status, at(body, 'data', 'length'), at(body, 'errors', 0, 'type')];
    },
    expected: [200, 1, 'ACCOUNTING_ENTRY_DOES_NOT_EXIST'],
  },
  {
    fact: 'more than 100 results are refused',
    source: 'P0.4',
    needs: 'export',
    observe: async (platform) => {
      const one = { accountingEntryId: firstEntry(platform), status: 'in_progress' };
      return refusal(
        await report(
          platform,
          await platform.newJob(),
          Array.from({ length: 101 }, () => one),
        ),
      );
    },
    expected: [413, 'EXPORT_JOB_ITEMS_UPDATE_LIMIT'],
  },
  {
    fact: 'a finished job takes no results',
    source: 'P0.4',
    needs: 'export',
    observe: async (platform) => {
      const jobId = await platform.newJob();
      await platform.sendJobEvent(jobId, 'failed');
      const one = { accountingEntryId: firstEntry(platform), status: 'failed' };
      return refusal(await report(platform, jobId, [one]));
    },
    expected: [422, 'EXPORT_JOB_STATUS_UNPROCESSABLE'],
  },
  {
    fact: 'a failed item keeps its reason',
    source: 'P1.6',
    needs: 'export',
    observe: async (platform) => {
      const jobId = await platform.newJob();
      const reason = { failureReason: 'no account', failureReasonType: 'account_unknown' };
      const one = { accountingEntryId: firstEntry(platform), status: 'failed', ...reason };
      await report(platform, jobId, [one]);
      const items = await platform.call('GET', `/v3/export-jobs/${jobId}/items?status=failed`);
      return at(items.body, 'data', 0);
    },
    expected: expect.objectContaining({ failureReason: 'no account', failureReasonType: 'account_unknown' }),
  },
  ...(['v2', 'v3'] as const).map((version) => ({
    fact: `the items of a job are listed (${version})`,
    source: 'P1.1, P1.6',
    needs: 'export' as const,
    observe: async (platform: Platform) => {
      const jobId = await platform.newJob();
      const answer = await platform.call('GET', `/${version}/export-jobs/${jobId}/items?limit=1`);
      return [at(answer.body, 'data', 0, 'exportJobId') === jobId, at(answer.body, 'data', 0, 'status')];
    },
    expected: [true, 'pending'],
  })),
  {
    fact: 'the reasons of version 3 are unknown to version 2',
    source: 'P1.6, failure reasons of items',
    needs: 'export',
    observe: async (platform) => {
      const jobId = await platform.newJob();
      const body = [
        { accountingEntryId: firstEntry(platform), status: 'failed', failureReasonType: 'account_unknown' },
      ];
      return (await platform.call('PUT', `/v2/export-jobs/${jobId}/items`, { body })).status;
    },
    expected: 400,
  },
];

const ITEMS: readonly ConformanceRow[] = [
  {
    fact: 'the data of a running job’s items is served, by job',
    source: 'P1.2, P1.8',
    needs: 'export',
    observe: async (platform) => {
      const jobId = await platform.newJob();
      const answer = await platform.call('GET', `/v3/export-items?job_id=${jobId}&limit=1`);
      return [answer.status, at(answer.body, 'data', 0)];
    },
    expected: [
      200,
      expect.objectContaining({
        accountingEntryId: expect.any(String),
        accountingEntryLines: expect.any(Array),
      }),
    ],
  },
  {
    fact: 'version 2 serves items unless the customer has several currencies',
    source: 'P0.4',
    needs: 'export',
    observe: async (platform) => {
      const jobId = await platform.newJob();
      const answer = await platform.call('GET', `/v2/export-items?job_id=${jobId}&limit=1`);
      return answer.status === 200 || at(answer.body, 'type') === 'UNSUPPORTED_API_VERSION';
    },
    expected: true,
  },
  {
    fact: 'the items of a finished job are not served',
    source: 'P0.4',
    needs: 'export',
    observe: async (platform) => {
      const jobId = await platform.newJob();
      await platform.sendJobEvent(jobId, 'failed');
      return refusal(await platform.call('GET', `/v3/export-items?job_id=${jobId}`));
    },
    expected: [422, 'EXPORT_JOB_STATUS_UNPROCESSABLE'],
  },
];

export const EXPORT_ROWS: readonly ConformanceRow[] = [...JOBS, ...EVENTS, ...RESULTS, ...ITEMS];
