import { withPlan } from '../../../support/stored-plans.js';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { CertificateRepository } from '../../../../src/connector/reconciliation/certificates/certificate.repository.js';
import {
  OPERATOR_TOKEN,
  startConnectorApp,
  storeInstallation,
  type StoredInstallation,
} from '../../../support/connector-app.js';
import { startedOnce } from '../../../support/started-once.js';

// What a home page shows, in one call.

const FIRST_SEEN = '2026-03-02T10:00:00.000Z';
const connector = startedOnce(startConnectorApp);
let mine: StoredInstallation;

interface Overview {
  readonly needsAttention: number;
  readonly runningJobs: readonly { readonly id: string; readonly secondsLeft: number }[];
  readonly lastExports: readonly { readonly id: string; readonly certificate: object }[];
  readonly [name: string]: unknown;
}

beforeEach(async () => {
  mine = await storeInstallation(connector, 'Mine');
});

async function read(installation: StoredInstallation, url = '/api/v1/overview'): Promise<Overview> {
  const created = await connector.app.inject({
    method: 'POST',
    url: `/api/v1/operator/installations/${installation.id}/api-tokens`,
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
    payload: { role: 'viewer', label: 'test', days: 1 },
  });
  const { token } = created.json<{ token: string }>();
  const headers = { authorization: `Bearer ${token}` };
  const answer = await connector.app.inject({ url, headers });
  expect(answer.statusCode).toBe(200);
  return answer.json<Overview>();
}

async function storeJob(state: string, { inMinutes = 0, at = FIRST_SEEN } = {}): Promise<string> {
  const id = randomUUID();
  await connector.admin.query(
    `INSERT INTO export_job (installation_id, id, company_id, state, number_of_items, vendor_based_bookkeeping,
       created_on_platform_at, expires_at, detected_at, next_run_at)
     VALUES ($1, $2, $3, $4, 2, false, $5, now() + $6 * interval '1 minute', $5, now())`,
    [mine.id, id, mine.companyId, state, at, inMinutes],
  );
  return id;
}

async function storeFailure(issueKey: string, entryId: string, jobId: string, currency: string, minor: number) {
  const [kind = '', reference = ''] = issueKey.split(':');
  await connector.admin.query(
    `INSERT INTO issue (installation_id, issue_key, kind, reference, failure_type, reason, first_seen_at, last_seen_at)
     VALUES ($1, $2, $3, $4, 'account_unknown', 'unknown', $5, $5) ON CONFLICT DO NOTHING`,
    [mine.id, issueKey, kind, reference, FIRST_SEEN],
  );
  await connector.admin.query(
    `INSERT INTO failed_entry (installation_id, issue_key, accounting_entry_id, export_job_id, currency, amount_minor,
       first_seen_at, last_seen_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $7)`,
    [mine.id, issueKey, entryId, jobId, currency, minor, FIRST_SEEN],
  );
}

const side = (digest: string, debitMinor: string) => ({
  entries: 2,
  totals: [{ currency: 'EUR', debitMinor, creditMinor: debitMinor }],
  digest: digest.repeat(64),
});

async function certify(
  exportJobId: string,
  erp: ReturnType<typeof side> | null,
  planned = side('a', '20000'),
): Promise<void> {
  await connector.runtime.database.inInstallation('certify', mine.id, (tx) =>
    new CertificateRepository().append(tx, mine.id, {
      exportJobId,
      companyId: mine.companyId,
      erpCompanyId: 'erp',
      jobState: 'completed',
      mappingVersion: null,
      items: { announced: 2, successful: 2, failed: 0, pending: 0 },
      planned,
      erp,
      discrepancies: 0,
      madeAt: new Date(FIRST_SEEN),
    }),
  );
}

