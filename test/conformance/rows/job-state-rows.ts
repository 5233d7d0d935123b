import { expect } from '@jest/globals';
import type { ConformanceRow } from '../conformance-row.js';
import { at, refusal, type Platform } from '../platform.js';
import { item } from '../export-item.js';

const EVENTS = ['started', 'failed', 'completed', 'completed_with_errors'] as const;
/** The events that lead to each state. */
const WAYS = {
  pending: [],
  in_progress: ['started'],
  failed: ['failed'],
  completed: ['started', 'completed'],
  completed_with_errors: ['started', 'completed_with_errors'],
} as const;
const MOVES: Readonly<Record<string, readonly string[]>> = {
  pending: ['started', 'failed'],
  in_progress: ['failed', 'completed', 'completed_with_errors'],
};
const HOUR = 3_600;

const statusOf = async (platform: Platform, jobId: string) =>
  at((await platform.call('GET', `/v3/export-jobs/${jobId}`)).body, 'data', 'status');

const MATRIX: readonly ConformanceRow[] = Object.entries(WAYS).flatMap(([state, way]) =>
  EVENTS.map((event) => {
    const moves = MOVES[state]?.includes(event) === true;
    return {
      fact: `${event} ${moves ? 'moves' : 'is refused to'} a job that is ${state}`,
      source: 'P1.4',
      needs: 'export' as const,
      observe: async (platform: Platform) => {
        const jobId = await platform.newJob();
        for (const step of way) {
          await platform.sendJobEvent(jobId, step);
        }
        const answer = await platform.sendJobEvent(jobId, event);
        const now = await statusOf(platform, jobId);
        return [moves ? [answer.status, answer.body] : refusal(answer), now];
      },
      expected: moves
        ? [[202, undefined], event === 'started' ? 'in_progress' : event]
        : [[422, 'INVALID_EXPORT_JOB_STATUS_CHANGE'], state],
    };
  }),
);

const runningJob = async ({ sandbox }: Platform) => {
  const customer = await sandbox.customer({ items: [item(100), item(200)] });
  return { sandbox, customer, jobId: await customer.newJob() };
};

const EXPIRY: readonly ConformanceRow[] = [
  ...['pending', 'in_progress'].map((state) => ({
    fact: `a job that is ${state} fails as job_expired when an hour has passed since its last update`,
    source: 'P1.4',
    needs: 'sandbox' as const,
    observe: async (platform: Platform) => {
      const { sandbox, customer, jobId } = await runningJob(platform);
      if (state === 'in_progress') {
        await customer.sendJobEvent(jobId, 'started');
      }
      await sandbox.advance(HOUR - 60);
      const before = await statusOf(customer, jobId);
      await sandbox.advance(61);
      const { body } = await customer.call('GET', `/v3/export-jobs/${jobId}`);
      const items = await customer.call('GET', `/v3/export-jobs/${jobId}/items?status=abandoned`);
      return [before, at(body, 'data'), at(items.body, 'data', 'length')];
    },
    expected: [
      state,
      expect.objectContaining({
        status: 'failed',
        failureReasonType: 'job_expired',
        expiredAt: expect.any(String),
      }),
      2,
    ],
  })),
  {
    fact: 'an event and a result give a job a new hour',
    source: 'P1.4',
    needs: 'sandbox',
    observe: async (platform) => {
      const { sandbox, customer, jobId } = await runningJob(platform);
      await sandbox.advance(HOUR - 60);
      await customer.sendJobEvent(jobId, 'started');
      await sandbox.advance(HOUR - 60);
      const body = [{ accountingEntryId: customer.address.entryIds[0], status: 'successful' }];
      await customer.call('PUT', `/v3/export-jobs/${jobId}/items`, { body });
      await sandbox.advance(HOUR - 60);
      return statusOf(customer, jobId);
    },
    expected: 'in_progress',
  },
  {
    fact: 'results that were reported stay when the job expires',
    source: 'P1.4, P1.6',
    needs: 'sandbox',
    observe: async (platform) => {
      const { sandbox, customer, jobId } = await runningJob(platform);
      const body = [{ accountingEntryId: customer.address.entryIds[0], status: 'successful' }];
      await customer.call('PUT', `/v3/export-jobs/${jobId}/items`, { body });
      await sandbox.advance(HOUR + 1);
      const items = await customer.call('GET', `/v3/export-jobs/${jobId}/items`);
      return [at(items.body, 'data', 0, 'status'), at(items.body, 'data', 1, 'status')].toSorted();
    },
    expected: ['abandoned', 'successful'],
  },
  {
    fact: 'a user who cancels fails the job as canceled_by_user',
    source: 'P1.4, P1.5',
    needs: 'sandbox',
    observe: async (platform) => {
      const { sandbox, customer, jobId } = await runningJob(platform);
      await sandbox.control('POST', `/export-jobs/${jobId}/cancel`);
      const { body } = await customer.call('GET', `/v3/export-jobs/${jobId}`);
      return [at(body, 'data', 'status'), at(body, 'data', 'failureReasonType')];
    },
    expected: ['failed', 'canceled_by_user'],
  },
  {
    fact: 'an entry that failed comes back in the next job under the same id, one that was exported does not',
    source: 'P9.3',
    needs: 'sandbox',
    observe: async (platform) => {
      const { sandbox, customer, jobId } = await runningJob(platform);
      const [good, bad] = customer.address.entryIds;
      await customer.sendJobEvent(jobId, 'started');
      const body = [
        { accountingEntryId: good, status: 'successful' },
        { accountingEntryId: bad, status: 'failed' },
      ];
      await customer.call('PUT', `/v3/export-jobs/${jobId}/items`, { body });
      await customer.sendJobEvent(jobId, 'completed_with_errors');
      const next = await sandbox.triggerExport(await customer.companyId());
      const items = await customer.call('GET', `/v3/export-jobs/${next}/items`);
      return [at(items.body, 'data', 'length'), at(items.body, 'data', 0, 'accountingEntryId') === bad];
    },
    expected: [1, true],
  },
  {
    fact: 'an entry is locked while it is exported, and free afterwards',
    source: 'P1.4',
    needs: 'sandbox',
    observe: async (platform) => {
      const { sandbox, customer, jobId } = await runningJob(platform);
      const change = async () =>
        sandbox.control('PUT', `/items/${String(customer.address.entryIds[0])}`, item(300)).then(
          () => 'changed',
          () => 'locked',
        );
      const before = await change();
      await customer.sendJobEvent(jobId, 'failed');
      return [before, await change()];
    },
    expected: ['locked', 'changed'],
  },
];

export const JOB_STATE_ROWS: readonly ConformanceRow[] = [...MATRIX, ...EXPIRY];
