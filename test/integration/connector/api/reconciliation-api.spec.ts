import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { startConnectorApp, type StoredInstallation } from '../../../support/connector-app.js';
import { startedOnce } from '../../../support/started-once.js';
import { addTwoCompanies, callerOf, type TwoCompanies } from '../reconciliation/two-companies.js';

// The routes on which people see whether the books agree, and settle where they do not.

const DISCREPANCIES = '/api/v1/discrepancies';
const RECONCILIATION = '/api/v1/reconciliation';

const connector = startedOnce(startConnectorApp);
const call = callerOf(connector);
let mine: StoredInstallation;
let other: StoredInstallation;
let tokens: TwoCompanies['tokens'];

beforeEach(async () => {
  ({ mine, other, tokens } = await addTwoCompanies(connector));
});

/** @returns ids of discrepancies of 125.00 EUR, oldest first */
async function addDiscrepancies(installation: StoredInstallation, count: number): Promise<readonly string[]> {
  const run = randomUUID();
  await connector.admin.query(
    `INSERT INTO reconciliation_run (installation_id, id, company_id, kind, reason, period_from, period_until, state,
       requested_at, next_attempt_at, finished_at)
     VALUES ($1, $2, $3, 'period', 'person', '2026-02-28', '2026-04-02', 'completed', now(), now(), '2026-04-02')`,
    [installation.id, run, installation.companyId],
  );
  const ids = Array.from({ length: count }, () => randomUUID());
  for (const [index, id] of ids.entries()) {
    await connector.admin.query(
      `INSERT INTO discrepancy (installation_id, id, company_id, class, subject, fingerprint, evidence, currency,
         amount_minor, occurred_at, state, first_seen_at, last_seen_at, last_seen_run)
       VALUES ($1, $2, $3, 'deleted-in-erp', $2::uuid::text, 'f', '{"platform": null, "record": {"a": 1}, "erp": []}', 'EUR',
         12500, '2026-03-10', 'open', $4, now(), $5)`,
      [installation.id, id, installation.companyId, new Date(Date.UTC(2026, 2, 11, 0, index)), run],
    );
  }
  return ids;
}

/** A job of March that expired. */
async function addJob(installation: StoredInstallation): Promise<string> {
  const job = randomUUID();
  await connector.admin.query(
    `INSERT INTO export_job (installation_id, id, company_id, state, number_of_items, vendor_based_bookkeeping,
       created_on_platform_at, expires_at, detected_at, next_run_at)
     VALUES ($1, $2, $3, 'expired', 3, false, '2026-03-10', now(), now(), now())`,
    [installation.id, job, installation.companyId],
  );
  return job;
}

/** In a job of its own, whose item is kept. */
async function addItem(installation: StoredInstallation, entryId: string, supplier: string): Promise<void> {
  const job = await addJob(installation);
  const item = {
    date: '2026-03-09T10:00:00.000Z',
    type: 'card_purchase',
    vendor: { name: supplier },
    accountingEntryLines: [],
    additionalInformation: { invoiceInformation: { invoiceNumber: 'R-7' } },
  };
  await connector.admin.query(
    `WITH chunk AS (
       INSERT INTO item_chunk (installation_id, export_job_id, id, items, words, uses, first_day, last_day)
       VALUES ($1, $2, gen_random_uuid(), $4, '', '[]', '2026-03-09', '2026-03-09') RETURNING id)
     INSERT INTO export_item (installation_id, export_job_id, accounting_entry_id, position, state, external_id, item_chunk_id)
     SELECT $1, $2, $3, 1, 'successful', 'J-1', id FROM chunk`,
    [installation.id, job, entryId, JSON.stringify({ [entryId]: item })],
  );
}

const field = (json: unknown, name: string): unknown => Reflect.get(Object(json), name);
const idsIn = (json: unknown) => (field(json, 'data') as readonly { id: string }[]).map(({ id }) => id);

