import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { LocalDate } from '../../../../src/kernel/local-date.js';
import { History, purchaseEntry } from './history.js';

// A month by posting date: our record beside the ledger, what is missing, and what was signed. Each entry is of 100.00 EUR.

let history: History;

beforeEach(async () => {
  history = await History.start();
});
afterEach(async () => {
  await history.exports.close();
});

const on = (day: string) => [purchaseEntry({ postingDate: day as LocalDate })];
const compile = async (month = '2026-03') => {
  const report = await history.service.monthEnd(history.tenant.installationId, month);
  if (report === undefined) throw new Error('no report');
  return report;
};
/** Opening, debit and credit of our record, then of the ledger, by account. */
const figures = async (month = '2026-03') =>
  Object.fromEntries(
    (await compile(month)).accounts.map(({ accountCode, ours, ledger }) => [
      accountCode,
      [ours, ledger].map((side) =>
        typeof side === 'string' ? side : [side.openingMinor, side.debitMinor, side.creditMinor].map(Number),
      ),
    ]),
  );
const missing = async (month = '2026-03') =>
  (await compile(month)).missing.map(({ accountingEntryId, why, amountMinor, currency, date }) => [
    accountingEntryId,
    why,
    date,
    amountMinor,
    currency,
  ]);

describe('the accounts of a month', () => {
  it('have what was posted before as opening balance, and nothing of later months', async () => {
    await history.addJob(1, on('2026-02-28'));
    await history.addJob(2, on('2026-03-31'));
    await history.addJob(4, on('2026-04-01'));
    const expected = { 5410: [10_000, 20_000, 0], 1935: [-10_000, 0, 20_000] };
    expect(await figures()).toEqual({
      5410: [expected[5410], expected[5410]],
      1935: [expected[1935], expected[1935]],
    });
    expect((await compile()).entries).toEqual({ posted: 2, reversed: 0, drafts: 0 });
  });

  it('exclude an entry that was reversed later, whatever its former state', async () => {
    const { ids } = await history.addJob(3, on('2026-03-05'));
    await compile();
    await history.query(`UPDATE posting_intent SET state = 'reversed' WHERE accounting_entry_id = $1`, ids[0]);
    history.erp.reverseByHand(ids[0] ?? '');
    expect(await figures()).toMatchObject({
      5410: [
        [0, 20_000, 0],
        [0, 20_000, 0],
      ],
    });
    expect((await compile()).entries).toEqual({ posted: 2, reversed: 1, drafts: 0 });
  });

  it('show differences from the ledger', async () => {
    const { ids } = await history.addJob(2, on('2026-03-05'));
    history.erp.forget(ids[0] ?? '');
    expect(await figures()).toMatchObject({
      5410: [
        [0, 20_000, 0],
        [0, 10_000, 0],
      ],
    });
  });

  it('report that the ledger did not respond, and invent no figure for it', async () => {
    await history.addJob(1, on('2026-03-05'));
    history.erp.failure = { kind: 'unreachable', message: 'connection refused' };
    expect(await figures()).toMatchObject({ 5410: [[0, 10_000, 0], 'unavailable'] });
  });

  it('belong to one company of the ERP', async () => {
    await history.addJob(1, on('2026-03-05'));
    const { installationId } = history.tenant;
    expect(await history.service.monthEnd(installationId, '2026-03', 'another')).toBeUndefined();
    expect(await history.service.monthEnd(installationId, '2026-13')).toBeUndefined();
  });
});

const FAILED_ENTRY = `INSERT INTO failed_entry (installation_id, issue_key, accounting_entry_id, export_job_id, currency, amount_minor,
  first_seen_at, last_seen_at) VALUES`;

describe('the comparison of a month', () => {
  it.each([
    // The clock says 20 March.
    ['2026-03', '2026-02-28', '2026-03-15', true],
    ['2026-03', '2026-03-02', '2026-03-15', false],
    ['2026-03', '2026-01-15', '2026-02-28', false],
    ['2026-02', '2026-01-31', '2026-02-27', false],
    ['2026-02', '2026-01-31', '2026-03-02', true],
  ])('of %s by a run from %s until %s is shown: %s', async (month, from, until, isShown) => {
    await history.addJob(1, on('2026-02-05'));
    const { installationId, companyId } = history.tenant;
    await history.query(
      `INSERT INTO reconciliation_run (installation_id, id, company_id, kind, reason, period_from, period_until, state, requested_at,
         started_at, finished_at, next_attempt_at)
       VALUES ($1, gen_random_uuid(), $2, 'period', 'person', $3, $4, 'completed', now(), now(), now(), now())`,
      installationId,
      companyId,
      from,
      until,
    );
    expect((await compile(month)).reconciledAt !== undefined).toBe(isShown);
  });
});

