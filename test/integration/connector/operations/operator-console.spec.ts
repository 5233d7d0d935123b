import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ChangeOperatorTokens } from '../../../../src/connector/access/change-operator-tokens.js';
import { CONCERNS, customersPage, type Concern } from '../../../../src/connector/operations/customer.reader.js';
import { FailedTasks } from '../../../../src/connector/tasks/failed-tasks.js';
import { Database } from '../../../../src/foundation/database/database.js';
import type { Clock } from '../../../../src/kernel/clock.js';
import { OPERATOR_TOKEN } from '../../../support/connector-app.js';
import { startedOnce } from '../../../support/started-once.js';
import { at, ConnectHarness } from '../installations/connect-harness.js';

// What an operator sees of 10,000 customers, and does to one of them.

const CUSTOMERS = 10_000;
const NAMED = 'operator anna';

const harness = startedOnce(() => ConnectHarness.start());
let token: string;
/** In the order of their names. */
let ids: readonly string[];

beforeAll(async () => {
  const { url } = harness.connector.server;
  const database = await Database.connect({ url, schema: 'connector', applicationName: 'operator-test', poolSize: 1 });
  const made = await new ChangeOperatorTokens(database, 'a test').add('anna');
  token = made.outcome === 'made' ? made.token : '';
  await database.close();
  // Without the audit log of ten thousand customers.
  await harness.admin.query(`SET session_replication_role = replica`);
  await harness.admin.query(`
    INSERT INTO installation (id, platform_company_id, company_name, state, created_at)
    SELECT gen_random_uuid(), gen_random_uuid(), 'Customer ' || lpad(n::text, 5, '0'), 'active', now()
    FROM generate_series(0, ${(CUSTOMERS - 1).toString()}) n`);
  await harness.admin.query(`
    INSERT INTO export_job (installation_id, id, company_id, state, number_of_items, vendor_based_bookkeeping,
      created_on_platform_at, expires_at, detected_at, next_run_at, finished_at)
    SELECT id, gen_random_uuid(), platform_company_id, 'completed', 1, false, now(), now(), now(), now(), now() FROM installation`);
  await harness.admin.query(`SET session_replication_role = DEFAULT`);
  await harness.admin.query('ANALYZE installation, export_job');
  const { rows } = await harness.admin.query<{ id: string }>(`SELECT id FROM installation ORDER BY company_name`);
  ids = rows.map(({ id }) => id);
});

const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
  harness.call(method, `/api/v1/operator/${path}`, { token, ...(body && { body }) });
const idOf = (nth: number) => ids[nth] ?? '';
const namesOf = (json: unknown) => (at(json, 'data') as readonly object[]).map((one) => at(one, 'companyName'));
const find = async (query: string) => namesOf((await call('GET', `customers?${query}`)).json);
const audited = async (nth: number) => {
  const { rows } = await harness.admin.query(
    `SELECT actor, after FROM audit_entry WHERE installation_id = $1 AND object = 'operator_action' ORDER BY position`,
    [idOf(nth)],
  );
  return rows as readonly object[];
};

async function addJob(nth: number, minutesLeft: number, change = ''): Promise<string> {
  const id = randomUUID();
  await harness.admin.query(
    `INSERT INTO export_job (installation_id, id, company_id, state, number_of_items, vendor_based_bookkeeping,
       created_on_platform_at, expires_at, detected_at, next_run_at)
     SELECT id, $2, platform_company_id, 'detected', 7, false, now(), now() + make_interval(mins => $3), now(), now()
     FROM installation WHERE id = $1`,
    [idOf(nth), id, minutesLeft],
  );
  if (change !== '') {
    await harness.admin.query(`UPDATE export_job SET ${change}, version = version + 1 WHERE id = $1`, [id]);
  }
  return id;
}

