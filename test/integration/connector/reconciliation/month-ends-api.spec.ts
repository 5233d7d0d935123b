import { withPlan } from '../../../support/stored-plans.js';
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { startConnectorApp, type StoredInstallation } from '../../../support/connector-app.js';
import { startedOnce } from '../../../support/started-once.js';
import { addTwoCompanies, callerOf, type TwoCompanies } from './two-companies.js';

// The routes of month ends.

const connector = startedOnce(startConnectorApp);
const call = callerOf(connector);
let mine: StoredInstallation;
let other: StoredInstallation;
let tokens: TwoCompanies['tokens'];

beforeEach(async () => {
  ({ mine, other, tokens } = await addTwoCompanies(connector));
});

/** A job of March with one entry of 1,000.00 EUR in the books, one that failed and one without a result. */
async function addJob(installation: StoredInstallation): Promise<string> {
  const [job, posted] = [randomUUID(), randomUUID()];
  await connector.admin.query(
    `INSERT INTO mapping_version (installation_id, version, settings, author, created_at)
     VALUES ($1, 1, '{}', 'test', now())`,
    [installation.id],
  );
  await connector.admin.query(
    `INSERT INTO export_job (installation_id, id, company_id, state, number_of_items, vendor_based_bookkeeping,
       created_on_platform_at, expires_at, detected_at, next_run_at)
     VALUES ($1, $2, $3, 'expired', 3, false, '2026-03-10', now(), now(), now())`,
    [installation.id, job, installation.companyId],
  );
  await connector.admin.query(
    `INSERT INTO export_item (installation_id, export_job_id, accounting_entry_id, position, state, external_id,
       failure_type, failure_reason)
     VALUES ($1, $2, $3, 1, 'successful', 'J-1', NULL, NULL), ($1, $2, gen_random_uuid(), 2, 'failed', NULL, 'x', 'x'),
       ($1, $2, gen_random_uuid(), 3, 'pending', NULL, NULL, NULL)`,
    [installation.id, job, posted],
  );
  const lines = [
    { account: { code: '=5410' }, amountMinor: '100000' },
    { account: { code: '1935' }, amountMinor: '-100000' },
  ];
  await connector.admin.query(
    `${withPlan('$1', '$3', '$2', '$4')}
     INSERT INTO posting_intent (installation_id, erp_company_id, accounting_entry_id, export_job_id, mapping_version,
       content_digest, plan_chunk_id, fence, state, external_id, created_at)
     SELECT $1, 'erp', $2, $3, 1, 'd', id, 1, 'posted', 'J-1', now() FROM chunk`,
    [
      installation.id,
      posted,
      job,
      JSON.stringify([{ role: 'entry', postingDate: '2026-03-10', currency: 'EUR', lines }]),
    ],
  );
  return job;
}

/** Of an entry of the job whose item is kept. @returns the entry's id */
async function addDiscrepancy(installation: StoredInstallation, job: string): Promise<string> {
  const [run, entryId] = [randomUUID(), randomUUID()];
  const item = {
    date: '2026-03-09T10:00:00.000Z',
    type: 'invoice',
    vendor: { name: 'Nordic Office AB' },
    accountingEntryLines: [],
    additionalInformation: {},
  };
  await connector.admin.query(
    `WITH chunk AS (
       INSERT INTO item_chunk (installation_id, export_job_id, id, items, words, uses, first_day, last_day)
       VALUES ($1, $2, gen_random_uuid(), $4, '', '[]', '2026-03-09', '2026-03-09') RETURNING id)
     INSERT INTO export_item (installation_id, export_job_id, accounting_entry_id, position, state, external_id, item_chunk_id)
     SELECT $1, $2, $3, 4, 'successful', 'J-4', id FROM chunk`,
    [installation.id, job, entryId, JSON.stringify({ [entryId]: item })],
  );
  await connector.admin.query(
    `WITH run AS (
       INSERT INTO reconciliation_run (installation_id, id, company_id, kind, reason, period_from, period_until, state,
         requested_at, next_attempt_at, finished_at)
       VALUES ($1, $3, $2, 'period', 'person', '2026-02-28', '2026-04-02', 'completed', now(), now(), now()))
     INSERT INTO discrepancy (installation_id, id, company_id, class, subject, fingerprint, evidence, accounting_entry_id,
       export_job_id, erp_company_id, occurred_at, state, first_seen_at, last_seen_at, last_seen_run)
     VALUES ($1, gen_random_uuid(), $2, 'amount-drift', $4::uuid::text, 'f', '{}', $4, $5, 'erp', '2026-03-10', 'open', now(), now(), $3)`,
    [installation.id, installation.companyId, run, entryId, job],
  );
  return entryId;
}

