import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ExportsHarness, type Tenant } from '../exports-harness.js';
import { startedOnce } from '../../../../support/started-once.js';

const exports = startedOnce(() => ExportsHarness.start());
let tenant: Tenant;
beforeAll(async () => {
  tenant = await exports.addTenant();
});

type State = 'pending' | 'successful' | 'failed';
type Item = readonly [job: string, state: State, currency: string | null, hundredths?: string];

async function addJobs(count: number): Promise<readonly string[]> {
  const { rows } = await exports.admin.query<{ id: string }>(
    `INSERT INTO export_job (installation_id, id, company_id, state, number_of_items, vendor_based_bookkeeping,
       created_on_platform_at, expires_at, detected_at, next_run_at)
     SELECT $1, gen_random_uuid(), $2, 'running', 9, false, now(), now(), now(), now() FROM generate_series(1, $3::int)
     RETURNING id`,
    [tenant.installationId, tenant.companyId, count],
  );
  return rows.map(({ id }) => id);
}

/** In one statement. */
async function addItems(...items: readonly Item[]): Promise<void> {
  const list = items.map(([job, state, currency, value], index) => ({
    job,
    id: randomUUID(),
    position: index + 1,
    state,
    amount: currency === null ? null : { currency, value },
  }));
  await exports.admin.query(
    `INSERT INTO export_item (installation_id, export_job_id, accounting_entry_id, position, state, amount, external_id,
       failure_type, failure_reason)
     SELECT $1, job, id, position, state, amount, CASE state WHEN 'successful' THEN 'J-1' END,
       CASE state WHEN 'failed' THEN 'validation_failure' END, CASE state WHEN 'failed' THEN 'wrong' END
     FROM json_to_recordset($2) AS item (job uuid, id uuid, position int, state text, amount jsonb)`,
    [tenant.installationId, JSON.stringify(list)],
  );
}

async function countersOf(jobs: readonly string[]): Promise<readonly unknown[]> {
  const { rows } = await exports.admin.query<{ id: string; counters: unknown }>(
    `SELECT id, json_build_array(successful_items, failed_items, amounts) AS counters FROM export_job WHERE id = ANY($1)`,
    [jobs],
  );
  return jobs.map((job) => rows.find(({ id }) => id === job)?.counters);
}

describe('the counters of a job', () => {
  it('grow with the results that are written, per job', async () => {
    const [first = '', second = '', third = ''] = await addJobs(3);
    await addItems(
      [first, 'successful', 'EUR', '1250'],
      [first, 'successful', 'EUR', '-250'],
      [first, 'failed', 'USD', '700'],
      [first, 'pending', 'EUR', '9999'],
      [second, 'successful', 'JPY', '30000'],
      [second, 'successful', null],
    );
    expect(await countersOf([first, second, third])).toEqual([
      [2, 1, { EUR: 1000, USD: 700 }],
      [2, 0, { JPY: 30000 }],
      [0, 0, {}],
    ]);
    await addItems([first, 'failed', 'EUR', '5'], [third, 'successful', 'EUR', '1']);
    expect(await countersOf([first, second, third])).toEqual([
      [2, 2, { EUR: 1005, USD: 700 }],
      [2, 0, { JPY: 30000 }],
      [1, 0, { EUR: 1 }],
    ]);
  });

  it('grow with results for items listed before, for several jobs at once, and with nothing else', async () => {
    const [first = '', second = ''] = await addJobs(2);
    await addItems([first, 'pending', 'EUR', '100'], [first, 'pending', 'USD', '7'], [second, 'pending', 'EUR', '40']);
    expect(await countersOf([first, second])).toEqual([
      [0, 0, {}],
      [0, 0, {}],
    ]);
    await exports.admin.query(
      `UPDATE export_item SET state = 'successful', external_id = 'J-1' WHERE export_job_id = ANY($1) AND amount ->> 'currency' = 'EUR'`,
      [[first, second]],
    );
    const counted = [
      [1, 0, { EUR: 100 }],
      [1, 0, { EUR: 40 }],
    ];
    expect(await countersOf([first, second])).toEqual(counted);
    await exports.admin.query(
      `UPDATE export_item SET report_problem = 'unknown' WHERE export_job_id = $1 AND state <> 'pending'`,
      [first],
    );
    expect(await countersOf([first, second])).toEqual(counted);
  });
});