describe('the list of customers', () => {
  it('is paged, each customer once', async () => {
    const seen: unknown[] = [];
    let after = '';
    do {
      const { json } = await call('GET', `customers?limit=1000${after}`);
      seen.push(...namesOf(json));
      after = at(json, 'nextCursor') === null ? '' : `&after=${String(at(json, 'nextCursor'))}`;
    } while (after !== '');
    expect(seen).toHaveLength(CUSTOMERS);
    expect(seen).toEqual([...new Set(seen)].sort());
  });

  it('finds a customer by a part of the name, by its id and by its company’s', async () => {
    const { companyId } = (await call('GET', `customers/${idOf(4_321)}`)).json as { readonly companyId: string };
    for (const search of ['OMER 04321', idOf(4_321), companyId]) {
      expect(await find(`search=${encodeURIComponent(search)}`)).toEqual(['Customer 04321']);
    }
    expect(await find('search=%25')).toEqual([]);
  });

  it('finds those that need an operator, with the reason', async () => {
    await addJob(10, 14);
    await addJob(11, 50, `next_run_at = now() - interval '6 minutes'`);
    await addJob(12, 50, 'pauses = 5');
    const uncertain = await addJob(13, 50);
    await harness.admin.query(`SET session_replication_role = replica`);
    await harness.admin.query(`INSERT INTO uncertain_posting VALUES ($1, 'erp', gen_random_uuid(), 1, $2, now())`, [
      idOf(13),
      uncertain,
    ]);
    await harness.admin.query(
      `INSERT INTO discrepancy (installation_id, id, company_id, class, subject, fingerprint, evidence, occurred_at, state,
         first_seen_at, last_seen_at, last_seen_run)
       VALUES ($1, gen_random_uuid(), gen_random_uuid(), 'orphan-entry', 'x', 'f', '{}', now(), 'open', now(), now(), gen_random_uuid())`,
      [idOf(15)],
    );
    await harness.admin.query(`SET session_replication_role = DEFAULT`);
    await harness.admin.query(
      `INSERT INTO failed_task VALUES ($1, gen_random_uuid(), 'detect-export-jobs', '{}', now(), 1, 'x')`,
      [idOf(14)],
    );
    await harness.admin.query(`UPDATE installation SET state = 'needs_reauthorization' WHERE id = $1`, [idOf(16)]);
    await harness.admin.query(
      `INSERT INTO erp_connection (installation_id, generation, kind, erp_system, is_first, settings, sealed_secrets, state, problem,
         connected_by, connected_at) VALUES ($1, 1, 'ledger', 'x', true, '{}', 'x', 'needs-reauthorization', 'refused', 'me', now())`,
      [idOf(17)],
    );
    await call('PUT', `customers/${idOf(18)}/pause`, { reason: 'as agreed' });
    const expected: Readonly<Record<Concern, readonly number[]>> = {
      'near-expiry': [10],
      stuck: [11, 12],
      uncertain: [13],
      'failed-tasks': [14],
      discrepancies: [15],
      'authorization-lost': [16, 17],
      paused: [18],
    };
    for (const concern of CONCERNS) {
      const names = expected[concern].map((nth) => `Customer ${nth.toString().padStart(5, '0')}`);
      expect([concern, await find(`concern=${concern}`)]).toEqual([concern, names]);
    }
    const { json } = await call('GET', `customers?search=${idOf(12)}`);
    expect(at(json, 'data')).toEqual([
      expect.objectContaining({ openJobs: 1, stuckJobs: 1, failedTasks: 0, authorizationLost: false }),
    ]);
  });

  it.each([undefined, ...CONCERNS])('reads no table sequentially [%s]', async (concern) => {
    const { text, values } = customersPage({
      search: 'customer 09',
      concern,
      after: { id: idOf(4_999) },
      limit: 51,
    });
    await harness.admin.query('BEGIN; SET LOCAL ROLE connector_scheduler; SET LOCAL enable_seqscan = off');
    const { rows } = await harness.admin.query<{ 'QUERY PLAN': string }>(`EXPLAIN ANALYZE ${text}`, [...values]);
    await harness.admin.query('ROLLBACK');
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).not.toContain('Seq Scan');
  });
});

