// The ledger under load: 100,000 entries over HTTP against a bare set-based insert of the same rows on the same server, and
// the trial balance over them against summing all postings.
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { Secret } from '../build/foundation/config/secret.js';
import { createDatabase, dropDatabase } from '../build/foundation/database/server-admin.js';
import { EmbeddedPostgres } from '../build/foundation/embedded-postgres/embedded-postgres.js';
import { HttpClient } from '../build/foundation/http/client/http-client.js';
import { createLogger } from '../build/foundation/logging/logger.js';
import { migrateAll } from '../build/sandbox/launch/migrate-all.js';
import { openLedger } from '../build/sandbox/ledger/ledger-program.js';

const ENTRIES = Number(process.env.BENCH_ENTRIES ?? 100_000);
const GROUPS = 500;
/** Entries before the clock starts: compilers, caches and pools are not what is measured. */
const WARM_UP = 5_000;
/** Requests under way at the same time: while one is written to the database, others are read and checked. */
const SENDERS = 3;
const WALLET = '1935';
const TAX = '2641';
const EXPENSES = Array.from({ length: 20 }, (_, index) => String(5410 + index * 10));
const KEY = 'key-of-the-benchmark';

export async function ledger() {
  const server = await EmbeddedPostgres.start({ folder: join('.data', 'bench-postgres'), durable: true });
  const name = `bench_${process.pid}`;
  await createDatabase(server.url('postgres'), name);
  try {
    const url = server.url(name);
    await migrateAll(url);
    const bare = await bareInsert(url);
    const { perSecond, first, last, trialBalance } = await overHttp(url);
    return [
      {
        measured: `posted over HTTP ${figure(perSecond)} entries/s (first 10,000: ${figure(first)}, last: ${figure(last)})`,
        baseline: `bare insert of the same rows ${figure(bare)} entries/s`,
        ratio: perSecond / bare,
      },
      {
        measured: `trial balance ${trialBalance.reportMs.toFixed(1)} ms`,
        baseline: `sum of all postings ${trialBalance.sumMs.toFixed(1)} ms`,
        ratio: trialBalance.sumMs / trialBalance.reportMs,
      },
    ];
  } finally {
    await dropDatabase(server.url('postgres'), name);
    await server.stop();
  }
}

