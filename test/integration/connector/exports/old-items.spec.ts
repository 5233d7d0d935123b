import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ClearOldItems } from '../../../../src/connector/exports/items/clear-old-items.js';
import { startedOnce } from '../../../support/started-once.js';
import { tenantTables } from '../isolation/fingerprint.js';
import { ExportsHarness, purchases, type Tenant } from './exports-harness.js';

// What may name a person is cleared when its time is over; what was posted stays (S62).

const harness = startedOnce(() => ExportsHarness.start(undefined, undefined, [], { CONNECTOR_ITEM_DAYS: '400' }));
let tenant: Tenant;

beforeEach(async () => {
  harness.platform.restore();
  harness.erp.restore();
  tenant = await harness.addTenant();
});

/** An ended job whose items, reasons, warnings and preview name a person. */
async function plant(name: string, days: number): Promise<string> {
  const id = randomUUID();
  const run = (statement: string, ...values: readonly unknown[]) =>
    harness.admin.query(statement, [tenant.installationId, id, ...values]);
  await run(
    `INSERT INTO export_job (installation_id, id, company_id, state, number_of_items, vendor_based_bookkeeping,
       created_on_platform_at, expires_at, detected_at, next_run_at, finished_at, failure_type, failure_reason, notice)
     VALUES ($1, $2, $3, 'failed', 2, false, now(), now(), now(), now(), now() - make_interval(days => $4), 'x', $5, $5)`,
    tenant.companyId,
    days,
    `The vendor ${name} is unknown.`,
  );
  await run(
    `WITH chunk AS (INSERT INTO item_chunk (installation_id, export_job_id, id, items)
       VALUES ($1, $2, gen_random_uuid(), json_build_object('vendor', $3::text)) RETURNING id)
     INSERT INTO export_item (installation_id, export_job_id, accounting_entry_id, position, state, item_chunk_id, failure_type,
       failure_reason, warnings, external_id)
     SELECT $1, $2, gen_random_uuid(), 1, 'failed', id, 'x', $3, json_build_array($3::text), NULL FROM chunk
     UNION ALL SELECT $1, $2, gen_random_uuid(), 2, 'successful', id, NULL, NULL, '[]', 'J-1' FROM chunk`,
    name,
  );
  const why = { failureReasonType: 'vendor_unknown', failureReason: `The vendor ${name} is unknown.` };
  await run(
    `INSERT INTO outbox (installation_id, export_job_id, seq, kind, body, created_at) VALUES
       ($1, $2, 1, 'items', $3, now()), ($1, $2, 2, 'verdict', $4, now())`,
    JSON.stringify([
      { accountingEntryId: '1', status: 'failed', ...why },
      { accountingEntryId: '2', status: 'successful', externalId: 'J-1' },
    ]),
    JSON.stringify({ event: 'failed', ...why }),
  );
  await run(
    `WITH cause AS (INSERT INTO issue (installation_id, issue_key, kind, reference, failure_type, reason, first_seen_at, last_seen_at)
       VALUES ($1, 'account:' || $2, 'account', $2, 'x', 'r', now(), now()) RETURNING issue_key)
     INSERT INTO failed_entry (installation_id, issue_key, accounting_entry_id, export_job_id, supplier, first_seen_at, last_seen_at)
     SELECT $1, issue_key, gen_random_uuid(), $2::uuid, $3, now(), now() FROM cause`,
    name,
  );
  await run(
    `INSERT INTO receipt (installation_id, erp_company_id, accounting_entry_id, position, media_type, announced_bytes, problem,
       stored_at)
     SELECT $1, 'erp', accounting_entry_id, 1, '', -1, $3, now() - make_interval(days => $4) FROM export_item
     WHERE export_job_id = $2`,
    `The receipt ${name}.pdf could not be fetched.`,
    days,
  );
  await run(
    `INSERT INTO preview (installation_id, id, export_job_id, source, erp_company_id, mapping_version, newest_version, saved,
       digest, entries, more, made_by, created_at, expires_at)
     SELECT $1, $2, $2, 'stored', 'erp', version, version, true, 'd', 1, false, 'me', now(), now() - make_interval(days => $3)
     FROM mapping_version WHERE installation_id = $1 LIMIT 1`,
    days,
  );
  await run(
    `INSERT INTO preview_entry (installation_id, preview_id, position, accounting_entry_id, item, result)
     VALUES ($1, $2, 1, gen_random_uuid(), json_build_object('vendor', $3::text), '{}')`,
    name,
  );
  return id;
}

