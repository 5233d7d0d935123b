import { beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { Database } from '../../../src/foundation/database/database.js';
import { classifyDatabaseError, isDatabaseUnavailable } from '../../../src/foundation/database/database-error.js';
import { prepared, sql } from '../../../src/foundation/database/sql.js';
import type { Tx } from '../../../src/foundation/database/transaction.js';
import { HttpClient } from '../../../src/foundation/http/client/http-client.js';
import { PostgresProxy } from '../../support/servers/postgres-proxy.js';
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

/** Of a client's messages, each of which begins with a letter and its length. */
function messageTypes(sent: Buffer): string[] {
  const types = [];
  for (let at = 0; at < sent.length; at += 1 + sent.readInt32BE(at + 1)) {
    types.push(sent.toString('latin1', at, at + 1));
  }
  return types;
}

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

  it('return whole numbers beyond 2^53, days and decimals exactly', async () => {
    const row = await database.inTransaction('exact', async (tx) => {
      await tx.execute(
        sql`INSERT INTO thing VALUES (${9007199254740993n}, ${'2026-03-29'}, ${'12345678901234567.89'})`,
      );
      return tx.one(sql`SELECT * FROM thing WHERE id = ${9007199254740993n}`);
    });
    expect(row).toEqual({ id: 9007199254740993n, day: '2026-03-29', amount: '12345678901234567.89' });
  });

  it.each([
    [
      'of its own keeps what is prepared, and how a transaction begins and ends',
      false,
      [
        'BEGIN',
        'BEGIN READ ONLY',
        'COMMIT',
        'SELECT $1::text AS value',
        'SELECT set_config($1, $2, true), set_config($3, $4, true)',
      ],
    ],
    ['of a pooler keeps nothing', true, []],
  ])('a prepared statement on a connection %s', async (_, isPooled, kept) => {
    const url = server.url;
    const own = await Database.connect({ url, isPooled, schema: 'public', applicationName: 'prepared', poolSize: 1 });
    try {
      for (const value of ['one', 'two', "the other's", "another's"]) {
        const read = (tx: Tx) => tx.one(prepared(sql`SELECT ${value}::text AS value`));
        expect(await own.readOnce('ask', read)).toEqual({ value });
      }
      const held = sql`SELECT statement FROM pg_prepared_statements ORDER BY statement`;
      const statements = await own.inTransaction('look', (tx) => tx.rows<{ statement: string }>(held));
      expect(statements.map(({ statement }) => statement)).toEqual(kept);
    } finally {
      await own.close();
    }
  });

  it('fail as a whole when one of several concurrent statements does', async () => {
    const failing = database.inTransaction('ask', async (tx) => {
      const asked = [sql`INSERT INTO thing (id) VALUES (90)`, sql`SELECT 1 / ${0}::int`, sql`SELECT 1`];
      const settled = await Promise.allSettled(asked.map((statement) => tx.rows(statement)));
      expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    });
    await expect(failing).rejects.toThrow('a transaction of which a statement has failed was to be committed');
    expect(await database.inOneStatement('look', sql`SELECT id FROM thing WHERE id = 90`)).toEqual([]);
  });

  it('begin once, for any number of concurrent statements', async () => {
    const open = await database.inTransaction('ask', (tx) =>
      Promise.all([
        tx.one<{ readonly at: Date }>(prepared(sql`SELECT ${'one'}::text AS value, now() AS at`)),
        tx.one<{ readonly at: Date }>(sql`SELECT ${'two'}::text AS value, now() AS at`),
      ]),
    );
    // `now()` is when the transaction began.
    expect(open[1].at).toEqual(open[0].at);
  });

  it('begin with their first statement, whose failure undoes the beginning', async () => {
    const failing = database.inTransaction('fail at once', (tx) => tx.one(sql`SELECT 1 / ${0}::int AS x`));
    await expect(failing).rejects.toThrow('division by zero');
    const state = sql`SELECT count(*)::int AS open FROM pg_stat_activity
      WHERE application_name = 'test' AND state LIKE 'idle in transaction%'`;
    expect(await database.inOneStatement('look', state)).toEqual([{ open: 0 }]);
  });

  it('have their settings before the first statement, and leave none behind', async () => {
    const settings = { 'app.test': "O'Hara; --" };
    const read = sql`SELECT current_setting('app.test') AS setting -- the last words`;
    const found = await database.inTransaction('look', (tx) => tx.one(read), settings);
    expect(found).toEqual({ setting: "O'Hara; --" });
    expect(await database.readOnce('look', (tx) => tx.one(read), settings)).toEqual(found);
    const left = await database.inOneStatement('look', sql`SELECT current_setting('app.test', true) AS setting`);
    expect(left).not.toEqual([found]);
  });

  describe('with deferred statements', () => {
    const add = (id: bigint) => sql`INSERT INTO thing (id) VALUES (${id})`;
    const ids = (from: bigint, to: bigint) =>
      database.readOnce('read', (tx) =>
        tx.rows(sql`SELECT id FROM thing WHERE id BETWEEN ${from} AND ${to} ORDER BY id`),
      );

    it('execute them in order, before the next one and before the end', async () => {
      const seen = await database.inTransaction('defer', async (tx) => {
        tx.defer(add(100n));
        tx.defer(sql`UPDATE thing SET amount = 1 WHERE id = 100`);
        const first = await tx.rows(sql`SELECT amount FROM thing WHERE id = 100`);
        tx.defer(add(101n));
        const second = await tx.execute(sql`UPDATE thing SET amount = 2 WHERE id IN (100, 101)`);
        tx.defer(add(102n));
        return [first, second];
      });
      expect(seen).toEqual([[{ amount: '1' }], 2]);
      expect(await ids(100n, 109n)).toEqual([{ id: 100n }, { id: 101n }, { id: 102n }]);
    });

    it('may end with one whose result is needed, and accept none after it', async () => {
      const ended = await database.inTransaction('last', (tx) => {
        tx.defer(add(160n));
        return tx.last(
          sql`INSERT INTO thing (id) SELECT max(id) + 1 FROM thing WHERE id BETWEEN 160 AND 169 RETURNING id`,
        );
      });
      expect(ended).toEqual([{ id: 161n }]);
      const throwing = database.inTransaction('last', async (tx) => {
        await tx.last(add(162n));
        throw new Error('too late');
      });
      await expect(throwing).rejects.toThrow('too late');
      const more = database.inTransaction('last', async (tx) => {
        await tx.last(add(163n));
        tx.defer(add(164n));
      });
      await expect(more).rejects.toThrow('a statement after the last');
      const failing = database.inTransaction('last', async (tx) => {
        tx.defer(add(165n));
        await tx.last(add(160n));
      });
      await expect(failing).rejects.toMatchObject({ code: '23505' });
      expect(await ids(160n, 169n)).toEqual([{ id: 160n }, { id: 161n }, { id: 162n }, { id: 163n }]);
    });

    it('may consist of them only', async () => {
      await database.inTransaction('defer', (tx) => {
        tx.defer(add(110n));
        return Promise.resolve();
      });
      expect(await ids(110n, 119n)).toEqual([{ id: 110n }]);
    });

    it.each([
      ['with the next one', true],
      ['with the end', false],
    ])('fail where one of them fails, %s, and change nothing', async (_, isAsked) => {
      const failing = database.inTransaction('defer', async (tx) => {
        await tx.execute(add(120n));
        tx.defer(add(121n));
        tx.defer(add(120n));
        tx.defer(add(122n));
        if (isAsked) {
          await tx.execute(add(123n));
        }
      });
      await expect(failing).rejects.toMatchObject({ code: '23505' });
      expect(await ids(120n, 129n)).toEqual([]);
    });

    it('execute none of them when the work throws', async () => {
      const failing = database.inTransaction('defer', (tx) => {
        tx.defer(add(130n));
        return Promise.reject(new Error('on purpose'));
      });
      await expect(failing).rejects.toThrow('on purpose');
      expect(await ids(130n, 139n)).toEqual([]);
    });

    it('prepare a statement again when an earlier failure prevented it', async () => {
      const own = await Database.connect({ url: server.url, schema: 'public', applicationName: 'again', poolSize: 1 });
      const write = (first: bigint) =>
        own.inTransaction('defer', async (tx) => {
          tx.defer(prepared(sql`INSERT INTO thing (id, amount) VALUES (${first}, 1)`));
          return tx.one(prepared(sql`SELECT count(*)::int AS all FROM thing WHERE id BETWEEN 140 AND 149`));
        });
      try {
        await expect(write(1n)).rejects.toMatchObject({ code: '23505' });
        expect(await write(140n)).toEqual({ all: 1 });
        await expect(write(140n)).rejects.toMatchObject({ code: '23505' });
        expect(await write(141n)).toEqual({ all: 2 });
      } finally {
        await own.close();
      }
    });

    it('send nothing when a value cannot be sent', async () => {
      const circle: { self?: unknown } = {};
      circle.self = circle;
      const failing = database.inTransaction('defer', async (tx) => {
        tx.defer(add(150n));
        await tx.execute(sql`INSERT INTO thing (id, amount) VALUES (151, ${circle}::jsonb::numeric)`);
      });
      await expect(failing).rejects.toThrow('circular');
      expect(await ids(150n, 159n)).toEqual([]);
    });
  });

  it('in read mode accept one statement only, and no write', async () => {
    const twice = database.readOnce('read', async (tx) => [
      await tx.one(sql`SELECT 1 AS one`),
      await tx.one(sql`SELECT 2 AS two`),
    ]);
    await expect(twice).rejects.toThrow('a statement after the last');
    const write = database.readOnce('write', (tx) => tx.execute(sql`INSERT INTO thing (id) VALUES (77)`));
    await expect(write).rejects.toThrow('cannot execute INSERT in a read-only transaction');
  });

  it('refuse a network call inside', async () => {
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

  it('report a violated constraint as rolled back, and a lost connection as unknown', async () => {
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

describe('a statement that its connection keeps', () => {
  it('is asked for its columns once, whatever comes of it', async () => {
    const address = new URL(server.url);
    const described: number[] = [];
    const proxy = await PostgresProxy.start(
      { host: address.hostname, port: Number(address.port) },
      {
        onQuestion: ({ sent }) => {
          described.push(messageTypes(sent).filter((type) => type === 'D').length);
          return 'pass';
        },
        onAnswer: () => 'pass',
      },
    );
    address.host = `127.0.0.1:${proxy.port.toString()}`;
    const own = await Database.connect({
      url: address.toString(),
      schema: 'public',
      applicationName: 'columns',
      poolSize: 1,
    });
    const insert = (id: bigint) => prepared(sql`INSERT INTO thing (id) VALUES (${id}), (${id + 1n})`);
    const read = (id: bigint) =>
      prepared(sql`SELECT id, day, amount, id + 1 AS day FROM thing WHERE id BETWEEN ${id} AND ${id + 1n} ORDER BY id`);
    const turn = (id: bigint) =>
      own.inTransaction('turn', async (tx) => [await tx.execute(insert(id)), await tx.rows(read(id))]);
    try {
      const rows = (id: bigint) => [
        { id, day: id + 1n, amount: null },
        { id: id + 1n, day: id + 2n, amount: null },
      ];
      described.length = 0;
      expect(await turn(300n)).toEqual([2, rows(300n)]);
      expect(described.reduce((sum, count) => sum + count)).toBe(2);
      described.length = 0;
      expect(await turn(302n)).toEqual([2, rows(302n)]);
      await expect(turn(303n)).rejects.toMatchObject({ code: '23505' });
      expect(await own.readOnce('none', (tx) => tx.rows(read(400n)))).toEqual([]);
      expect(await turn(304n)).toEqual([2, rows(304n)]);
      expect(new Set(described)).toEqual(new Set([0]));
    } finally {
      await own.close();
      await proxy.close();
    }
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