describe('one customer', () => {
  it('is shown with its open exports and their remaining time', async () => {
    const id = await addJob(100, 30);
    const { json } = await call('GET', `customers/${idOf(100)}`);
    expect(json).toMatchObject({
      companyName: 'Customer 00100',
      pause: null,
      erp: null,
      jobs: [{ id, state: 'detected', items: 7, stuck: false, attempts: 0 }],
    });
    const [job] = at(json, 'jobs') as readonly { readonly secondsLeft: number }[];
    expect(job?.secondsLeft).toBeGreaterThan(1_700);
    expect(job?.secondsLeft).toBeLessThanOrEqual(1_800);
  });

  it('is paused and resumed under the operator’s name, with the reason', async () => {
    expect((await call('PUT', `customers/${idOf(101)}/pause`, { reason: 'Year end.' })).status).toBe(204);
    expect((await call('GET', `customers/${idOf(101)}`)).json).toMatchObject({
      pause: { by: NAMED, reason: 'Year end.' },
    });
    expect((await call('DELETE', `customers/${idOf(101)}/pause`)).status).toBe(204);
    expect((await call('GET', `customers/${idOf(101)}`)).json).toMatchObject({ pause: null, pausedAt: null });
    expect(await audited(101)).toMatchObject([
      { actor: NAMED, after: { action: 'paused', reason: 'Year end.' } },
      { actor: NAMED, after: { action: 'resumed', reason: null } },
    ]);
  });

  it('has a postponed export retried at once, and no ended one', async () => {
    const id = await addJob(102, 30, `next_run_at = now() + interval '20 minutes'`);
    expect((await call('POST', `customers/${idOf(102)}/jobs/${id}/retry`)).status).toBe(202);
    expect(
      await harness.row(`SELECT next_run_at <= clock_timestamp() AS due FROM export_job WHERE id = $1`, id),
    ).toEqual({
      due: true,
    });
    expect(await audited(102)).toMatchObject([{ actor: NAMED, after: { action: 'job-retried', target: id } }]);
    const ended = await harness.row(
      `SELECT id FROM export_job WHERE installation_id = $1 AND state = 'completed'`,
      idOf(102),
    );
    const refused = await call('POST', `customers/${idOf(102)}/jobs/${String(at(ended, 'id'))}/retry`);
    expect([refused.status, at(refused.json, 'type')]).toEqual([409, 'urn:problem:job-ended']);
    // Of another customer it is not there.
    expect((await call('POST', `customers/${idOf(103)}/jobs/${id}/retry`)).status).toBe(404);
  });

  it.each(['customers/x', `customers/${randomUUID()}`])('is not found at %s', async (path) => {
    expect((await call('GET', path)).status).toBe(404);
    expect((await call('PUT', `${path}/pause`, { reason: 'x' })).status).toBe(404);
    expect((await call('DELETE', `${path}/pause`)).status).toBe(404);
  });
});

