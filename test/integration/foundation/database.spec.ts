import { beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { Database } from '../../../src/foundation/database/database.js';
import { classifyDatabaseError, isDatabaseUnavailable } from '../../../src/foundation/database/database-error.js';
import { prepared, sql } from '../../../src/foundation/database/sql.js';
import type { Tx } from '../../../src/foundation/database/transaction.js';
import { HttpClient } from '../../../src/foundation/http/client/http-client.js';
import { createTestDatabase } from '../../support/test-database.js';
import { TcpProxy } from '../../support/servers/tcp-proxy.js';
import { startedOnce } from '../../support/started-once.js';

const server = startedOnce(createTestDatabase);
const database = startedOnce(() =>
  Database.connect({
    url: server.url,
    schema: 'public',
    applicationName: 'test',
    poolSize: 4,
  }),
);

beforeAll(async () => {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query('CREATE TABLE thing (id bigint PRIMARY KEY, day date, amount numeric)');
  await client.end();
});

describe('transactions', () => {
  it('commit when the work returns and roll back when it throws', async () => {
    await database.inTransaction('keep', (tx) => tx.execute(sql`INSERT INTO thing (id) VALUES (1)`));
    const failing = database.inTransaction('drop', async (tx) => {
      await tx.execute(sql`INSERT INTO thing (id) VALUES (2)`);
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    const rows = await database.inTransaction('read', (tx) => tx.rows(sql`SELECT id FROM thing WHERE id IN (1, 2)`));
    expect(rows).toEqual([{ id: 1n }]);
  });

  it('give whole numbers beyond 2^53, days and decimals back exactly', async () => {
    const row = await database.inTransaction('exact', async (tx) => {
      await tx.execute(
        sql`INSERT INTO thing VALUES (${9007199254740993n}, ${'2026-03-29'}, ${'12345678901234567.89'})`,
      );
      return tx.one(sql`SELECT * FROM thing WHERE id = ${9007199254740993n}`);
    });
    expect(row).toEqual({ id: 9007199254740993n, day: '2026-03-29', amount: '12345678901234567.89' });
  });

  it.each([
    // Asked together with the beginning where the value is plain, and bound where it is not: each of the two keeps its own.
    [
      'of its own keeps what is prepared',
      false,
      [/^PREPARE planned_\d+_told AS SELECT \$1::text AS value$/, /^SELECT \$1::text AS value$/],
    ],
    ['of a pooler keeps nothing', true, []],
  ])('a connection %s', async (_, isPooled, kept) => {
    const url = server.url;
    const own = await Database.connect({ url, isPooled, schema: 'public', applicationName: 'prepared', poolSize: 1 });
    try {
      for (const value of ['one', 'two', "the other's", "another's"]) {
        const read = (tx: Tx) => tx.one(prepared(sql`SELECT ${value}::text AS value`));
        expect(await own.readOnce('ask', read)).toEqual({ value });
      }
      const held = sql`SELECT statement FROM pg_prepared_statements ORDER BY statement`;
      const statements = await own.inTransaction('look', (tx) => tx.rows<{ statement: string }>(held));
      expect(statements.map(({ statement }) => statement)).toEqual(kept.map((text) => expect.stringMatching(text)));
    } finally {
      await own.close();
    }
  });

  it('begin once, whatever is asked at the same moment', async () => {
    const open = await database.inTransaction('ask', (tx) =>
      Promise.all([
        tx.one<{ readonly at: Date }>(prepared(sql`SELECT ${'one'}::text AS value, now() AS at`)),
        tx.one<{ readonly at: Date }>(sql`SELECT ${'two'}::text AS value, now() AS at`),
      ]),
    );
    // `now()` is when the transaction began.
    expect(open[1].at).toEqual(open[0].at);
  });

  it('begin with their first statement: one that fails takes the beginning with it', async () => {
    const failing = database.inTransaction('fail at once', (tx) => tx.one(sql`SELECT 1 / ${0}::int AS x`));
    await expect(failing).rejects.toThrow('division by zero');
    const state = sql`SELECT count(*)::int AS open FROM pg_stat_activity
      WHERE application_name = 'test' AND state LIKE 'idle in transaction%'`;
    expect(await database.inOneStatement('look', state)).toEqual([{ open: 0 }]);
  });

  it.each<[string, unknown]>([
    ['plain', '0198c5a0-0000-7000-8000-000000000001'],
    ['bound', "it's bound"],
  ])('have their opening before the first statement where its values are %s', async (_, value) => {
    const opening = sql`SELECT set_config('app.test', ${"O'Hara"}, true)`;
    const read = sql`SELECT current_setting('app.test') AS setting, ${value}::text AS value -- the last words`;
    const found = await database.inTransaction('open', (tx) => tx.one(read), opening);
    expect(found).toEqual({ setting: "O'Hara", value });
    expect(await database.readOnce('open', (tx) => tx.one(read), opening)).toEqual(found);
    const left = await database.inOneStatement('look', sql`SELECT current_setting('app.test', true) AS setting`);
    expect(left).not.toEqual([{ setting: "O'Hara" }]);
  });

  it('that read once take no second statement and no write', async () => {
    const twice = database.readOnce('read', async (tx) => [
      await tx.one(sql`SELECT 1 AS one`),
      await tx.one(sql`SELECT 2 AS two`),
    ]);
    await expect(twice).rejects.toThrow('a second statement where one was announced');
    for (const id of [77n, 78n]) {
      const text = id === 77n ? 'plain' : 'not plain';
      const write = database.readOnce('write', (tx) =>
        tx.execute(sql`INSERT INTO thing (id) SELECT ${id} WHERE ${text}::text <> ''`),
      );
      await expect(write).rejects.toThrow('cannot execute INSERT in a read-only transaction');
    }
  });

  it('refuse a call over the network inside', async () => {
    const http = new HttpClient({
      baseUrl: 'http://127.0.0.1:9',
      timeoutMs: 100,
      maxResponseBytes: 1,
      maxConnections: 1,
    });
    const calling = database.inTransaction('with a call', () => http.send({ method: 'GET', path: '/' }));
    await expect(calling).rejects.toThrow('GET / inside the open transaction "with a call"');
  });

  it('refuse a second transaction inside', async () => {
    const nested = database.inTransaction('outer', () => database.inTransaction('inner', () => Promise.resolve()));
    await expect(nested).rejects.toThrow('transaction "inner" inside the open transaction "outer"');
  });

  it('report a violated constraint as rolled back and a lost connection as unknown', async () => {
    const duplicate = await database
      .inTransaction('duplicate', (tx) => tx.execute(sql`INSERT INTO thing (id) VALUES (1)`))
      .catch((error: unknown) => error);
    expect(classifyDatabaseError(duplicate)).toBe('rolled-back');
    const killed = await database
      .inTransaction('killed', (tx) => tx.execute(sql`SELECT pg_terminate_backend(pg_backend_pid())`))
      .catch((error: unknown) => error);
    expect(classifyDatabaseError(killed)).toBe('unknown');
    expect(isDatabaseUnavailable(killed)).toBe(true);
  });
});

describe('a network black hole', () => {
  it('ends with the pool working again, without a restart', async () => {
    const { hostname, port } = new URL(server.url);
    const proxy = await TcpProxy.start({ host: hostname, port: Number(port) });
    const address = new URL(server.url);
    address.port = proxy.port.toString();
    const behindProxy = await Database.connect({
      url: address.toString(),
      schema: 'public',
      applicationName: 'black-hole',
      poolSize: 2,
      readTimeoutMs: 1_000,
    });
    try {
      await behindProxy.ping();
      proxy.blackHole();
      await expect(behindProxy.ping()).rejects.toThrow();
      proxy.restore();
      const answers = [];
      for (let attempt = 0; attempt < 5; attempt += 1) {
        answers.push(
          await behindProxy.ping().then(
            () => 'ok',
            () => 'failed',
          ),
        );
      }
      // Connections of the black hole may each fail once more; after them every answer is good.
      expect(answers.slice(2)).toEqual(['ok', 'ok', 'ok']);
    } finally {
      await behindProxy.close();
      await proxy.close();
    }
  });
});