describe('a month end', () => {
  const MONTH = '/api/v1/month-ends/2026-03';

  it('is calculated by posting date, and states why the ledger has no figure', async () => {
    await addJob(mine);
    await addJob(other);
    const { status, json } = await call('GET', MONTH, tokens.viewer);
    expect(status).toBe(200);
    const money = (amountMinor: string) => ({ amountMinor, currency: 'EUR', exponent: 2 });
    const ours = (debit: string, credit: string, closing: string) => ({
      opening: money('0'),
      debit: money(debit),
      credit: money(credit),
      closing: money(closing),
    });
    expect(json).toMatchObject({
      month: '2026-03',
      erpCompanyId: 'erp',
      state: 'open',
      signOff: null,
      entries: { posted: 1, reversed: 0, drafts: 0 },
      accounts: [
        { accountCode: '1935', ours: ours('0', '100000', '-100000'), ledger: null, ledgerMissing: 'unavailable' },
        { accountCode: '=5410', ours: ours('100000', '0', '100000'), ledger: null, difference: null },
      ],
      totals: [{ currency: 'EUR', debit: money('100000'), credit: money('100000') }],
      missing: [],
      truncated: false,
    });
    expect((await call('GET', '/api/v1/month-ends', tokens.viewer)).json).toEqual({
      erpCompanyId: 'erp',
      data: [
        {
          month: '2026-03',
          state: 'open',
          entries: { posted: 1, reversed: 0, drafts: 0 },
          missingEntries: 0,
          signOff: null,
        },
      ],
    });
  });

  it('names the entries of its discrepancies as people know them, on paper too', async () => {
    const job = await addJob(mine);
    const entryId = await addDiscrepancy(mine, job);
    const { json } = await call('GET', MONTH, tokens.viewer);
    const entry = {
      date: '2026-03-09',
      type: 'invoice',
      supplier: 'Nordic Office AB',
      person: null,
      documentNumber: null,
    };
    expect(json).toMatchObject({ discrepancies: [{ class: 'amount-drift', accountingEntryId: entryId, entry }] });
    for (const format of ['csv', 'html']) {
      expect((await call('GET', `${MONTH}?format=${format}`, tokens.viewer)).body).toMatch(
        /2026-03-09.*Nordic Office AB/,
      );
    }
  });

  it('is a file for spreadsheets, without formulas', async () => {
    await addJob(mine);
    const { body } = await call('GET', `${MONTH}?format=csv`, tokens.viewer);
    expect(body.split('\r\n').slice(1)).toEqual([
      'account,,1935,,EUR,0.00,0.00,1000.00,-1000.00,,,,,,,,,unavailable',
      "account,,'=5410,,EUR,0.00,1000.00,0.00,1000.00,,,,,,,,,unavailable",
      '',
    ]);
  });

  it('is a printable page in the language of the reader', async () => {
    await addJob(mine);
    const answer = await connector.app.inject({
      url: `${MONTH}?format=html`,
      headers: { authorization: `Bearer ${tokens.viewer}`, 'accept-language': 'de' },
    });
    expect(answer.body).toContain('<html lang="de">');
    expect(answer.body).toMatch(/Erstellt \d{4}-\d\d-\d\d \d\d:\d\d UTC\./);
    expect(answer.body).toContain('<h1>Mine &amp; &lt;Sons&gt;: Monatsabschluss 2026-03</h1>');
    expect(answer.body).toContain('<td class="figure">-1000.00</td>');
    expect(answer.body).not.toContain('<script');
    // It lets in the style of the page itself, and nothing else.
    const policy = String(answer.headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]{44}'/);
    expect(policy).not.toContain('unsafe');
  });

  it.each(['2026-13', '2026-3', 'march'])('is not found for %s', async (month) => {
    await addJob(mine);
    expect((await call('GET', `/api/v1/month-ends/${month}`, tokens.viewer)).status).toBe(404);
  });

  it('is not found for an unknown company, however its id is written', async () => {
    await addJob(mine);
    // As long as the document allows: the limit counts characters, and each of these has two halves.
    const company = '😀'.repeat(255);
    const query = `company=${encodeURIComponent(company)}`;
    expect((await call('GET', `/api/v1/month-ends?${query}`, tokens.viewer)).status).toBe(404);
    expect((await call('GET', `${MONTH}?${query}`, tokens.viewer)).status).toBe(404);
    expect((await call('POST', `${MONTH}/sign-off`, tokens.bookkeeper, { company })).status).toBe(404);
    expect((await call('POST', `${MONTH}/reopening`, tokens.bookkeeper, { company, reason: 'late' })).status).toBe(404);
  });

  it('cannot be signed by viewers, nor while the accounting system does not respond', async () => {
    await addJob(mine);
    expect((await call('POST', `${MONTH}/sign-off`, tokens.viewer, {})).status).toBe(403);
    expect(await call('POST', `${MONTH}/sign-off`, tokens.bookkeeper, {})).toMatchObject({
      status: 503,
      json: { type: expect.stringContaining('erp-unavailable') },
    });
    expect(await call('POST', `${MONTH}/reopening`, tokens.bookkeeper, { reason: 'late' })).toMatchObject({
      status: 409,
      json: { type: expect.stringContaining('month-not-signed') },
    });
    expect((await call('POST', `${MONTH}/reopening`, tokens.bookkeeper, {})).status).toBe(400);
  });

  it('cannot be signed before the month has begun, and names what to do in the language of the reader', async () => {
    await addJob(mine);
    const url = '/api/v1/month-ends/9999-11';
    expect((await call('GET', url, tokens.viewer)).json).toMatchObject({ begun: false });
    expect((await call('GET', MONTH, tokens.viewer)).json).toMatchObject({ begun: true });
    const headers = { authorization: `Bearer ${tokens.bookkeeper}`, 'accept-language': 'de' };
    const answer = await connector.app.inject({ method: 'POST', url: `${url}/sign-off`, headers, payload: {} });
    expect([answer.statusCode, answer.json()]).toMatchObject([
      409,
      { type: 'urn:problem:month-not-begun', title: 'Monat nicht begonnen', detail: /ab seinem ersten Tag/ },
    ]);
  });
});