describe('dead letters', () => {
  it('are listed newest first over all customers, and replayed', async () => {
    await harness.admin.query('DELETE FROM failed_task');
    for (const [nth, minutes] of [
      [200, 3],
      [201, 1],
      [202, 2],
    ] as const) {
      await harness.admin.query(
        `INSERT INTO failed_task VALUES ($1, gen_random_uuid(), 'detect-export-jobs', $2, now() - make_interval(mins => $3), 1, 'Error: no')`,
        [idOf(nth), JSON.stringify({ installationId: idOf(nth) }), minutes],
      );
    }
    const first = (await call('GET', 'dead-letters?limit=2')).json;
    expect(namesOf(first)).toEqual(['Customer 00201', 'Customer 00202']);
    const second = (await call('GET', `dead-letters?limit=2&after=${String(at(first, 'nextCursor'))}`)).json;
    expect([namesOf(second), at(second, 'nextCursor')]).toEqual([['Customer 00200'], null]);
    expect(namesOf((await call('GET', `dead-letters?customer=${idOf(202)}`)).json)).toEqual(['Customer 00202']);
    const [letter] = at(second, 'data') as readonly { readonly id: string }[];
    const path = `dead-letters/${letter?.id ?? ''}/replay`;
    // Another customer has no such letter.
    expect((await call('POST', `customers/${idOf(201)}/${path}`)).status).toBe(404);
    const replayed = await call('POST', `customers/${idOf(200)}/${path}`);
    expect([replayed.status, replayed.json]).toEqual([202, { outcome: 'sent' }]);
    expect(
      await harness.row(
        `SELECT count(*)::int AS tasks FROM pgboss.job WHERE name = 'detect-export-jobs' AND data ->> 'installationId' = $1`,
        idOf(200),
      ),
    ).toEqual({ tasks: 1 });
    expect(await audited(200)).toMatchObject([
      { actor: NAMED, after: { action: 'task-replayed', target: 'detect-export-jobs' } },
    ]);
    expect((await call('POST', `customers/${idOf(200)}/${path}`)).status).toBe(404);
  });

  it('are recorded once for each task, counted, and deleted when the task succeeds', async () => {
    const { database, clock, logger } = harness.connector.runtime;
    const failedTasks = new FailedTasks(database, clock, logger);
    const payload = { installationId: idOf(210) };
    const rows = async () =>
      (
        await harness.admin.query<object>(
          `SELECT kind, failures, problem FROM failed_task WHERE installation_id = $1`,
          [idOf(210)],
        )
      ).rows;
    await failedTasks.record('a-kind', payload, new Error('first'));
    await failedTasks.record('a-kind', payload, new Error('second'));
    expect(await rows()).toEqual([{ kind: 'a-kind', failures: 2, problem: 'Error: second' }]);
    await failedTasks.forget('another-kind', payload);
    expect(await rows()).toHaveLength(1);
    await failedTasks.forget('a-kind', payload);
    expect(await rows()).toEqual([]);
    // The schedule's own tasks come again by themselves.
    await failedTasks.record('sweep', {}, new Error('x'));
  });

  it.each([
    ['the same process', false],
    ['another process', true],
  ])('are deleted when the task fails in %s and succeeds a moment later', async (_, isOther) => {
    const { database, logger } = harness.connector.runtime;
    let seconds = 0;
    const clock = { monotonicMs: () => seconds * 1_000 } as Clock;
    const here = new FailedTasks(database, clock, logger);
    const customer = idOf(isOther ? 212 : 213);
    const payload = { installationId: customer, id: randomUUID() };
    const count = 'SELECT count(*)::int FROM failed_task WHERE installation_id = $1';
    // It has looked before the failure, and does not look again for ten seconds.
    await here.forget('a-kind', { ...payload, id: randomUUID() });
    await (isOther ? new FailedTasks(database, clock, logger) : here).record('a-kind', payload, new Error('no'));
    expect(await harness.row(count, customer)).toEqual({ count: 1 });
    await here.forget('a-kind', payload);
    expect(await harness.row(count, customer)).toEqual({ count: isOther ? 1 : 0 });
    seconds = 10;
    await harness.admin.query(
      `UPDATE failed_task SET failed_at = failed_at - make_interval(secs => $2) WHERE installation_id = $1`,
      [customer, seconds],
    );
    await here.forget('another-kind', payload);
    expect(await harness.row(count, customer)).toEqual({ count: 0 });
  });

  it('are deleted after a week', async () => {
    const { database, clock, logger } = harness.connector.runtime;
    for (const days of [6, 8]) {
      await harness.admin.query(
        `INSERT INTO failed_task VALUES ($1, gen_random_uuid(), 'old', $2, now() - make_interval(days => $3), 1, 'x')`,
        [idOf(211), JSON.stringify({ days }), days],
      );
    }
    await new FailedTasks(database, clock, logger).deleteOld();
    expect(
      await harness.row(`SELECT array_agg(payload ->> 'days') AS days FROM failed_task WHERE kind = 'old'`),
    ).toEqual({
      days: ['6'],
    });
  });
});