/** Tables in which a text stands. */
async function placesOf(text: string): Promise<readonly string[]> {
  const places: string[] = [];
  for (const table of await tenantTables(harness.admin)) {
    const { rowCount } = await harness.admin.query(
      `SELECT FROM connector.${table} t WHERE strpos(t::text, $1) > 0 LIMIT 1`,
      [text],
    );
    places.push(...(rowCount === 0 ? [] : [table]));
  }
  return places;
}

const clear = () => harness.get(ClearOldItems).clearOld(new AbortController().signal);

describe('items of an ended job', () => {
  it('have every name deleted after 400 days, and not before', async () => {
    await plant('Petra Planted', 401);
    await plant('Yorick Young', 398);
    const ofJob = ['export_item', 'export_job', 'failed_entry', 'item_chunk', 'outbox'];
    expect(await placesOf('Petra Planted')).toEqual([...ofJob, 'preview_entry', 'receipt']);
    await clear();
    expect(await placesOf('Petra Planted')).toEqual([]);
    expect(await placesOf('Yorick Young')).toEqual([...ofJob, 'receipt']);
  });

  it('of a preview that was valid at that time are deleted once it is not, though nothing else is cleared any more', async () => {
    await plant('Petra Planted', 401);
    await harness.admin.query(`UPDATE preview SET expires_at = now() + interval '1 day'`);
    await clear();
    expect(await placesOf('Petra Planted')).toEqual(['preview_entry']);
    await harness.admin.query(`UPDATE preview SET expires_at = now() - interval '1 second'`);
    await clear();
    expect(await placesOf('Petra Planted')).toEqual([]);
  });

  it('keep their results and the references to their entries', async () => {
    const id = await plant('Petra Planted', 401);
    await clear();
    const { rows } = await harness.admin.query(
      `SELECT state, failure_type, failure_reason, external_id, item_chunk_id, warnings FROM export_item
       WHERE export_job_id = $1 ORDER BY position`,
      [id],
    );
    const cleared = { item_chunk_id: null, warnings: [] };
    const failure_reason = 'The reason is not kept any more.';
    expect(rows).toEqual([
      { ...cleared, state: 'failed', failure_type: 'x', failure_reason, external_id: null },
      { ...cleared, state: 'successful', failure_type: null, failure_reason: null, external_id: 'J-1' },
    ]);
    const sent = await harness.admin.query(`SELECT body FROM outbox WHERE export_job_id = $1 ORDER BY seq`, [id]);
    const reason = { failureReasonType: 'vendor_unknown', failureReason: failure_reason };
    expect(sent.rows.map(({ body }: { body: unknown }) => body)).toEqual([
      [
        { accountingEntryId: '1', status: 'failed', ...reason },
        { accountingEntryId: '2', status: 'successful', externalId: 'J-1' },
      ],
      { event: 'failed', ...reason },
    ]);
    await clear();
    const { rows: versions } = await harness.admin.query(`SELECT version FROM export_job WHERE id = $1`, [id]);
    expect(versions).toEqual([{ version: 3 }]);
  });

  it('of an open job are kept, however old it is', async () => {
    const [item] = purchases(tenant.companyId, 1);
    const job = await harness.addJob(tenant, item === undefined ? [] : [item]);
    await harness.processQueue(tenant);
    await clear();
    expect(
      await harness.admin.query('SELECT FROM export_item WHERE export_job_id = $1 AND item_chunk_id IS NOT NULL', [
        job.id,
      ]),
    ).toHaveProperty('rowCount', 1);
  });

  it('cannot be changed otherwise', async () => {
    const id = await plant('Petra Planted', 401);
    for (const change of [
      `failure_reason = 'another'`,
      `item_chunk_id = NULL, failure_reason = 'another'`,
      `failure_reason = 'The reason is not kept any more.'`,
      `item_chunk_id = NULL, warnings = '["another"]'`,
      `item_chunk_id = NULL, external_id = 'J-2'`,
    ]) {
      await expect(
        harness.admin.query(`UPDATE export_item SET ${change} WHERE export_job_id = $1`, [id]),
      ).rejects.toThrow();
    }
  });
});