/** The same tables and indexes without triggers, foreign keys and checks; one transaction a batch, as the ledger does it. */
async function bareInsert(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const table of ['posting_group', 'journal_entry', 'journal_line']) {
    await client.query(`CREATE TABLE bare_${table} (LIKE ledger.${table} INCLUDING INDEXES)`);
  }
  const company = randomUUID();
  const batches = Array.from({ length: ENTRIES / GROUPS }, (_, batch) =>
    Array.from({ length: GROUPS }, (_, index) => group(batch * GROUPS + index)),
  );
  let number = 0;
  let start = performance.now();
  for (const [index, groups] of [...batches.slice(0, WARM_UP / GROUPS), ...batches].entries()) {
    if (index === WARM_UP / GROUPS) start = performance.now();
    const entries = groups.map((each) => {
      number += 1;
      return { ...each.entries[0], id: randomUUID(), groupId: randomUUID(), key: randomUUID(), number };
    });
    const lines = entries.flatMap((entry) =>
      entry.lines.map((line, index) => ({ ...line, entryId: entry.id, lineNo: index + 1 })),
    );
    const all = (rows, pick) => rows.map(pick);
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO bare_posting_group (id, company_id, key, revision, content_digest, created_at)
       SELECT id, $1, key, 1, $4, now() FROM unnest($2::uuid[], $3::text[]) AS new (id, key)`,
      [company, all(entries, (e) => e.groupId), all(entries, (e) => e.key), groups[0].contentDigest],
    );
    await client.query(
      `INSERT INTO bare_journal_line (company_id, entry_id, line_no, account_code, amount_minor, base_minor, dimensions)
       SELECT $1, new.* FROM unnest($2::uuid[], $3::int[], $4::text[], $5::bigint[], $6::bigint[], $7::jsonb[]) AS new`,
      [
        company,
        all(lines, (l) => l.entryId),
        all(lines, (l) => l.lineNo),
        all(lines, (l) => l.accountCode),
        all(lines, (l) => l.amountMinor),
        all(lines, (l) => l.baseMinor),
        all(lines, (l) => JSON.stringify(l.dimensions)),
      ],
    );
    await client.query(
      `INSERT INTO bare_journal_entry (company_id, id, posting_group_id, fiscal_year, number, role, state, posting_date, currency,
         description, reference, metadata, line_count, created_at, posted_at)
       SELECT $1, id, group_id, 2026, number, 'entry', 'posted', day, 'EUR', description, reference, metadata, 3, now(), now()
       FROM unnest($2::uuid[], $3::uuid[], $4::bigint[], $5::date[], $6::text[], $7::text[], $8::jsonb[])
         AS new (id, group_id, number, day, description, reference, metadata)`,
      [
        company,
        all(entries, (e) => e.id),
        all(entries, (e) => e.groupId),
        all(entries, (e) => e.number),
        all(entries, (e) => e.postingDate),
        all(entries, (e) => e.description),
        all(entries, (e) => e.reference),
        all(entries, (e) => JSON.stringify(e.metadata)),
      ],
    );
    await client.query('COMMIT');
  }
  const seconds = (performance.now() - start) / 1_000;
  await client.end();
  return ENTRIES / seconds;
}

async function overHttp(databaseUrl) {
  const logger = createLogger('bench', { LOG_LEVEL: 'error', LOG_FORMAT: 'json' });
  const program = await openLedger({ databaseUrl, apiKey: new Secret(KEY), logger });
  await program.app.listen(0, '127.0.0.1');
  const http = new HttpClient({
    baseUrl: await program.app.getUrl(),
    timeoutMs: 60_000,
    maxAnswerBytes: 10_000_000,
    maxConnections: SENDERS,
  });
  const company = randomUUID();
  const send = async (method, path, body) => {
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
    const answer = await http.send({ method, path: `/companies/${company}${path}`, headers, body });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
    return answer.text;
  };
  try {
    await setUp((path, body) => send('PUT', path, JSON.stringify(body)));
    const post = (body) => send('POST', '/posting-groups', body);
    await postAll(post, WARM_UP);
    const marks = await postAll(post, ENTRIES);
    const share = marks.length / 10;
    return {
      perSecond: rate(marks, 0, marks.length),
      first: rate(marks, 0, share),
      last: rate(marks, marks.length - share, marks.length),
      trialBalance: await trialBalance(databaseUrl, company, () => send('GET', '/trial-balance')),
    };
  } finally {
    http.close();
    await program.close();
  }
}

async function setUp(put) {
  await put('', { name: 'Bench', functionalCurrency: 'EUR', timeZone: 'UTC' });
  await put('/periods', {
    data: [{ fiscalYear: 2026, from: '2026-01-01', to: '2026-12-31', state: 'open' }],
  });
  const accounts = [WALLET, TAX, ...EXPENSES].map((code) => ({ code, name: code, type: 'expense' }));
  await put('/accounts', { data: accounts });
}

/** @returns when each batch was done, in milliseconds since the first was sent */
async function postAll(post, entries) {
  const batches = Array.from({ length: entries / GROUPS }, (_, batch) => batch).values();
  const marks = [];
  const start = performance.now();
  const sender = async () => {
    for (const batch of batches) {
      const groups = Array.from({ length: GROUPS }, (_, index) => group(batch * GROUPS + index));
      const { outcomes } = JSON.parse(await post(JSON.stringify({ groups })));
      const refused = outcomes.find(({ outcome }) => outcome !== 'created');
      if (refused !== undefined) throw new Error(JSON.stringify(refused));
      marks.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
  return marks;
}

function rate(marks, from, to) {
  const milliseconds = marks[to - 1] - (from === 0 ? 0 : marks[from - 1]);
  return ((to - from) * GROUPS * 1_000) / milliseconds;
}

async function trialBalance(databaseUrl, company, report) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('SET search_path = ledger');
  const sum = () =>
    client.query(
      `SELECT account_code, currency, sum(greatest(amount_minor, 0)), sum(greatest(-amount_minor, 0)),
         sum(greatest(base_minor, 0)), sum(greatest(-base_minor, 0))
       FROM journal_entry entry JOIN journal_line line ON line.entry_id = entry.id
       WHERE entry.company_id = $1 AND state = 'posted' GROUP BY account_code, currency`,
      [company],
    );
  await client.query('ANALYZE');
  const figures = { sumMs: await fastest(sum), reportMs: await fastest(report) };
  await client.end();
  return figures;
}

async function fastest(work) {
  let best = Infinity;
  for (let round = 0; round < 7; round += 1) {
    const start = performance.now();
    await work();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

function figure(value) {
  return Math.round(value).toLocaleString('en');
}

function group(index) {
  const line = (accountCode, amount) => ({
    accountCode,
    amountMinor: amount,
    baseMinor: amount,
    dimensions: {},
  });
  // An export holds the last weeks; a hundred thousand entries go through the year.
  const dayOfYear = Math.floor((index * 330) / ENTRIES) + ((index * 7) % 35);
  const day = new Date(Date.UTC(2026, 0, 1 + dayOfYear)).toISOString().slice(0, 10);
  const net = 10_000 + (index % 977);
  const entry = {
    role: 'entry',
    state: 'posted',
    postingDate: day,
    currency: 'EUR',
    description: `Paper and pens · A. Person · order ${index}`,
    reference: `R-${index}`,
    metadata: { exportJobId: 'd2b1c1de-64a2-4a3d-a7b9-9a0e9c3f0c11', mappingVersion: 1, fence: '7' },
    lines: [line(EXPENSES[index % EXPENSES.length], String(net)), line(TAX, '2500'), line(WALLET, String(-net - 2500))],
  };
  return { key: randomUUID(), contentDigest: 'a'.repeat(64), entries: [entry] };
}