describe('an entry that is not in the books', () => {
  it('has failed, by the date of its item, unless it was booked by hand', async () => {
    const { job, ids } = await history.addJob(2, on('2026-03-05'));
    const [id = ''] = ids;
    const { installationId } = history.tenant;
    await history.query(
      `INSERT INTO item_chunk VALUES ($1, $2, gen_random_uuid(), jsonb_build_object($3::text, '{"date": "2026-02-10T10:00:00Z"}'::jsonb))`,
      installationId,
      job.id,
      id,
    );
    await history.query(
      `UPDATE export_item SET item_chunk_id = (SELECT id FROM item_chunk) WHERE accounting_entry_id = $1`,
      id,
    );
    await history.query(
      `INSERT INTO issue VALUES ($1, 'account:6420', 'account', '6420', NULL, NULL, 'account_unknown', 'r', NULL, now(), now())`,
      installationId,
    );
    await history.query(
      `${FAILED_ENTRY} ($1, 'account:6420', $2, $3, 'EUR', -12500, now(), now())`,
      installationId,
      id,
      job.id,
    );
    expect(await missing('2026-02')).toEqual([[id, 'failed', '2026-02-10', '-12500', 'EUR']]);
    expect(await missing()).toEqual([]);
    await history.query(
      `INSERT INTO issue_handling (installation_id, issue_key, left_at) VALUES ($1, 'account:6420', now())`,
      installationId,
    );
    expect(await missing('2026-02')).toEqual([]);
  });

  it.each([
    ['2026-03-31T22:30:00Z', '2026-04-01', 'after midnight in the company’s time zone'],
    ['2026-03-31T21:59:59Z', '2026-03-31', 'before midnight there'],
    ['2026-04-01T00:30:00.5+03:00', '2026-03-31', 'with an offset'],
    ['2026-03-31', '2026-03-31', 'a plain day'],
    ['2026-02-30T10:00:00Z', '2026-03-02', 'of no calendar: the day of the export counts'],
    ['soon', '2026-03-02', 'that cannot be read: the day of the export counts'],
  ])('has failed with the date %s, which is %s: %s', async (date, day) => {
    const { job, ids } = await history.addJob(1, on('2026-03-05'));
    const [id = ''] = ids;
    const { installationId } = history.tenant;
    await history.query(
      `INSERT INTO reconciliation_schedule (installation_id, time_zone, next_run_at) VALUES ($1, 'Europe/Copenhagen', now())`,
      installationId,
    );
    await history.query(
      `INSERT INTO item_chunk VALUES ($1, $2, gen_random_uuid(), jsonb_build_object($3::text, jsonb_build_object('date', $4::text)))`,
      ...[installationId, job.id, id, date],
    );
    await history.query(`UPDATE export_item SET item_chunk_id = (SELECT id FROM item_chunk)`);
    await history.query(
      `INSERT INTO issue VALUES ($1, 'entry:date', 'entry', 'date', NULL, NULL, 'validation_failure', 'r', NULL, now(), now())`,
      installationId,
    );
    await history.query(
      `${FAILED_ENTRY} ($1, 'entry:date', $2, $3, 'EUR', -12500, now(), now())`,
      ...[installationId, id, job.id],
    );
    expect(await missing(day.slice(0, 7))).toEqual([[id, 'failed', day, '-12500', 'EUR']]);
    const months = ((await history.service.monthEnds(installationId))?.months ?? []).map(({ month }) => month);
    expect(new Set(months)).toEqual(new Set(['2026-03', day.slice(0, 7)]));
  });

  it('waits in an open export, or has an unknown outcome, and is counted once', async () => {
    const { job, ids } = await history.addJob(2, on('2026-03-05'));
    await history.query(`UPDATE export_job SET state = 'running', finished_at = NULL WHERE id = $1`, job.id);
    await history.query(
      `UPDATE export_item SET state = 'pending', external_id = NULL, exported_at = NULL, known_at = NULL,
         amount = '{"currency": "EUR", "value": "-10000"}' WHERE export_job_id = $1`,
      job.id,
    );
    await history.query(
      `UPDATE posting_intent SET state = 'uncertain', external_id = NULL WHERE accounting_entry_id = $1`,
      ids[0],
    );
    await history.query(
      `INSERT INTO uncertain_posting SELECT installation_id, erp_company_id, accounting_entry_id, revision, export_job_id, now()
       FROM posting_intent WHERE accounting_entry_id = $1`,
      ids[0],
    );
    const rows = await missing();
    expect(rows).toHaveLength(2);
    // Of what was sent the posting date is known; of what waits, the day of its export.
    expect(rows).toContainEqual([ids[0], 'uncertain', '2026-03-05', '-10000', 'EUR']);
    expect(rows).toContainEqual([ids[1], 'waiting', '2026-03-02', '-10000', 'EUR']);
  });

  it('adds up exactly with others though it was stated with a part of a yen', async () => {
    const { job, ids } = await history.addJob(2, on('2026-03-05'));
    await history.query(`UPDATE export_job SET state = 'running', finished_at = NULL WHERE id = $1`, job.id);
    for (const [index, value] of ['25000000', '12345'].entries()) {
      await history.query(
        `UPDATE export_item SET state = 'pending', external_id = NULL, exported_at = NULL, known_at = NULL,
           amount = jsonb_build_object('currency', 'JPY', 'value', $2::text) WHERE accounting_entry_id = $1`,
        ...[ids[index], value],
      );
    }
    const { missingTotals } = await compile();
    expect(missingTotals).toEqual([{ why: 'waiting', currency: 'JPY', entries: 2, amountMinor: '250123.45' }]);
  });
});