describe('the overview', () => {
  it('of a company without exports shows what is still to be done', async () => {
    const nothing = { count: 0, amounts: [], oldest: null };
    expect(await read(mine)).toMatchObject({
      needsAttention: 1,
      issues: { ...nothing, entries: 0, first: [] },
      inDoubtPostings: nothing,
      discrepancies: nothing,
      runningJobs: [],
      lastExports: [],
      nextRuns: { sync: null, reconciliation: null },
      platform: { state: 'ok', name: 'Mine', problem: null },
      erp: { state: 'not-connected', name: null },
    });
  });

  it('recounts issues after each change, by any actor', async () => {
    const job = await storeJob('completed_with_errors');
    const [first, second] = [randomUUID(), randomUUID()];
    await storeFailure('account:6420', first, job, 'EUR', 1_000);
    const counted = async () => {
      const { issues } = (await read(mine)) as unknown as { issues: { entries: number; amounts: object } };
      return [issues.entries, issues.amounts];
    };
    const eur = (amountMinor: string) => [{ amountMinor, currency: 'EUR', exponent: 2 }];
    expect(await counted()).toEqual([1, eur('1000')]);
    await storeFailure('account:6420', second, job, 'EUR', 500);
    expect(await counted()).toEqual([2, eur('1500')]);
    await connector.admin.query(
      `UPDATE failed_entry SET cleared_at = now(), cleared_by_job_id = $3 WHERE installation_id = $1 AND accounting_entry_id = $2`,
      [mine.id, first, job],
    );
    expect(await counted()).toEqual([1, eur('500')]);
    await connector.admin.query(
      `INSERT INTO issue_handling (installation_id, issue_key, snoozed_until) VALUES ($1, 'account:6420', '2999-01-01')`,
      [mine.id],
    );
    expect(await counted()).toEqual([0, []]);
  });

  it('adds up exactly what was stated with a part of a yen, as the list of issues does', async () => {
    const job = await storeJob('completed_with_errors');
    await storeFailure('account:6420', randomUUID(), job, 'JPY', 250_000);
    await storeFailure('account:6420', randomUUID(), job, 'JPY', 123.45);
    const money = { amountMinor: '25012345', currency: 'JPY', exponent: 2 };
    expect(await read(mine)).toMatchObject({ issues: { entries: 2, amounts: [money] } });
    const totals = await read(mine, '/api/v1/issues/totals');
    expect(totals).toMatchObject({ amounts: [{ entries: 2, amount: '250123.45', money }] });
  });

  it('counts an issue that was left and has failed again with all its entries, as the list of issues does', async () => {
    const job = await storeJob('completed_with_errors');
    const again = randomUUID();
    await storeFailure('account:6420', randomUUID(), job, 'EUR', 1_000);
    await storeFailure('account:6420', again, job, 'EUR', 500);
    const counted = async () => {
      const { issues } = (await read(mine)) as unknown as {
        issues: { count: number; entries: number; amounts: object };
      };
      const { total, amounts } = (await read(mine, '/api/v1/issues/totals')) as unknown as {
        total: number;
        amounts: readonly { entries: number; money: object }[];
      };
      const listed = { entries: amounts.reduce((sum, { entries }) => sum + entries, 0) };
      expect(issues).toMatchObject({ count: total, ...listed, amounts: amounts.map(({ money }) => money) });
      return [issues.count, issues.entries];
    };
    await connector.admin.query(
      `INSERT INTO issue_handling (installation_id, issue_key, left_at) VALUES ($1, 'account:6420', $2)`,
      [mine.id, FIRST_SEEN],
    );
    expect(await counted()).toEqual([0, 0]);
    await connector.admin.query(
      `UPDATE failed_entry SET last_seen_at = last_seen_at + interval '1 day' WHERE installation_id = $1 AND accounting_entry_id = $2`,
      [mine.id, again],
    );
    expect(await counted()).toEqual([1, 2]);
  });

  it('shows that the operator has paused exports, since when and why, as does the connection', async () => {
    expect(await read(mine)).toMatchObject({ paused: null });
    const events = async () => {
      const { rowCount } = await connector.admin.query(
        `SELECT FROM page_event WHERE installation_id = $1 AND kind = 'connection'`,
        [mine.id],
      );
      return Number(rowCount);
    };
    const before = await events();
    const reason = 'Your accounting system is being moved.';
    const paused = await connector.app.inject({
      method: 'PUT',
      url: `/api/v1/operator/customers/${mine.id}/pause`,
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
      payload: { reason },
    });
    expect(paused.statusCode).toBe(204);
    const expected = { at: expect.stringMatching(/^20\d\d-.*Z$/), reason };
    expect(await read(mine)).toMatchObject({ paused: expected });
    expect(await read(mine, '/api/v1/connection')).toMatchObject({ paused: expected });
    expect(await events()).toBe(before + 1);
  });

  it('counts what is open, each entry once, with amounts by currency', async () => {
    const job = await storeJob('completed_with_errors');
    const [one, two, yen] = [randomUUID(), randomUUID(), randomUUID()];
    await storeFailure('vendor-blocked:V-1', one, job, 'EUR', 12_500);
    await storeFailure('tax-code:EE22', one, job, 'EUR', 12_500);
    await storeFailure('account:6420', two, job, 'EUR', 100);
    await storeFailure('account:6420', yen, job, 'JPY', 1_500);
    await connector.admin.query(
      `INSERT INTO mapping_version (installation_id, version, settings, author, created_at) VALUES ($1, 1, '{}', 'x', now())`,
      [mine.id],
    );
    const plan = [{ currency: 'EUR', lines: [{ amountMinor: '700' }, { amountMinor: '-700' }] }];
    await connector.admin.query(
      `${withPlan('$1', '$3', '$2', '$4')}
       INSERT INTO posting_intent (installation_id, erp_company_id, accounting_entry_id, export_job_id, mapping_version,
         content_digest, plan_chunk_id, fence, state, created_at) SELECT $1, 'erp', $2, $3, 1, 'x', id, 1, 'uncertain', $5 FROM chunk`,
      [mine.id, randomUUID(), job, JSON.stringify(plan), FIRST_SEEN],
    );
    const overview = await read(mine);
    expect(overview).toMatchObject({
      // Three issues, one posting in doubt, and no accounting system.
      needsAttention: 5,
      issues: {
        count: 3,
        entries: 3,
        oldest: FIRST_SEEN,
        amounts: [
          { amountMinor: '12600', currency: 'EUR', exponent: 2 },
          { amountMinor: '1500', currency: 'JPY', exponent: 0 },
        ],
        // The greatest sum first, however many entries it is.
        first: [
          { issueKey: 'tax-code:EE22', entries: 1 },
          { issueKey: 'vendor-blocked:V-1', entries: 1 },
          { issueKey: 'account:6420', entries: 2 },
        ],
      },
      inDoubtPostings: { count: 1, amounts: [{ amountMinor: '700', currency: 'EUR', exponent: 2 }] },
    });
    expect(await read(await storeInstallation(connector, 'Other'))).toMatchObject({ issues: { count: 0 } });
  });

  it('has running exports with their deadline, nearest first, and the certificates of the last ones', async () => {
    const late = await storeJob('running', { inMinutes: 50 });
    const soon = await storeJob('detected', { inMinutes: 5 });
    const over = await storeJob('verdict_decided', { inMinutes: -1 });
    const ended: string[] = [];
    for (const minute of ['01', '02', '03', '04', '05', '06']) {
      ended.unshift(await storeJob('completed', { at: `2026-03-01T10:${minute}:00Z` }));
    }
    const [waiting = '', unsearchable = '', differing = '', proved = '', fifth = ''] = ended;
    await certify(proved, side('a', '20000'));
    await certify(differing, side('b', '19900'));
    await certify(unsearchable, null);
    const { runningJobs, lastExports } = await read(mine);
    expect(runningJobs.map(({ id }) => id)).toEqual([over, soon, late]);
    expect(runningJobs.map(({ secondsLeft }) => Math.ceil(secondsLeft / 60))).toEqual([0, 5, 50]);
    expect(lastExports.map(({ id }) => id)).toEqual([waiting, unsearchable, differing, proved, fifth]);
    const euro = (amountMinor: string) => [{ amountMinor, currency: 'EUR', exponent: 2 }];
    expect(lastExports.map(({ certificate }) => certificate)).toMatchObject([
      { state: 'waiting', sequence: null, difference: [] },
      { state: 'not-verifiable', sequence: '3', planned: 2, readBack: null, difference: [] },
      { state: 'differs', sequence: '2', readBack: 2, difference: euro('100') },
      { state: 'proved', sequence: '1', planned: 2, readBack: 2, discrepancies: 0, difference: euro('0') },
      { state: 'waiting' },
    ]);
  });

  it('proves nothing of an export that has posted nothing', async () => {
    const job = await storeJob('failed');
    const nothing = { entries: 0, totals: [], digest: 'c'.repeat(64) };
    await certify(job, nothing, nothing);
    const { lastExports } = await read(mine);
    expect(lastExports).toMatchObject([{ certificate: { state: 'nothing-posted', planned: 0, readBack: 0 } }]);
  });

  it.each(['failed', 'expired'])(
    'counts the newest export when it has %s without a result for each item, until there is another',
    async (state) => {
      await storeJob('completed', { at: '2026-03-01T10:00:00Z' });
      expect(await read(mine)).toMatchObject({ needsAttention: 1, failedExport: null });
      const job = await storeJob(state, { at: '2026-03-01T11:00:00Z' });
      expect(await read(mine)).toMatchObject({ needsAttention: 2, failedExport: { id: job, state } });
      await storeJob('running', { at: '2026-03-01T12:00:00Z', inMinutes: 50 });
      expect(await read(mine)).toMatchObject({ needsAttention: 1, failedExport: null });
    },
  );

  it('reports when a connection needs a person', async () => {
    await connector.admin.query(`UPDATE installation SET state = 'needs_reauthorization' WHERE id = $1`, [mine.id]);
    const { platform, needsAttention } = await read(mine);
    expect([platform, needsAttention]).toMatchObject([{ state: 'action-needed', name: 'Mine' }, 2]);
    expect(String(Reflect.get(Object(platform), 'problem'))).toContain('connect again');
  });
});
