// The ledger's posting call over HTTP, against a bare set-based insert of as many rows on the same server.
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { Secret } from '../dist/foundation/config/secret.js';
import { Database } from '../dist/foundation/database/database.js';
import { createDatabase, dropDatabase } from '../dist/foundation/database/server-admin.js';
import { EmbeddedPostgres } from '../dist/foundation/embedded-postgres/embedded-postgres.js';
import { HttpClient } from '../dist/foundation/http/http-client.js';
import { createLogger } from '../dist/foundation/logging/logger.js';
import { migrateAll } from '../dist/launch/migrate-all.js';
import { openLedger } from '../dist/ledger/ledger-program.js';

const BATCHES = 20;
const GROUPS = 500;
const LINES = 3;
const KEY = 'key-of-the-benchmark';

export async function posting() {
  const server = await EmbeddedPostgres.start({ folder: join('.data', 'bench-postgres'), durable: true });
  const name = `bench_${process.pid}`;
  await createDatabase(server.url('postgres'), name);
  try {
    const url = server.url(name);
    await migrateAll(url);
    return {
      unit: 'entries',
      baseline: { what: 'bare insert', perSecond: await bareInsert(url) },
      measured: { what: 'posted over HTTP', perSecond: await overHttp(url) },
    };
  } finally {
    await dropDatabase(server.url('postgres'), name);
    await server.stop();
  }
}

async function bareInsert(url) {
  const database = await Database.connect({ url, schema: 'public', applicationName: 'bench', poolSize: 1 });
  const run = (text, values = []) => database.inTransaction('bench', (tx) => tx.execute({ text, values }));
  await run('CREATE TABLE entry (id uuid PRIMARY KEY, key text UNIQUE)');
  await run(
    'CREATE TABLE line (entry_id uuid REFERENCES entry, no int, amount bigint, PRIMARY KEY (entry_id, no))',
  );
  const start = performance.now();
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const ids = Array.from({ length: GROUPS }, () => randomUUID());
    await database.inTransaction('bench', async (tx) => {
      await tx.execute({
        text: 'INSERT INTO entry SELECT id, id::text FROM unnest($1::uuid[]) AS id',
        values: [ids],
      });
      const text =
        'INSERT INTO line SELECT id, no, no FROM unnest($1::uuid[]) AS id, generate_series(1, $2::int) AS no';
      await tx.execute({ text, values: [ids, LINES] });
    });
  }
  const seconds = (performance.now() - start) / 1_000;
  await database.close();
  return (BATCHES * GROUPS) / seconds;
}

async function overHttp(databaseUrl) {
  const logger = createLogger('bench', { LOG_LEVEL: 'error', LOG_FORMAT: 'json' });
  const ledger = await openLedger({ databaseUrl, apiKey: new Secret(KEY), logger });
  await ledger.app.listen(0, '127.0.0.1');
  const http = new HttpClient({
    baseUrl: await ledger.app.getUrl(),
    timeoutMs: 60_000,
    maxAnswerBytes: 10_000_000,
    maxConnections: 2,
  });
  const company = `/companies/${randomUUID()}`;
  const send = async (method, path, body) => {
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
    const answer = await http.send({
      method,
      path: `${company}${path}`,
      headers,
      body: JSON.stringify(body),
    });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
    return answer.text;
  };
  await send('PUT', '', { name: 'Bench', functionalCurrency: 'EUR', timeZone: 'UTC' });
  await send('PUT', '/periods', {
    data: [{ fiscalYear: 2026, from: '2026-01-01', to: '2026-12-31', state: 'open' }],
  });
  const accounts = ['1935', '2641', '6071'].map((code) => ({
    code,
    name: code,
    type: 'expense',
    active: true,
  }));
  await send('PUT', '/accounts', { data: accounts });
  const batches = Array.from({ length: BATCHES }, () => ({ groups: Array.from({ length: GROUPS }, group) }));
  const start = performance.now();
  for (const batch of batches) {
    const { outcomes } = JSON.parse(await send('POST', '/posting-groups', batch));
    const refused = outcomes.find(({ outcome }) => outcome !== 'created');
    if (refused !== undefined) throw new Error(JSON.stringify(refused));
  }
  const seconds = (performance.now() - start) / 1_000;
  http.close();
  await ledger.close();
  return (BATCHES * GROUPS) / seconds;
}

function group() {
  const line = (accountCode, amount) => ({
    accountCode,
    amountMinor: amount,
    baseMinor: amount,
    dimensions: {},
  });
  const lines = [line('6071', '10000'), line('2641', '2500'), line('1935', '-12500')];
  const entry = {
    role: 'entry',
    state: 'posted',
    postingDate: '2026-11-10',
    currency: 'EUR',
    description: 'Paper',
    reference: 'R-1',
    metadata: {},
    lines,
  };
  return { key: randomUUID(), contentDigest: 'digest', entries: [entry] };
}