describe('a worker', () => {
  it('is instructed by name to accept no more tasks; an ended one is not', async () => {
    const [here, gone] = [randomUUID(), randomUUID()];
    await harness.admin.query(
      `INSERT INTO worker_process (id, host, pid, started_at, last_beat_at, running)
       VALUES ($1, 'a', 1, now(), now(), 0), ($2, 'b', 2, now(), now() - interval '1 minute', 3)`,
      [here, gone],
    );
    expect((await call('POST', `workers/${here}/drain`)).status).toBe(202);
    expect((await call('POST', `workers/${gone}/drain`)).status).toBe(404);
    expect((await call('POST', 'workers/x/drain')).status).toBe(404);
    expect(at((await call('GET', 'workers')).json, 'data')).toMatchObject([
      { id: here, state: 'drained', drainRequestedBy: NAMED, drainRequestedAt: expect.any(String) as unknown },
      { id: gone, state: 'gone', drainRequestedBy: null, drainRequestedAt: null },
    ]);
    // Asked once more nothing is added, and what was recorded stays when the worker's row is forgotten.
    expect((await call('POST', `workers/${here}/drain`)).status).toBe(202);
    await harness.admin.query('DELETE FROM worker_process WHERE id = $1', [here]);
    const { rows } = await harness.admin.query(
      `SELECT actor, worker_id AS worker, host, pid, occurred_at > now() - interval '1 minute' AS recent FROM worker_drain_entry`,
    );
    expect(rows).toEqual([{ actor: NAMED, worker: here, host: 'a', pid: 1, recent: true }]);
    for (const statement of ['UPDATE worker_drain_entry SET actor = actor', 'DELETE FROM worker_drain_entry']) {
      await expect(harness.admin.query(statement)).rejects.toThrow('append-only');
    }
  });
});

describe('the session of an operator’s browser', () => {
  const withCookie = (method: 'GET' | 'PUT' | 'DELETE', cookie: string, headers = {}) =>
    harness.call(method, '/api/v1/operator/session', { headers: { cookie, ...headers } });

  it('is started by a token, is strict, and ends by expiry, by the operator, or with the token', async () => {
    const begun = await harness.call('PUT', '/api/v1/operator/session', { token });
    const header = String(begun.headers['set-cookie']);
    expect([begun.status, header]).toEqual([
      204,
      expect.stringMatching(/Max-Age=3600; Path=\/; HttpOnly; (Secure; )?SameSite=Strict/),
    ]);
    const cookie = header.split(';')[0] ?? '';
    expect((await withCookie('GET', cookie)).json).toEqual({ name: NAMED });
    // Not for pages of other sites, and it does not prolong itself.
    expect((await withCookie('GET', cookie, { 'sec-fetch-site': 'cross-site' })).status).toBe(401);
    expect((await withCookie('GET', cookie, { origin: 'https://elsewhere.example' })).status).toBe(401);
    expect((await withCookie('PUT', cookie)).status).toBe(401);
    expect((await withCookie('DELETE', cookie)).status).toBe(204);
    expect((await withCookie('GET', cookie)).status).toBe(401);

    const second = String((await harness.call('PUT', '/api/v1/operator/session', { token })).headers['set-cookie']);
    const other = second.split(';')[0] ?? '';
    expect((await withCookie('GET', other)).status).toBe(200);
    await harness.admin.query(`UPDATE operator_token SET revoked_at = now() WHERE name = 'anna'`);
    expect((await withCookie('GET', other)).status).toBe(401);
    await harness.admin.query(`UPDATE operator_token SET revoked_at = NULL WHERE name = 'anna'`);
    await harness.admin.query(`UPDATE operator_session SET expires_at = now()`);
    expect((await withCookie('GET', other)).status).toBe(401);
  });

  it('works for the one token of a sandbox, too', async () => {
    const begun = await harness.call('PUT', '/api/v1/operator/session', { token: OPERATOR_TOKEN });
    const cookie = String(begun.headers['set-cookie']).split(';')[0] ?? '';
    expect((await withCookie('GET', cookie)).json).toEqual({ name: 'operator' });
  });
});
