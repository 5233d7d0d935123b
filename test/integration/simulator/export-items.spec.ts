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
const newJob = async (count = 1) => {
  const ids = await simulator.addItems(
    companyId,
    Array.from({ length: count }, () => exportItem(-100)),
  );
  return { jobId: await simulator.triggerExport(companyId), ids };
};

describe('item results', () => {
  it('alone decide: wrong ones are returned as errors', async () => {
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
    expect(listAt(answer.body, 'errors').map((error) => [at(error, 'accountingEntryId'), at(error, 'type')])).toEqual([
      [unknown, 'ACCOUNTING_ENTRY_DOES_NOT_EXIST'],
      [elsewhere, 'EXPORT_ENTRY_STATUS_UPDATE_FAILED'],
    ]);
  });

  it('come back in the order of the request, the last one of an entry', async () => {
    const { jobId, ids } = await newJob(5);
    const asked = [...ids].reverse();
    const body = [...asked, asked[0]].map((accountingEntryId, index) => {
      return { accountingEntryId, status: 'successful', externalId: index.toString() };
    });
    const { body: answer } = await call('PUT', `/v3/export-jobs/${jobId}/items`, body);
    const shown = listAt(answer, 'data').map((item) => [at(item, 'accountingEntryId'), at(item, 'externalId')]);
    expect(shown).toEqual([
      [asked[0], '5'],
      [asked[1], '1'],
      [asked[2], '2'],
      [asked[3], '3'],
      [asked[4], '4'],
    ]);
  });

  it.each(['9999-12-31T23:59:59-12:00', '0000-01-01T00:00:00+12:00', '2026-02-30T10:00:00Z', 'yesterday', ''])(
    'are refused with a time that no answer could write: "%s"',
    async (exportedAt) => {
      const { jobId, ids } = await newJob();
      const result = { accountingEntryId: ids[0], status: 'successful', exportedAt };
      const answer = await call('PUT', `/v3/export-jobs/${jobId}/items`, [result]);
      expect([answer.status, at(answer.body, 'type')]).toEqual([400, 'VALIDATION_FAILED']);
    },
  );

  it('are at most 100 per call, well formed, and for a running job', async () => {
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
  it('are refused by the name of the parameter that is no id', async () => {
    const answer = await call('GET', '/v3/export-items?job_id=mine');
    expect([answer.status, at(answer.body, 'message')]).toEqual([400, expect.stringContaining('job_id')]);
  });

  it('that are added twice at the same moment are added once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const body = [exportItem(-1, { accountingEntryId: randomUUID() })];
      const answers = await Promise.all(
        Array.from({ length: 3 }, () => simulator.call('POST', `/control/companies/${companyId}/items`, { body })),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    }
  });

  it('keep every digit of their amounts', async () => {
    const amount = (digits: string) =>
      `{"inSupplierCurrency":{"currency":"KWD","value":${digits}},"inWalletCurrency":{"currency":"KWD","value":${digits}}}`;
    const item = (digits: string) =>
      `{"type":"mileage","amount":${amount(digits)},"accountingEntryLines":[{"lineAmount":${amount(digits)},"netAmount":${amount(digits)}}]}`;
    await simulator.control(
      'POST',
      `/companies/${companyId}/items`,
      `[${item('123.4')},${item('-12345678901234567')}]`,
    );
    const jobId = await simulator.triggerExport(companyId);
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
    const jobId = await simulator.triggerExport(companyId);
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
    const jobId = await simulator.triggerExport(companyId);
    const read = await call('GET', `/v3/export-items?job_id=${jobId}`);
    expect(read.status).toBe(400);
    expect(at(read.body, 'type')).toBe('MISSING_CONTRA_ACCOUNTS');
    expect(textAt(read.body, 'message')).toContain('EUR');
    expect((await call('GET', `/v2/export-items?job_id=${jobId}`)).status).toBe(200);
  });

  it('require version 3 when multi-currency is on', async () => {
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

  it('require version 3 when multi-currency is on, whatever job runs or not [P0.4]', async () => {
    const { jobId } = await newJob();
    await event(jobId, 'failed');
    const refused = async (query: string) => {
      const { status, body } = await call('GET', `/v2/export-items${query}`);
      return [status, at(body, 'type')];
    };
    expect(await refused('')).toEqual([200, undefined]);
    await simulator.control('PUT', `/companies/${companyId}/bookkeeping`, { multiCurrency: true, contraAccounts: {} });
    expect(await refused('')).toEqual([400, 'UNSUPPORTED_API_VERSION']);
    expect(await refused(`?job_id=${jobId}`)).toEqual([400, 'UNSUPPORTED_API_VERSION']);
    expect(await refused(`?job_id=${randomUUID()}`)).toEqual([404, 'EXPORT_NOT_FOUND']);
  });
});

describe('paging', () => {
  const idsOf = (body: unknown) => listAt(body, 'data').map((item) => textAt(item, 'accountingEntryId'));

  it('goes forward and back over two and a half pages', async () => {
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
    const beyond = await call('GET', `${path}&offset=9223372036854775807`);
    expect([beyond.status, idsOf(beyond.body)]).toEqual([200, []]);
    const items = await call('GET', `/v3/export-items?job_id=${jobId}&limit=1&offset=7`);
    expect(idsOf(items.body)).toEqual([ids[7]]);
  });

  it('sorts by id on request', async () => {
    const { jobId, ids } = await newJob(5);
    const path = `/v3/export-jobs/${jobId}/items?sorting_keys=id`;
    expect(idsOf((await call('GET', path)).body)).toEqual([...ids].sort());
    const down = await call('GET', `${path}&sorting_order=DESC&limit=3`);
    expect(idsOf(down.body)).toEqual([...ids].sort().reverse().slice(0, 3));
    const end = textAt(down.body, 'pagination', 'endCursor');
    const rest = await call('GET', `${path}&sorting_order=DESC&after=${end}`);
    expect(idsOf(rest.body)).toEqual([...ids].sort().reverse().slice(3));
  });

  it('returns the same pages by id from the index as from all keys', async () => {
    const { jobId } = await newJob(5);
    const list = `/v3/export-jobs/${jobId}/items?sorting_keys=id`;
    const pagesOf = async (filtered: string) => {
      const places = ['', '&offset=0', '&offset=2', '&offset=5', '&offset=9'];
      for (const offset of [0, 2, 4]) {
        const { body } = await call('GET', `${filtered}&limit=1&offset=${offset}`);
        const cursor = textAt(body, 'pagination', 'endCursor');
        places.push(`&after=${cursor}`, `&before=${cursor}`);
      }
      const pages: unknown[] = [];
      for (const order of ['', '&sorting_order=ASC_NULLS_FIRST', '&sorting_order=DESC']) {
        for (const place of places) {
          for (const limit of [0, 1, 3, 5]) {
            const { body } = await call('GET', `${filtered}${order}${place}&limit=${limit}`);
            const ends = ['hasNextPage', 'hasPreviousPage', 'total'].map((name) => at(body, 'pagination', name));
            pages.push([order, limit, idsOf(body), ends]);
          }
        }
      }
      return pages;
    };
    // All items are pending, and a list by status is cut from its keys.
    expect(await pagesOf(list)).toEqual(await pagesOf(`${list}&status=pending`));
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
