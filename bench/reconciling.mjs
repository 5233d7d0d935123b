// Reconciliation of a whole history of which nothing is certified yet: whether ten times as many items need more memory, and
// how many requests and how much time they take, certificates included. Each length runs in a process of its own under the same heap cap.
import { Buffer } from 'node:buffer';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { createDatabase, dropDatabase } from '../build/foundation/database/server-admin.js';
import { EmbeddedPostgres } from '../build/foundation/embedded-postgres/embedded-postgres.js';
import { migrateAll } from '../build/sandbox/launch/migrate-all.js';

const SMALL = Number(process.env.BENCH_SMALL_HISTORY ?? 100_000);
const LARGE = Number(process.env.BENCH_LARGE_HISTORY ?? 1_000_000);
const ITEMS_IN_A_JOB = 10_000;
/** Small halves of the young generation, or they are most of what is measured. */
const HEAP_CAP_MB = 96;
const YOUNG_HALF_MB = 8;
const PROCESS = fileURLToPath(new URL('reconciling-process.mjs', import.meta.url));

export async function reconciling() {
  const server = await EmbeddedPostgres.start({ folder: join('.data', 'bench-postgres'), durable: true });
  try {
    const small = await measured(server, SMALL);
    const large = await measured(server, LARGE);
    return [
      {
        measured: `memory over ${figure(LARGE)} items, heap capped at ${HEAP_CAP_MB} MB: ${figure(large.peakMb)} MB`,
        baseline: `over ${figure(SMALL)} items: ${figure(small.peakMb)} MB`,
        ratio: large.peakMb / small.peakMb,
      },
      {
        measured: `${figure(LARGE)} items in ${figure(large.seconds)} s, ${figure(large.platformRequests)} requests to the platform, ${figure(large.erpRequests)} to the ERP: ${figure(LARGE / large.seconds)} items/s`,
        baseline: `${figure(SMALL)} items in ${figure(small.seconds)} s: ${figure(SMALL / small.seconds)} items/s`,
        ratio: LARGE / large.seconds / (SMALL / small.seconds),
      },
    ];
  } finally {
    await server.stop();
  }
}

async function measured(server, items) {
  const name = `bench_${process.pid}`;
  await createDatabase(server.url('postgres'), name);
  try {
    const url = server.url(name);
    await migrateAll(url);
    const tenant = { installationId: randomUUID(), companyId: randomUUID() };
    await addHistory(url, tenant, items);
    const figures = await inOwnProcess(url, tenant, items);
    if (figures.items !== items || figures.differences !== 0 || figures.state !== 'completed') {
      throw new Error(`the run is not what it should be: ${JSON.stringify(figures)}`);
    }
    return figures;
  } finally {
    await dropDatabase(server.url('postgres'), name);
  }
}

/** Jobs and entries are numbered, so that the other side makes its answers up from the number alone. */
async function addHistory(url, { installationId, companyId }, items) {
  const client = new pg.Client({ connectionString: url, options: '-c search_path=connector' });
  await client.connect();
  try {
    // Only while the rows are made: a trigger per row is not what is measured.
    await client.query(`SET session_replication_role = replica`);
    await client.query(
      `INSERT INTO installation (id, platform_company_id, company_name, state, erp_company_id, created_at)
       VALUES ($1, $2, 'Bench', 'active', 'erp-company', now())`,
      [installationId, companyId],
    );
    await client.query(
      `INSERT INTO mapping_version (installation_id, version, settings, author, created_at) VALUES ($1, 1, '{"accounts":{}}', 'bench', now())`,
      [installationId],
    );
    await client.query(
      `INSERT INTO export_job (installation_id, id, company_id, state, number_of_items, vendor_based_bookkeeping,
         mapping_version, erp_company_id, created_on_platform_at, expires_at, detected_at, next_run_at)
       SELECT $1, ('00000000-0000-4000-8000-' || lpad(to_hex(job), 12, '0'))::uuid, $2, 'completed', $3, false, 1, 'erp-company',
         timestamptz '2026-03-02 10:00Z' + job * interval '1 minute', now(), now(), now()
       FROM generate_series(1, $4::int) AS job`,
      [installationId, companyId, ITEMS_IN_A_JOB, items / ITEMS_IN_A_JOB],
    );
    await client.query(
      `INSERT INTO export_item (installation_id, export_job_id, accounting_entry_id, position, state, external_id,
         exported_at, known_at)
       SELECT $1, ('00000000-0000-4000-8000-' || lpad(to_hex(item / $2 + 1), 12, '0'))::uuid, ('00000000-0000-4000-8000-' || lpad(to_hex(item), 12, '0'))::uuid, item % $2 + 1,
         'successful', 'journal-' || item, now(), now()
       FROM generate_series(0, $3::int - 1) AS item`,
      [installationId, ITEMS_IN_A_JOB, items],
    );
    await client.query(
      `WITH chunk AS (INSERT INTO plan_chunk (installation_id, export_job_id, id, plans)
         SELECT $1, ('00000000-0000-4000-8000-' || lpad(to_hex(item / $2 + 1), 12, '0'))::uuid, gen_random_uuid(),
           jsonb_object_agg(('00000000-0000-4000-8000-' || lpad(to_hex(item), 12, '0')), jsonb_build_array(jsonb_build_object('role', 'entry',
             'state', 'posted', 'postingDate', '2026-03-02', 'currency', 'EUR', 'lines', jsonb_build_array(
               jsonb_build_object('account', jsonb_build_object('code', '5410'), 'amountMinor', (item % 99999 + 1)::text),
               jsonb_build_object('account', jsonb_build_object('code', '1935'), 'amountMinor', (-(item % 99999 + 1))::text)))))
         FROM generate_series(0, $3::int - 1) AS item GROUP BY item / $2 RETURNING export_job_id, id)
       INSERT INTO posting_intent (installation_id, erp_company_id, accounting_entry_id, export_job_id, mapping_version,
         content_digest, plan_chunk_id, fence, state, external_id, posted_at, created_at)
       SELECT $1, 'erp-company', ('00000000-0000-4000-8000-' || lpad(to_hex(item), 12, '0'))::uuid, ('00000000-0000-4000-8000-' || lpad(to_hex(item / $2 + 1), 12, '0'))::uuid, 1,
         'digest', chunk.id, 1, 'posted', 'journal-' || item, now(), now()
       FROM generate_series(0, $3::int - 1) AS item
       JOIN chunk ON export_job_id = ('00000000-0000-4000-8000-' || lpad(to_hex(item / $2 + 1), 12, '0'))::uuid`,
      [installationId, ITEMS_IN_A_JOB, items],
    );
    await client.query(`ANALYZE`);
  } finally {
    await client.end();
  }
}

async function inOwnProcess(url, tenant, items) {
  const limits = [`--max-old-space-size=${HEAP_CAP_MB}`, `--max-semi-space-size=${YOUNG_HALF_MB}`];
  const asked = JSON.stringify({ url, ...tenant, items, itemsInAJob: ITEMS_IN_A_JOB });
  const child = spawn(process.execPath, [...limits, PROCESS, asked], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const chunks = [];
  child.stdout.on('data', (chunk) => chunks.push(chunk));
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (code !== 0) {
    throw new Error(`the reconciling process ended with ${code}`);
  }
  return JSON.parse(Buffer.concat(chunks).toString().trim().split('\n').at(-1));
}

function figure(value) {
  return Math.round(value).toLocaleString('en');
}
