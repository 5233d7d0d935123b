import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { at, exportItem, listAt, SimulatorHarness, textAt } from './simulator-harness.js';

let simulator: SimulatorHarness;
let token: string;
let companyId: string;

beforeAll(async () => {
  simulator = await SimulatorHarness.start();
});
afterAll(() => simulator.stop());
beforeEach(async () => {
  companyId = await simulator.addCompany();
  const key = await simulator.control('POST', '/api-keys', { companyId });
  token = textAt(key, 'apiKey');
});

const call = (method: string, path: string, body?: unknown) =>
  simulator.call(method, path, { token, ...(body === undefined ? {} : { body }) });
const event = (jobId: string, name: string, extra: object = {}) =>
  call('POST', '/v3/export-job-events', { jobId, event: name, ...extra });
const statusOf = async (jobId: string) =>
  at((await call('GET', `/v3/export-jobs/${jobId}`)).body, 'data', 'status');
const newJob = async (count = 1) => {
  const ids = await simulator.addItems(
    companyId,
    Array.from({ length: count }, () => exportItem(-100)),
  );
  return { jobId: await simulator.pressExport(companyId), ids };
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

  it('of other companies do not exist', async () => {
    const { jobId } = await newJob();
    const other = await simulator.addCompany();
    const key = await simulator.control('POST', '/api-keys', { companyId: other });
    const foreign = { token: textAt(key, 'apiKey') };
    const paths = [
      `/v3/export-jobs/${jobId}`,
      `/v3/export-jobs/${jobId}/items`,
      `/v3/export-items?job_id=${jobId}`,
    ];
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

  it('keep the reason of a failure and abandon what is open', async () => {
    const { jobId, ids } = await newJob(2);
    await event(jobId, 'started');
    await call('PUT', `/v3/export-jobs/${jobId}/items`, [
      { accountingEntryId: ids[0], status: 'successful' },
    ]);
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

  it('know the reasons of jobs from the reasons of items', async () => {
    const { jobId } = await newJob();
    const wrong = await event(jobId, 'failed', { failureReasonType: 'accounting_system_validation_failure' });
    expect(wrong.status).toBe(400);
    expect(
      (await call('POST', '/v3/export-job-events', { exportJobId: jobId, event: 'started' })).status,
    ).toBe(400);
  });

  it('come from a user who cancels, too', async () => {
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
    await call('PUT', `/v3/export-jobs/${jobId}/items`, [
      { accountingEntryId: ids[0], status: 'successful' },
    ]);
    await move(3_590);
    expect(await statusOf(jobId)).toBe('in_progress');
    await move(20);
    const job = await call('GET', `/v3/export-jobs/${jobId}`);
    expect(at(job.body, 'data')).toMatchObject({ status: 'failed', failureReasonType: 'job_expired' });
    expect(textAt(job.body, 'data', 'expiredAt')).toMatch(/Z$/);
    const items = await call('GET', `/v3/export-jobs/${jobId}/items?status=abandoned`);
    expect(listAt(items.body, 'data').map((item) => at(item, 'accountingEntryId'))).toEqual([ids[1]]);
    expect((await event(jobId, 'completed')).status).toBe(422);
    const next = await simulator.pressExport(companyId);
    const again = await call('GET', `/v3/export-jobs/${next}/items`);
    expect(listAt(again.body, 'data').map((item) => at(item, 'accountingEntryId'))).toEqual([ids[1]]);
    await simulator.control('POST', '/clock', { offsetSeconds: 0 });
  });

  it('shows the simulator’s time in every answer', async () => {
    await simulator.control('POST', '/clock', { offsetSeconds: 86_400 });
    const answer = await call('GET', '/v3/export-jobs');
    const ahead = Date.parse(answer.headers.get('date') ?? '') - Date.now();
    expect(Math.round(ahead / 60_000)).toBe(1_440);
    await simulator.control('POST', '/clock', { offsetSeconds: 0 });
  });
});

describe('item results', () => {
  it('count alone: wrong ones come back as errors', async () => {
    const { jobId, ids } = await newJob(2);
    const [elsewhere = ''] = await simulator.addItems(companyId, [exportItem(-5)]);
    const unknown = randomUUID();
    const failed = { status: 'failed', failureReason: 'no account', failureReasonType: 'account_unknown' };
    const answer = await call('PUT', `/v3/export-jobs/${jobId}/items`, [
      {
        accountingEntryId: ids[0],
        status: 'successful',
        externalId: 'JE-1',
        exportedAt: '2026-04-22T10:08:56Z',
      },
      { accountingEntryId: unknown, ...failed },
      { accountingEntryId: elsewhere, status: 'successful' },
      { accountingEntryId: ids[1], ...failed },
    ]);
    expect(answer.status).toBe(200);
    expect(listAt(answer.body, 'data')).toHaveLength(2);
    expect(listAt(answer.body, 'data')).toContainEqual({
      accountingEntryId: ids[0],
      exportJobId: jobId,
      status: 'successful',
      exportedAt: '2026-04-22T10:08:56Z',
      externalId: 'JE-1',
      externalUrl: null,
      failureReason: null,
    });
    expect(
      listAt(answer.body, 'errors').map((error) => [at(error, 'accountingEntryId'), at(error, 'type')]),
    ).toEqual([
      [unknown, 'ACCOUNTING_ENTRY_DOES_NOT_EXIST'],
      [elsewhere, 'EXPORT_ENTRY_STATUS_UPDATE_FAILED'],
    ]);
  });

  it('are at most 100 a call, well formed, and for a running job', async () => {
    const { jobId, ids } = await newJob();
    const result = { accountingEntryId: ids[0], status: 'successful' };
    const path = `/v3/export-jobs/${jobId}/items`;
    const tooMany = await call(
      'PUT',
      path,
      Array.from({ length: 101 }, () => result),
    );
    expect([tooMany.status, at(tooMany.body, 'type')]).toEqual([413, 'EXPORT_JOB_ITEMS_UPDATE_LIMIT']);
    expect(
      (
        await call(
          'PUT',
          path,
          Array.from({ length: 100 }, () => result),
        )
      ).status,
    ).toBe(200);
    expect((await call('PUT', path, { items: [result] })).status).toBe(400);
    expect((await call('PUT', path, [{ ...result, failureReasonType: 'bad_mood' }])).status).toBe(400);
    const onlyV3 = [{ ...result, status: 'failed', failureReasonType: 'vendor_unknown' }];
    expect((await call('PUT', `/v2/export-jobs/${jobId}/items`, onlyV3)).status).toBe(400);
    await event(jobId, 'failed');
    const late = await call('PUT', path, [result]);
    expect([late.status, at(late.body, 'type')]).toEqual([422, 'EXPORT_JOB_STATUS_UNPROCESSABLE']);
  });
});

describe('export items', () => {
  it('keep every digit of their amounts', async () => {
    const amount = (digits: string) =>
      `{"inSupplierCurrency":{"currency":"KWD","value":${digits}},"inWalletCurrency":{"currency":"EUR","value":${digits}}}`;
    const item = (digits: string) =>
      `{"type":"mileage","amount":${amount(digits)},"accountingEntryLines":[{"lineAmount":${amount(digits)},"netAmount":${amount(digits)}}]}`;
    await simulator.control(
      'POST',
      `/companies/${companyId}/items`,
      `[${item('123.4')},${item('-12345678901234567')}]`,
    );
    const jobId = await simulator.pressExport(companyId);
    const answer = await call('GET', `/v3/export-items?job_id=${jobId}`);
    expect(answer.text).toContain('"value":123.4}');
    expect(answer.text).toContain('"value":-12345678901234567}');
    expect(listAt(answer.body, 'data')[0]).toMatchObject({
      companyId,
      type: 'mileage',
      additionalInformation: { reconciliationId: expect.any(String) },
      _links: { web: { exportItem: expect.any(String) } },
    });
  });

  it('carry the contra account of their wallet where their type shows one', async () => {
    await simulator.addItems(companyId, [exportItem(-1), exportItem(-2, { type: 'out_of_pocket' })]);
    const jobId = await simulator.pressExport(companyId);
    const v3 = await call('GET', `/v3/export-items?job_id=${jobId}`);
    expect(at(v3.body, 'data', 0, 'contraAccount')).toMatchObject({ code: '1010' });
    expect(at(v3.body, 'data', 1, 'contraAccount')).toBeUndefined();
    const v2 = await call('GET', `/v2/export-items?job_id=${jobId}`);
    expect(at(v2.body, 'data', 0, 'contraAccount')).toBeUndefined();
    await event(jobId, 'failed');
    const finished = await call('GET', `/v3/export-items?job_id=${jobId}`);
    expect([finished.status, at(finished.body, 'type')]).toEqual([422, 'EXPORT_JOB_STATUS_UNPROCESSABLE']);
  });

  it('are refused while a currency has no contra account', async () => {
    await simulator.control('PUT', `/companies/${companyId}/bookkeeping`, { contraAccounts: { DKK: {} } });
    const ids = await simulator.addItems(companyId, [exportItem(-1)]);
    const created = await call('POST', '/v3/export-jobs', { companyId, accountingEntryIds: ids });
    expect([created.status, at(created.body, 'type')]).toEqual([400, 'MISSING_CONTRA_ACCOUNTS']);
    const jobId = await simulator.pressExport(companyId);
    const read = await call('GET', `/v3/export-items?job_id=${jobId}`);
    expect(read.status).toBe(400);
    expect(at(read.body, 'type')).toBe('MISSING_CONTRA_ACCOUNTS');
    expect(textAt(read.body, 'message')).toContain('EUR');
    expect((await call('GET', `/v2/export-items?job_id=${jobId}`)).status).toBe(200);
  });

  it('need version 3 when multi-currency is on', async () => {
    const contraAccounts = { EUR: {} };
    await simulator.control('PUT', `/companies/${companyId}/bookkeeping`, {
      multiCurrency: true,
      contraAccounts,
    });
    const { jobId } = await newJob();
    const v2 = await call('GET', `/v2/export-items?job_id=${jobId}`);
    expect([v2.status, at(v2.body, 'type')]).toEqual([400, 'UNSUPPORTED_API_VERSION']);
    expect((await call('GET', `/v3/export-items?job_id=${jobId}`)).status).toBe(200);
  });
});

describe('paging', () => {
  const idsOf = (body: unknown) => listAt(body, 'data').map((item) => textAt(item, 'accountingEntryId'));

  it('walks forward and back over two and a half pages', async () => {
    const { jobId, ids } = await newJob(25);
    const path = `/v3/export-jobs/${jobId}/items?limit=10`;
    const first = await call('GET', path);
    expect(idsOf(first.body)).toEqual(ids.slice(0, 10));
    expect(at(first.body, 'pagination')).toEqual({
      currentRequestPagination: { parameters: {}, limit: 10, sortingKeys: [], sortingOrder: [] },
      hasNextPage: true,
      hasPreviousPage: false,
      startCursor: expect.stringMatching(/^[A-Z2-7=~]+$/),
      endCursor: expect.stringMatching(/^[A-Z2-7=~]+$/),
      total: 25,
    });
    const next = (body: unknown) => call('GET', `${path}&after=${textAt(body, 'pagination', 'endCursor')}`);
    const second = await next(first.body);
    expect(idsOf(second.body)).toEqual(ids.slice(10, 20));
    const third = await next(second.body);
    expect(idsOf(third.body)).toEqual(ids.slice(20));
    expect(at(third.body, 'pagination')).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    const back = await call('GET', `${path}&before=${textAt(third.body, 'pagination', 'startCursor')}`);
    expect(idsOf(back.body)).toEqual(ids.slice(10, 20));
    const byOffset = await call('GET', `${path}&offset=24`);
    expect(idsOf(byOffset.body)).toEqual(ids.slice(24));
    const items = await call('GET', `/v3/export-items?job_id=${jobId}&limit=1&offset=7`);
    expect(idsOf(items.body)).toEqual([ids[7]]);
  });

  it('sorts by id when asked', async () => {
    const { jobId, ids } = await newJob(5);
    const path = `/v3/export-jobs/${jobId}/items?sorting_keys=id`;
    expect(idsOf((await call('GET', path)).body)).toEqual([...ids].sort());
    const down = await call('GET', `${path}&sorting_order=DESC&limit=3`);
    expect(idsOf(down.body)).toEqual([...ids].sort().reverse().slice(0, 3));
    const end = textAt(down.body, 'pagination', 'endCursor');
    const rest = await call('GET', `${path}&sorting_order=DESC&after=${end}`);
    expect(idsOf(rest.body)).toEqual([...ids].sort().reverse().slice(3));
  });

  it('shows 20 elements by default and never more than 100', async () => {
    const { jobId } = await newJob(101);
    const count = async (limit: string) =>
      listAt((await call('GET', `/v3/export-jobs/${jobId}/items${limit}`)).body, 'data').length;
    expect(await count('')).toBe(20);
    expect(await count('?limit=500')).toBe(100);
    await simulator.control('PUT', '/settings', { largestPage: 500 });
    expect(await count('?limit=500')).toBe(101);
    await simulator.control('PUT', '/settings', { largestPage: 100 });
  });

  it.each([
    'after=AB~CD&before=AB~CD',
    'after=AB~CD&offset=1',
    'before=AB~CD&offset=0',
    'limit=-1',
    'after=lower',
    'sorting_keys=name',
    'sorting_keys=id&sorting_order=ASC&sorting_order=ASC',
  ])('refuses %s', async (query) => {
    const { jobId } = await newJob();
    const answer = await call('GET', `/v3/export-jobs/${jobId}/items?${query}`);
    expect([answer.status, at(answer.body, 'type')]).toEqual([400, 'PARAMETER_VALIDATION_FAILED']);
  });
});