describe('the list of discrepancies', () => {
  it('shows the evidence of all sources, the amount and the possible actions', async () => {
    const [id = ''] = await addDiscrepancies(mine, 1);
    const { json } = await call('GET', DISCREPANCIES, tokens.viewer);
    expect(field(json, 'data')).toEqual([
      {
        id,
        class: 'deleted-in-erp',
        message: {
          code: 'discrepancy.deleted-in-erp',
          text: 'The accounting system no longer has the entry.',
          parameters: {},
        },
        subject: id,
        accountingEntryId: null,
        entry: null,
        exportJobId: null,
        erpCompanyId: null,
        evidence: { platform: null, record: { a: 1 }, erp: [] },
        currency: 'EUR',
        amount: '125.00',
        money: { amountMinor: '12500', currency: 'EUR', exponent: 2 },
        state: 'open',
        firstSeenAt: '2026-03-11T00:00:00.000Z',
        lastSeenAt: expect.any(String),
        settledAt: null,
        settledBy: null,
        settledAs: null,
        note: null,
        reexportId: null,
        actions: ['accept', 're-export'],
      },
    ]);
  });

  it('is paged, oldest first, and has only those of the own installation', async () => {
    const ids = await addDiscrepancies(mine, 3);
    await addDiscrepancies(other, 1);
    const first = await call('GET', `${DISCREPANCIES}?limit=2`, tokens.viewer);
    const cursor = String(field(first.json, 'nextCursor'));
    const second = await call('GET', `${DISCREPANCIES}?limit=2&after=${cursor}`, tokens.viewer);
    expect([...idsIn(first.json), ...idsIn(second.json)]).toEqual(ids);
    expect(field(second.json, 'nextCursor')).toBeNull();
  });

  it('names the entry as people know it, by the newest export that has kept it', async () => {
    const [id = ''] = await addDiscrepancies(mine, 1);
    const entryId = randomUUID();
    for (const supplier of ['Nordic Offis AB', 'Nordic Office AB']) {
      await addItem(mine, entryId, supplier);
    }
    await connector.admin.query(`UPDATE discrepancy SET accounting_entry_id = $2 WHERE id = $1`, [id, entryId]);
    const { json } = await call('GET', DISCREPANCIES, tokens.viewer);
    expect(field(json, 'data')).toMatchObject([
      {
        accountingEntryId: entryId,
        entry: {
          date: '2026-03-09',
          type: 'card_purchase',
          supplier: 'Nordic Office AB',
          person: null,
          documentNumber: 'R-7',
        },
      },
    ]);
  });

  it('has the settled ones by state, newest first, with who settled them and why', async () => {
    const ids = await addDiscrepancies(mine, 3);
    const note = 'posted by hand';
    for (const id of ids) {
      await call('POST', `${DISCREPANCIES}/${id}/actions`, tokens.bookkeeper, { action: 'accept', note });
    }
    const first = await call('GET', `${DISCREPANCIES}?state=accepted&limit=2`, tokens.viewer);
    const cursor = String(field(first.json, 'nextCursor'));
    const second = await call('GET', `${DISCREPANCIES}?state=accepted&limit=2&after=${cursor}`, tokens.viewer);
    expect([...idsIn(first.json), ...idsIn(second.json)]).toEqual(ids.toReversed());
    expect(field(second.json, 'data')).toMatchObject([
      {
        state: 'accepted',
        settledAs: 'accept',
        settledAt: expect.any(String),
        settledBy: expect.stringContaining('token'),
        note,
      },
    ]);
    expect(idsIn((await call('GET', DISCREPANCIES, tokens.viewer)).json)).toEqual([]);
  });

  it.each(['state=lost', 'class=unheard-of', 'after=nonsense', 'limit=1001'])('refuses ?%s', async (query) => {
    const answer = await call('GET', `${DISCREPANCIES}?${query}`, tokens.viewer);
    expect(answer.status).toBe(400);
    expect(answer.type).toContain('application/problem+json');
  });
});