describe('a sign-off', () => {
  const by = 'Ada';
  const sign = (reason?: string, month = '2026-03') =>
    history.service.signMonthOff.sign(history.tenant.installationId, { month, company: undefined, by }, reason);
  const reopen = (reason: string) =>
    history.service.signMonthOff.reopen(
      history.tenant.installationId,
      { month: '2026-03', company: undefined, by },
      reason,
    );
  const states = async () =>
    (await history.service.monthEnds(history.tenant.installationId))?.months.map(({ month, state, signOff }) => [
      month,
      state,
      signOff?.signedBy,
    ]);

  it('stores the figures, so that a later change is detected', async () => {
    const { ids } = await history.addJob(2, on('2026-03-05'));
    expect(await states()).toEqual([['2026-03', 'open', undefined]]);
    expect(await sign()).toEqual({ outcome: 'signed' });
    expect(await sign()).toEqual({ outcome: 'signed-already' });
    expect(await states()).toEqual([['2026-03', 'signed', 'Ada']]);
    expect((await compile()).changed).toEqual([]);
    history.erp.forget(ids[0] ?? '');
    expect((await compile()).changed).toEqual([
      { accountCode: '1935', currency: 'EUR', side: 'ledger', signedMinor: -20_000n, nowMinor: -10_000n },
      { accountCode: '5410', currency: 'EUR', side: 'ledger', signedMinor: 20_000n, nowMinor: 10_000n },
    ]);
  });

  it('is revoked with a reason, and repeated', async () => {
    await history.addJob(1, on('2026-03-05'));
    expect(await reopen('late invoice')).toEqual({ outcome: 'not-signed' });
    await sign();
    expect(await reopen('late invoice')).toEqual({ outcome: 'reopened' });
    const { state, signOff } = await compile();
    expect([state, signOff?.reopenedBy, signOff?.reopeningReason]).toEqual(['reopened', 'Ada', 'late invoice']);
    expect(await sign()).toEqual({ outcome: 'signed' });
    expect(await states()).toEqual([['2026-03', 'signed', 'Ada']]);
  });

  it('requires a reason while an entry is missing', async () => {
    const { ids } = await history.addJob(2, on('2026-03-05'));
    await history.query(
      `UPDATE posting_intent SET state = 'uncertain', external_id = NULL WHERE accounting_entry_id = $1`,
      ids[0],
    );
    await history.query(
      `INSERT INTO uncertain_posting SELECT installation_id, erp_company_id, accounting_entry_id, revision, export_job_id, now()
       FROM posting_intent WHERE accounting_entry_id = $1`,
      ids[0],
    );
    expect(await sign()).toEqual({ outcome: 'incomplete', missingEntries: 1 });
    expect(await sign('booked by hand')).toEqual({ outcome: 'signed' });
    expect((await compile()).signOff).toMatchObject({ reason: 'booked by hand', missingEntries: 1 });
  });

  it('requires a reason while a discrepancy is open, not for one that was accepted with a note', async () => {
    const { ids } = await history.addJob(2, on('2026-03-05'));
    history.erp.store.change(ids[0] ?? '', (entry) => ({ ...entry, postingDate: '2026-03-06' as LocalDate }));
    await history.reconcile();
    expect(await sign()).toEqual({ outcome: 'discrepant', openDiscrepancies: 1 });
    expect(await sign('the date was corrected')).toEqual({ outcome: 'signed' });
    await reopen('to sign it again');
    expect(await history.act('accept')).toEqual({ outcome: 'done' });
    expect(await sign()).toEqual({ outcome: 'signed' });
  });

  it('is refused for a month that has not begun, and possible from its first day', async () => {
    await history.addJob(1, on('2026-05-05'));
    expect((await compile('2026-05')).hasBegun).toBe(false);
    expect(await sign('anyway', '2026-05')).toEqual({ outcome: 'not-begun' });
    expect(await states()).toEqual([['2026-05', 'open', undefined]]);
    history.exports.clock.passMinutes(62 * 24 * 60);
    expect(await sign(undefined, '2026-05')).toEqual({ outcome: 'signed' });
  });

  it('requires the ledger’s figures where it has any', async () => {
    await history.addJob(1, on('2026-03-05'));
    history.erp.failure = { kind: 'timeout', message: 'no answer in time' };
    expect(await sign('anyway')).toEqual({ outcome: 'erp-unavailable' });
  });

  it('requires them also while nothing of ours is on any account', async () => {
    history.erp.failure = { kind: 'timeout', message: 'no answer in time' };
    expect(await sign()).toEqual({ outcome: 'erp-unavailable' });
    history.erp.failure = undefined;
    expect(await sign()).toEqual({ outcome: 'signed' });
  });

  it('can only be reopened, once, and is never changed otherwise or deleted', async () => {
    await history.addJob(1, on('2026-03-05'));
    await sign();
    await reopen('late invoice');
    await history.query(`SET session_replication_role = DEFAULT`);
    for (const statement of [`DELETE FROM month_sign_off`, `UPDATE month_sign_off SET reopening_reason = 'another'`]) {
      await expect(history.query(statement)).rejects.toThrow('is kept');
    }
    await expect(history.query(`SET ROLE connector_app; UPDATE month_sign_off SET hash = 'x'`)).rejects.toThrow(
      'permission denied',
    );
  });
});

describe('what stands in the ledger without a record', () => {
  const listed = async (month: string) => (await compile(month)).discrepancies.map((one) => [one.subject, one.date]);

  it('is of the month that it is posted in, wherever the company is, and whatever month its original is of', async () => {
    const { ids } = await history.addJob(1, on('2026-02-27'));
    const { store } = history.erp;
    const { entries, ...original } = store.newest(ids[0] ?? '');
    const first = entries.map((entry) => ({ ...entry, postingDate: '2026-03-01' as LocalDate }));
    store.put({ ...original, entries: first, key: 'copy' });
    store.put({ ...original, entries: first, key: 'orphan', accountingEntryId: randomUUID() });
    await history.reconcile();
    await history.query(
      `INSERT INTO reconciliation_schedule (installation_id, time_zone, next_run_at) VALUES ($1, 'America/New_York', now())
       ON CONFLICT (installation_id) DO UPDATE SET time_zone = EXCLUDED.time_zone`,
      history.tenant.installationId,
    );
    expect(new Set(await listed('2026-03'))).toEqual(
      new Set([
        ['copy', '2026-03-01'],
        ['orphan', '2026-03-01'],
      ]),
    );
    expect(await listed('2026-02')).toEqual([]);
  });
});
