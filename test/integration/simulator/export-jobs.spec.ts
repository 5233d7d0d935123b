import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { at, exportItem, listAt, SimulatorHarness, textAt } from './simulator-harness.js';
import { startedOnce } from '../../support/started-once.js';

const simulator = startedOnce(() => SimulatorHarness.start());
let token: string;
let companyId: string;

beforeEach(async () => {
  companyId = await simulator.addCompany();
  const key = await simulator.control('POST', '/api-keys', { companyId });
  token = textAt(key, 'apiKey');
});

const call = (method: string, path: string, body?: unknown) =>
  simulator.call(method, path, { token, ...(body === undefined ? {} : { body }) });
const event = (jobId: string, name: string, extra: object = {}) =>
  call('POST', '/v3/export-job-events', { jobId, event: name, ...extra });
const statusOf = async (jobId: string) => at((await call('GET', `/v3/export-jobs/${jobId}`)).body, 'data', 'status');
const newJob = async (count = 1) => {
  const ids = await simulator.addItems(
    companyId,
    Array.from({ length: count }, () => exportItem(-100)),
  );
  return { jobId: await simulator.triggerExport(companyId), ids };
};

describe('export jobs', () => {
  it('are shown with every field of the schema', async () => {
    const { jobId } = await newJob(2);
    const answer = await call('GET', `/v3/export-jobs/${jobId}`);
    const now = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(at(answer.body, 'data')).toEqual({
      id: jobId,
      companyId,
      status: 'pending',
      isInteractive: true,
      vendorBasedBookkeeping: false,
      numberOfItems: 2,
      createdAt: now,
      createdBy: null,
      startedAt: null,
      completedAt: null,
      expiredAt: null,
      lastUpdatedAt: now,
      expiresIn: 3600,
      failureReason: null,
    });
    const v2 = await call('GET', `/v2/export-jobs/${jobId}`);
    expect(at(v2.body, 'data', 'failureReasonType')).toBeNull();
  });

  it('are created one at a time per company', async () => {
    const [first = '', second = ''] = await simulator.addItems(companyId, [exportItem(-1), exportItem(-2)]);
    const body = { companyId, accountingEntryIds: [first], options: { vendorBasedBookkeeping: true } };
    const created = await call('POST', '/v3/export-jobs', body);
    expect(created.status).toBe(201);
    expect(at(created.body, 'data')).toMatchObject({ vendorBasedBookkeeping: true, numberOfItems: 1 });
    const again = await call('POST', '/v3/export-jobs', { companyId, accountingEntryIds: [second] });
    expect(again.status).toBe(409);
    expect(at(again.body, 'type')).toBe('EXPORT_ALREADY_IN_PROGRESS');
    await event(textAt(created.body, 'data', 'id'), 'failed');
    const unknown = await call('POST', '/v3/export-jobs', { companyId, accountingEntryIds: [randomUUID()] });
    expect(unknown.status).toBe(400);
    const foreign = await call('POST', '/v3/export-jobs', {
      companyId: randomUUID(),
      accountingEntryIds: [],
    });
    expect(foreign.status).toBe(403);
  });

  it('are created once for two concurrent requests', async () => {
    const accountingEntryIds = await simulator.addItems(companyId, [exportItem(-1)]);
    const create = () => call('POST', '/v3/export-jobs', { companyId, accountingEntryIds });
    const answers = await Promise.all([create(), create(), create()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  it('are listed by status', async () => {
    const { jobId } = await newJob();
    const query = `company_id=${companyId}&statuses=pending&statuses=in_progress`;
    const listed = await call('GET', `/v3/export-jobs?${query}`);
    expect(listAt(listed.body, 'data')).toHaveLength(1);
    expect(at(listed.body, 'pagination', 'currentRequestPagination', 'parameters')).toEqual({
      company_id: [companyId],
      statuses: ['pending', 'in_progress'],
    });
    await event(jobId, 'failed');
    expect(listAt((await call('GET', `/v3/export-jobs?${query}`)).body, 'data')).toHaveLength(0);
    expect((await call('GET', '/v3/export-jobs?statuses=expired')).status).toBe(400);
    expect((await call('GET', `/v3/export-jobs?company_id=${randomUUID()}`)).status).toBe(403);
  });

  it('are sorted by their times [P0.2]', async () => {
    const first = (await newJob()).jobId;
    await event(first, 'failed');
    await simulator.control('POST', '/clock', { advanceSeconds: 60 });
    const second = (await newJob()).jobId;
    const sorted = async (key: string, order: string, limit = 2) => {
      const { body } = await call('GET', `/v3/export-jobs?sorting_keys=${key}&sorting_order=${order}&limit=${limit}`);
      return listAt(body, 'data').map((job) => at(job, 'id'));
    };
    for (const key of ['createdAt', 'lastUpdatedAt']) {
      expect(await sorted(key, 'ASC')).toEqual([first, second]);
      expect(await sorted(key, 'DESC', 1)).toEqual([second]);
    }
    await simulator.control('POST', '/clock', { offsetSeconds: 0 });
  });

  it('of other companies are not found', async () => {
    const { jobId } = await newJob();
    const other = await simulator.addCompany();
    const key = await simulator.control('POST', '/api-keys', { companyId: other });
    const foreign = { token: textAt(key, 'apiKey') };
    const paths = [`/v3/export-jobs/${jobId}`, `/v3/export-jobs/${jobId}/items`, `/v3/export-items?job_id=${jobId}`];
    for (const path of paths) {
      const answer = await simulator.call('GET', path, foreign);
      expect(answer.status).toBe(404);
      expect(at(answer.body, 'type')).toBe('EXPORT_NOT_FOUND');
    }
    const moved = await simulator.call('POST', '/v3/export-job-events', {
      ...foreign,
      body: { jobId, event: 'started' },
    });
    expect(moved.status).toBe(404);
  });
});

describe('a job that does not exist', () => {
  it.each([randomUUID(), '11111111-1111-1111-1111-111111111111'])('%s is not found by any operation', async (jobId) => {
    const calls = [
      ['GET', `/v3/export-jobs/${jobId}`, undefined],
      ['GET', `/v3/export-items?job_id=${jobId}`, undefined],
      ['POST', '/v3/export-job-events', { jobId, event: 'started' }],
      ['PUT', `/v3/export-jobs/${jobId}/items`, [{ accountingEntryId: jobId, status: 'failed' }]],
    ] as const;
    for (const [method, path, body] of calls) {
      const answer = await call(method, path, body);
      expect([path, answer.status, at(answer.body, 'type')]).toEqual([path, 404, 'EXPORT_NOT_FOUND']);
    }
  });
});

describe('job events', () => {
  const EVENTS = ['started', 'failed', 'completed', 'completed_with_errors'] as const;
  const REACHED_BY: Readonly<Record<string, readonly string[]>> = {
    pending: [],
    in_progress: ['started'],
    failed: ['failed'],
    completed: ['started', 'completed'],
    completed_with_errors: ['started', 'completed_with_errors'],
  };
  const ALLOWED: readonly (readonly [string, string])[] = [
    ['pending', 'started'],
    ['pending', 'failed'],
    ['in_progress', 'failed'],
    ['in_progress', 'completed'],
    ['in_progress', 'completed_with_errors'],
  ];
  const cases = Object.keys(REACHED_BY).flatMap((status) => EVENTS.map((name) => [status, name] as const));

  it.each(cases)('%s + %s', async (status, name) => {
    const { jobId } = await newJob();
    for (const step of REACHED_BY[status] ?? []) {
      await event(jobId, step);
    }
    const allowed = ALLOWED.some(([from, taken]) => from === status && taken === name);
    const answer = await event(jobId, name);
    expect(answer.status).toBe(allowed ? 202 : 422);
    expect(answer.text === '').toBe(allowed);
    expect(await statusOf(jobId)).toBe(allowed ? (name === 'started' ? 'in_progress' : name) : status);
    if (!allowed) {
      expect(at(answer.body, 'type')).toBe('INVALID_EXPORT_JOB_STATUS_CHANGE');
    }
  });

  it('keep the reason of a failure and abandon open items', async () => {
    const { jobId, ids } = await newJob(2);
    await event(jobId, 'started');
    await call('PUT', `/v3/export-jobs/${jobId}/items`, [{ accountingEntryId: ids[0], status: 'successful' }]);
    await event(jobId, 'failed', { failureReason: 'no period', failureReasonType: 'validation_failure' });
    const shown = await simulator.control('GET', `/export-jobs/${jobId}`);
    expect(at(shown, 'job')).toMatchObject({
      status: 'failed',
      failureReason: 'no period',
      failureReasonType: 'validation_failure',
    });
    expect(
      listAt(shown, 'items')
        .map((item) => at(item, 'status'))
        .sort(),
    ).toEqual(['abandoned', 'successful']);
    expect(listAt(shown, 'events').map((one) => at(one, 'event'))).toEqual(['started', 'failed']);
  });

  it('take the reasons of jobs from the reasons of items', async () => {
    const { jobId } = await newJob();
    const wrong = await event(jobId, 'failed', { failureReasonType: 'accounting_system_validation_failure' });
    expect(wrong.status).toBe(400);
    expect((await call('POST', '/v3/export-job-events', { exportJobId: jobId, event: 'started' })).status).toBe(400);
  });

  it('are also sent for a cancellation by a user', async () => {
    const { jobId } = await newJob();
    await simulator.control('POST', `/export-jobs/${jobId}/cancel`);
    expect(at((await call('GET', `/v3/export-jobs/${jobId}`)).body, 'data')).toMatchObject({
      status: 'failed',
      failureReasonType: 'canceled_by_user',
    });
  });
});

describe('expiry', () => {
  it('comes an hour after the last update, which item results renew', async () => {
    const { jobId, ids } = await newJob(2);
    const move = (advanceSeconds: number) => simulator.control('POST', '/clock', { advanceSeconds });
    await event(jobId, 'started');
    await move(3_590);
    await call('PUT', `/v3/export-jobs/${jobId}/items`, [{ accountingEntryId: ids[0], status: 'successful' }]);
    await move(3_590);
    expect(await statusOf(jobId)).toBe('in_progress');
    await move(20);
    const job = await call('GET', `/v3/export-jobs/${jobId}`);
    expect(at(job.body, 'data')).toMatchObject({ status: 'failed', failureReasonType: 'job_expired' });
    expect(textAt(job.body, 'data', 'expiredAt')).toMatch(/Z$/);
    const items = await call('GET', `/v3/export-jobs/${jobId}/items?status=abandoned`);
    expect(listAt(items.body, 'data').map((item) => at(item, 'accountingEntryId'))).toEqual([ids[1]]);
    expect((await event(jobId, 'completed')).status).toBe(422);
    const next = await simulator.triggerExport(companyId);
    const again = await call('GET', `/v3/export-jobs/${next}/items`);
    expect(listAt(again.body, 'data').map((item) => at(item, 'accountingEntryId'))).toEqual([ids[1]]);
    await simulator.control('POST', '/clock', { offsetSeconds: 0 });
  });

  it('shows the simulator’s time in every response', async () => {
    await simulator.control('POST', '/clock', { offsetSeconds: 86_400 });
    const answer = await call('GET', '/v3/export-jobs');
    const ahead = Date.parse(answer.headers.get('date') ?? '') - Date.now();
    expect(Math.round(ahead / 60_000)).toBe(1_440);
    await simulator.control('POST', '/clock', { offsetSeconds: 0 });
  });
});