describe('an action', () => {
  const act = (id: string, token: string, body: object) => call('POST', `${DISCREPANCIES}/${id}/actions`, token, body);
  const accept = { action: 'accept', note: 'posted by hand as 2026-17' };

  it('can be taken once, and closes the discrepancy', async () => {
    const [id = ''] = await addDiscrepancies(mine, 1);
    expect((await act(id, tokens.bookkeeper, accept)).status).toBe(204);
    expect(await act(id, tokens.bookkeeper, accept)).toMatchObject({
      status: 409,
      json: { type: expect.stringContaining('settled') },
    });
    expect(idsIn((await call('GET', DISCREPANCIES, tokens.viewer)).json)).toEqual([]);
    const accepted = await call('GET', `${DISCREPANCIES}?state=accepted`, tokens.viewer);
    expect(field(accepted.json, 'data')).toMatchObject([{ id, note: accept.note, settledBy: expect.any(String) }]);
  });

  it('requires a bookkeeper of the same installation', async () => {
    const [[id = ''], [foreign = '']] = [await addDiscrepancies(mine, 1), await addDiscrepancies(other, 1)];
    expect((await act(id, tokens.viewer, accept)).status).toBe(403);
    for (const unknown of [foreign, randomUUID(), 'none']) {
      expect((await act(unknown, tokens.bookkeeper, accept)).status).toBe(404);
    }
  });

  it.each<[string, number, object]>([
    ['without a note', 400, { action: 'accept' }],
    ['with an empty note', 400, { action: 'accept', note: '' }],
    ['that there is none of', 400, { action: 'forget', note: 'x' }],
    ['that this class does not allow', 409, { action: 'reverse', note: 'x' }],
  ])('%s is answered with %d', async (_, status, body) => {
    const [id = ''] = await addDiscrepancies(mine, 1);
    const answer = await act(id, tokens.bookkeeper, body);
    expect(answer.status).toBe(status);
    expect(answer.type).toContain('application/problem+json');
  });
});

describe('reconciliation', () => {
  it('can be requested, is shown with its runs, and counts open and overdue discrepancies', async () => {
    const requested = await call('POST', RECONCILIATION, tokens.bookkeeper, {});
    expect(requested.status).toBe(202);
    await addDiscrepancies(mine, 2);
    await connector.admin.query(
      `UPDATE discrepancy SET first_seen_at = now() WHERE id = (SELECT max(id::text)::uuid FROM discrepancy
      WHERE installation_id = $1)`,
      [mine.id],
    );
    const { json } = await call('GET', RECONCILIATION, tokens.viewer);
    expect(json).toMatchObject({
      openDiscrepancies: 2,
      overdueDiscrepancies: 1,
      alertAfterDays: 7,
      nextRunAt: null,
    });
    expect(idsIn(json)).toContain(field(requested.json, 'id'));
  });

  it('raises an alert after the days that an administrator has set', async () => {
    const settings = `${RECONCILIATION}/settings`;
    expect((await call('PUT', settings, tokens.bookkeeper, { alertAfterDays: 3 })).status).toBe(403);
    expect((await call('PUT', settings, tokens.admin, { alertAfterDays: 3 })).status).toBe(204);
    expect((await call('PUT', settings, tokens.admin, { alertAfterDays: 0 })).status).toBe(400);
    expect((await call('GET', RECONCILIATION, tokens.viewer)).json).toMatchObject({ alertAfterDays: 3 });
  });

  it.each<[number, object]>([
    [400, { from: '2026-03-01T00:00:00Z' }],
    [400, { from: '2026-03-01T00:00:00Z', until: '2026-03-01T00:00:00Z' }],
    [400, { from: '2024-03-01T00:00:00Z', until: '2026-03-01T00:00:00Z' }],
    [400, { from: 'yesterday', until: '2026-03-01T00:00:00Z' }],
    [404, { exportJobId: randomUUID() }],
    [202, { from: '2026-03-01T00:00:00Z', until: '2026-04-01T00:00:00Z' }],
  ])('responds with %d to %j', async (status, body) => {
    expect((await call('POST', RECONCILIATION, tokens.bookkeeper, body)).status).toBe(status);
  });

  it('cannot be requested by viewers, nor for a job of another installation', async () => {
    const job = await addJob(other);
    expect((await call('POST', RECONCILIATION, tokens.viewer, {})).status).toBe(403);
    expect((await call('POST', RECONCILIATION, tokens.bookkeeper, { exportJobId: job })).status).toBe(404);
  });
});
