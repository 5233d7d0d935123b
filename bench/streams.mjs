// Pages that are open all day: what 500 event streams of ten customers cost the API process in memory, and an export in speed,
// against the same export without any.
import { createHash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { demoCompany } from '../build/sandbox/launch/demo/demo-company.js';
import { onOwnServer } from './fresh-database.mjs';
import { cardPurchase, Programs } from './programs.mjs';

/** As many as a customer may have open, and a caller. */
const CUSTOMERS = 10;
const CALLERS = 10;
const STREAMS_OF_A_CALLER = 5;
const STREAMS = CUSTOMERS * CALLERS * STREAMS_OF_A_CALLER;
const OPENED_AT_ONCE = 25;
/** In which every stream has had a sign of life and counters. */
const SETTLE_MS = 20_000;
const ITEMS = Number(process.env.BENCH_ITEMS ?? 5_000);
const WARM_UP = 1_000;
const PROMISED_MB = 100;

export async function streams() {
  return onOwnServer(measure);
}

async function measure(url) {
  const programs = await Programs.start(url);
  const client = new pg.Client({ connectionString: url, options: '-c search_path=connector' });
  await client.connect();
  const open = [];
  try {
    const tokens = await plantCallers(client);
    const exports = new Exports(programs, client);
    await exports.itemsPerSecond(WARM_UP);
    const alone = await exports.itemsPerSecond(ITEMS);
    const before = await memoryMb(programs.api);
    for (let opened = 0; opened < STREAMS; opened += OPENED_AT_ONCE) {
      const batch = Array.from({ length: OPENED_AT_ONCE }, (_, index) =>
        openStream(programs.addresses.connector, tokens[(opened + index) % tokens.length]),
      );
      open.push(...(await Promise.all(batch)));
    }
    await sleep(SETTLE_MS);
    const beside = await exports.itemsPerSecond(ITEMS);
    const after = await memoryMb(programs.api);
    const heard = open.filter((stream) => stream.progress > 0).length;
    const told = open.filter((stream) => stream.ready > 0).length;
    const lost = open.filter((stream) => stream.ended).length;
    console.log(`  ${told} streams were told that they are ready, ${heard} the counters of the export, ${lost} ended`);
    if (told < STREAMS || heard < STREAMS / CUSTOMERS || lost > 0) throw new Error('the streams did not hold');
    return [
      {
        measured: `${STREAMS} open event streams: ${figure(after - before)} MB more of the API process (${figure(after)} MB)`,
        baseline: `promised ${PROMISED_MB} MB`,
        ratio: (after - before) / PROMISED_MB,
      },
      {
        measured: `export of ${ITEMS.toLocaleString('en')} items beside them ${figure(beside)} items/s`,
        baseline: `without any ${figure(alone)} items/s`,
        ratio: beside / alone,
      },
    ];
  } finally {
    for (const stream of open) stream.close();
    await client.end();
    await programs.close();
  }
}

/** @returns tokens of the demo's customer and of others like it, whose rows are copied */
async function plantCallers(client) {
  await client.query('SET session_replication_role = replica');
  const { rows } = await client.query(
    `SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns FROM pg_attribute
     WHERE attrelid = 'installation'::regclass AND attnum > 0 AND NOT attisdropped
       AND attname NOT IN ('id', 'platform_company_id', 'erp_company_id', 'next_poll_at')`,
  );
  const [{ id: first }] = (await client.query('SELECT id FROM installation LIMIT 1')).rows;
  const others = Array.from({ length: CUSTOMERS - 1 }, () => randomUUID());
  await client.query(
    `INSERT INTO installation (id, platform_company_id, next_poll_at, ${rows[0].columns})
     SELECT other, gen_random_uuid(), now() + interval '1 day', ${rows[0].columns}
     FROM installation, unnest($2::uuid[]) AS other WHERE id = $1`,
    [first, others],
  );
  const tokens = [];
  for (const installation of [first, ...others]) {
    for (let number = 0; number < CALLERS; number += 1) {
      const token = `bench-${randomUUID()}`;
      await client.query(
        `INSERT INTO api_token (id, installation_id, token_hash, prefix, role, label, created_at, expires_at)
         VALUES (gen_random_uuid(), $1, $2, 'bench---', 'viewer', $3, now(), now() + interval '1 day')`,
        [installation, createHash('sha256').update(token).digest(), `page ${number}`],
      );
      tokens.push(token);
    }
  }
  await client.query('SET session_replication_role = origin');
  return tokens;
}

/** @returns once it is open, what it has heard */
function openStream(address, token) {
  return new Promise((resolve, reject) => {
    const stream = { ready: 0, progress: 0, ended: false, close: () => request.destroy() };
    const request = get(`${address}/api/v1/events`, {
      agent: false,
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
    });
    request.on('error', (error) => {
      stream.ended = true;
      reject(error);
    });
    request.on('response', (response) => {
      if (response.statusCode !== 200) {
        reject(new Error(`a stream was answered ${response.statusCode}`));
        request.destroy();
        return;
      }
      response.setEncoding('utf8');
      response.on('data', (text) => {
        stream.ready += text.includes('event: ready') ? 1 : 0;
        stream.progress += text.includes('event: progress') ? 1 : 0;
      });
      response.on('close', () => {
        stream.ended = true;
      });
      resolve(stream);
    });
  });
}

/** Jobs of the demo company, each exported by a worker of its own. */
class Exports {
  nextEntry = 1;

  constructor(programs, client) {
    this.programs = programs;
    this.client = client;
  }

  async itemsPerSecond(count) {
    for (let added = 0; added < count; added += 1_000) {
      const items = Array.from({ length: 1_000 }, () => cardPurchase((this.nextEntry += 1)));
      await this.programs.simulator.post(`/control/companies/${demoCompany.id}/items`, items);
    }
    return this.programs.withWorker(async () => {
      const before = await this.newestJob();
      await this.pressExport();
      for (;;) {
        await sleep(200);
        const job = await this.newestJob();
        if (job?.id !== before?.id && job?.seconds !== null) {
          if (job.state !== 'completed') throw new Error(`the export ended ${job.state}`);
          return count / job.seconds;
        }
      }
    });
  }

  /** The one before has ended for us; the platform may not have been notified yet. */
  async pressExport() {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.programs.simulator.post(`/control/companies/${demoCompany.id}/export`, {});
        return;
      } catch (error) {
        if (attempt === 100 || !String(error).includes('EXPORT_ALREADY_IN_PROGRESS')) throw error;
        await sleep(500);
      }
    }
  }

  async newestJob() {
    const { rows } = await this.client.query(
      `SELECT id, state, extract(epoch FROM finished_at - started_at)::float8 AS seconds FROM export_job
       ORDER BY detected_at DESC LIMIT 1`,
    );
    return rows[0];
  }
}

/** What the process holds now; on Linux, which alone shows it of another process. */
async function memoryMb({ child }) {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)[1]) / 1_024;
}

function figure(value) {
  return Math.round(value).toLocaleString('en');
}
