import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
import type { FailedTasks } from '../../../../src/connector/tasks/failed-tasks.js';
import { installQueueSchema } from '../../../../src/connector/tasks/install-queue-schema.js';
import { handler, type TaskDefinition } from '../../../../src/connector/tasks/task-definition.js';
import { TaskQueue } from '../../../../src/connector/tasks/task-queue.js';
import { sql } from '../../../../src/foundation/database/sql.js';
import { TenantDatabase } from '../../../../src/foundation/database/tenant-database.js';
import { createLogger } from '../../../../src/foundation/logging/logger.js';
import { waitWithoutSlot } from '../../../../src/foundation/process/worker-slot.js';
import { createTestDatabase, transactionsOf, type TestDatabase } from '../../../support/test-database.js';

interface Numbered {
  readonly number: number;
}
const task: TaskDefinition<Numbered> = {
  kind: 'test-task',
  payload: z.object({ number: z.number() }),
  concurrency: 2,
};
const logger = createLogger('task-queue-test', { LOG_LEVEL: 'silent', LOG_FORMAT: 'json' });
/** A user of production: may be the application, may not create a schema. */
const login = `test_login_${randomBytes(6).toString('hex')}`;

let server: TestDatabase;
let admin: pg.Client;
let database: TenantDatabase;
const started: TaskQueue[] = [];

beforeAll(async () => {
  server = await createTestDatabase();
  admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  database = await TenantDatabase.connect({ ...transactionsOf(server.url), applicationName: 'test', poolSize: 4 });
  await admin.query('CREATE TABLE connector.note (number int); GRANT ALL ON connector.note TO connector_app');
  await admin.query(`CREATE ROLE ${login} LOGIN PASSWORD 'test' IN ROLE connector_app, connector_scheduler`);
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((queue) => queue.stop()));
  await installQueueSchema(server.url);
  await admin.query('DELETE FROM pgboss.job; DELETE FROM pgboss.queue; DELETE FROM connector.note');
});
afterAll(async () => {
  await database.close();
  await admin.query(`DROP ROLE ${login}`);
  await admin.end();
  await server.drop();
});

async function start(url = server.url, supervise = true, limit: { stopLimitMs?: number } = {}): Promise<TaskQueue> {
  const queue = await TaskQueue.start({ url, kinds: [task.kind], supervise, logger, ...limit });
  started.push(queue);
  return queue;
}

function restricted(): string {
  const url = new URL(server.url);
  url.username = login;
  url.password = 'test';
  return url.toString();
}

const drop = () => admin.query('DROP SCHEMA pgboss CASCADE');

/** A row of ours and its task, in one transaction. */
async function note(queue: TaskQueue, number: number, key = number.toString()): Promise<void> {
  await database.withoutInstallation('note', async (tx) => {
    await tx.execute(sql`INSERT INTO note VALUES (${number})`);
    await queue.send(tx, task, { number }, key);
  });
}

async function count(table: string): Promise<number> {
  const { rows } = await admin.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`);
  return rows[0]?.count ?? -1;
}

async function exists(table: string): Promise<boolean> {
  const { rows } = await admin.query<{ found: boolean }>(`SELECT to_regclass($1) IS NOT NULL AS found`, [table]);
  return rows[0]?.found ?? false;
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) {
    await delay(20);
  }
}

/** Runs end only when the test lets them. */
class Gate {
  readonly begun: number[] = [];
  private readonly open = Promise.withResolvers<undefined>();

  readonly handler = handler(task, async ({ number }) => {
    this.begun.push(number);
    await this.open.promise;
  });

  release(): void {
    this.open.resolve(undefined);
  }
}

describe('an error between two tasks', () => {
  it('is logged with what the database says', async () => {
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    const log = createLogger('task-queue-test', { LOG_LEVEL: 'error', LOG_FORMAT: 'json' }, { write });
    const queue = await TaskQueue.start({ url: server.url, kinds: [task.kind], supervise: true, logger: log });
    started.push(queue);
    await queue.work([handler(task, () => Promise.resolve())]);
    await admin.query('REVOKE ALL ON pgboss.job, pgboss.job_common FROM connector_app');
    await until(() => lines.length > 0);
    await admin.query('GRANT ALL ON pgboss.job, pgboss.job_common TO connector_app');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      msg: 'tasks.queue_error',
      err: { message: expect.stringContaining('permission denied for table job') as unknown },
    });
  });
});

describe('a task whose worker was killed after taking it', () => {
  it('is taken by another worker within 20 s, not only at the next clean-up of the queue', async () => {
    const queue = await start();
    await note(queue, 7);
    const taken = `UPDATE pgboss.job SET state = 'active', started_on = now(), heartbeat_on = now() - interval '11 seconds'`;
    await admin.query(`${taken} WHERE name = $1`, [task.kind]);
    const handled: number[] = [];
    const killedAt = performance.now();
    await queue.work([handler(task, ({ number }) => Promise.resolve(void handled.push(number)))]);
    await until(() => handled.length > 0);
    expect(handled).toEqual([7]);
    expect(performance.now() - killedAt).toBeLessThan(20_000);
  });
});

describe('the statements of the queue', () => {
  it('are not compiled', async () => {
    await admin.query(`
      CREATE TABLE connector.seen (jit text);
      GRANT ALL ON connector.seen TO connector_app;
      CREATE FUNCTION connector.see() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN INSERT INTO connector.seen VALUES (current_setting('jit')); RETURN NULL; END $$;
      CREATE TRIGGER see AFTER UPDATE ON pgboss.job_common EXECUTE FUNCTION connector.see()`);
    const queue = await start();
    await note(queue, 1);
    await queue.work([handler(task, () => Promise.resolve())]);
    await until(async () => (await count('connector.seen')) > 0);
    const { rows } = await admin.query('SELECT DISTINCT jit FROM connector.seen');
    // One after the other, the trigger first: a statement of the queue has locked its table, and waits for this one.
    await admin.query('DROP FUNCTION connector.see() CASCADE');
    await admin.query('DROP TABLE connector.seen');
    expect(rows).toEqual([{ jit: 'off' }]);
  });
});

describe('a worker with low concurrency', () => {
  it('takes waiting tasks one right after the other, without a wake-up for each', async () => {
    const queue = await start();
    for (const number of Array.from({ length: 20 }).keys()) {
      await note(queue, number);
    }
    const done: number[] = [];
    const all = Promise.withResolvers<undefined>();
    await queue.work([
      handler(task, async ({ number }) => {
        done.push(number);
        if (done.length === 20) {
          all.resolve(undefined);
        }
        return Promise.resolve();
      }),
    ]);
    await all.promise;
    expect(done.toSorted((one, other) => one - other)).toEqual([...Array.from({ length: 20 }).keys()]);
    // By looking every two to five seconds, two at a time, it would take longer than this test may.
  }, 15_000);
});

describe('a worker that is drained', () => {
  it('takes no more tasks, and leaves waiting ones to another worker', async () => {
    const [first, second] = [await start(), await start()];
    const seen: string[] = [];
    const taking = (name: string) => handler(task, () => Promise.resolve(void seen.push(name)));
    await first.work([taking('first')]);
    await note(first, 1);
    await until(() => seen.length === 1);
    await first.drain();
    expect([first.running, first.lastFetchedAt]).toEqual([0, undefined]);
    await note(first, 2);
    await second.work([taking('second')]);
    await until(() => seen.length === 2);
    expect(seen).toEqual(['first', 'second']);
  });
});

describe('a task without attempts left', () => {
  it('is reported with its payload, and removed when one succeeds', async () => {
    const queue = await start();
    const calls: string[] = [];
    const failedTasks = {
      record: (kind: string, payload: object) =>
        Promise.resolve(void calls.push(`failed ${kind} ${JSON.stringify(payload)}`)),
      forget: (kind: string) => Promise.resolve(void calls.push(`done ${kind}`)),
    } as unknown as FailedTasks;
    await note(queue, 1);
    await note(queue, 2);
    // Its last attempt.
    await admin.query(`UPDATE pgboss.job SET retry_limit = 0 WHERE data ->> 'number' = '1'`);
    const failing = handler(task, ({ number }) => (number === 1 ? Promise.reject(new Error('no')) : Promise.resolve()));
    await queue.work([failing], failedTasks);
    await until(() => calls.length === 2);
    expect([...calls].sort()).toEqual(['done test-task', 'failed test-task {"number":1}']);
  });
});

describe('a task in a transaction', () => {
  it('exists exactly when that transaction commits', async () => {
    const queue = await start();
    await note(queue, 1);
    const failing = database.withoutInstallation('fails', async (tx) => {
      await queue.send(tx, task, { number: 2 }, '2');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await count('pgboss.job')).toBe(1);
  });
});

describe('the queue’s schema, dropped while processes run', () => {
  it('does not fail the storage of data together with a task', async () => {
    const queue = await start(server.url, false);
    // From here on it knows its queue, so the next statement that fails is one of the transaction.
    await note(queue, 1);
    await drop();
    await note(queue, 2);
    expect(await count('connector.note')).toBe(2);
  });

  it('lets a worker run its tasks itself: two at a time as their kind allows, each key once', async () => {
    const queue = await start(restricted());
    const gate = new Gate();
    await queue.work([gate.handler]);
    await drop();
    for (const number of [1, 2, 3]) {
      await note(queue, number);
    }
    await note(queue, 4, '3');
    await until(() => gate.begun.length === 2);
    await delay(20);
    expect(gate.begun).toEqual([1, 2]);
    gate.release();
    await until(() => gate.begun.length === 3);
    expect(gate.begun).toEqual([1, 2, 4]);
  });

  it('lets such a task run outside the transaction it was sent in', async () => {
    const queue = await start(restricted());
    const seen: number[] = [];
    await queue.work([
      handler(task, async ({ number }) => {
        // Throws when it is taken for a part of an open transaction.
        await database.withoutInstallation('of the task', (tx) => tx.execute(sql`SELECT 1`));
        seen.push(number);
      }),
    ]);
    await drop();
    await note(queue, 1);
    await until(() => seen.length === 1);
    expect(seen).toEqual([1]);
  });

  it('is created again, and tasks pass through it', async () => {
    const queue = await start();
    const seen: number[] = [];
    await queue.work([handler(task, ({ number }) => Promise.resolve(void seen.push(number)))]);
    await drop();
    await until(() => exists('pgboss.queue'));
    await until(async () => (await count('pgboss.queue')) > 0);
    await note(queue, 7);
    await until(() => seen.length > 0);
    expect(seen).toEqual([7]);
    expect(await count('pgboss.job')).toBe(1);
  });

  it('gets its queues back when the migration step recreates it at once', async () => {
    await start();
    await drop();
    await installQueueSchema(server.url);
    await until(async () => (await count('pgboss.queue')) > 0);
    expect(await count('pgboss.queue')).toBe(1);
  });
});

describe('a process that starts without the queue’s schema', () => {
  it('creates it when its database user may', async () => {
    await drop();
    await start();
    expect(await count('pgboss.queue')).toBe(1);
  });

  it('works without it when its user lacks the right, and with it once the migration step has run', async () => {
    await drop();
    const queue = await start(restricted());
    const seen: number[] = [];
    await queue.work([handler(task, ({ number }) => Promise.resolve(void seen.push(number)))]);
    await note(queue, 1);
    await until(() => seen.length === 1);
    expect(await exists('pgboss.queue')).toBe(false);
    await installQueueSchema(server.url);
    await until(async () => (await count('pgboss.queue')) > 0);
    await note(queue, 2);
    await until(() => seen.length === 2);
    expect(await count('pgboss.job')).toBe(1);
  });
});

describe('work that waits for another system', () => {
  it('frees its slot for other work, continues without one, and is awaited at the end', async () => {
    const queue = await start();
    const [third, responds, respondsLate] = [1, 2, 3].map(() => Promise.withResolvers<undefined>());
    const done: [number, boolean][] = [];
    const first = Promise.withResolvers<undefined>();
    await queue.work([
      handler(task, async ({ number }, signal) => {
        // Both places are taken by those that wait.
        if (number <= 2) {
          await waitWithoutSlot(() => (number === 1 ? responds : respondsLate)?.promise ?? Promise.resolve(undefined));
        }
        done.push([number, signal.aborted]);
        (number === 1 ? first : number === 3 ? third : undefined)?.resolve(undefined);
      }),
    ]);
    for (const number of [1, 2, 3]) {
      await note(queue, number);
    }
    await third?.promise;
    responds?.resolve(undefined);
    await first.promise;
    const stopped = queue.stop();
    respondsLate?.resolve(undefined);
    await stopped;
    expect(done).toEqual([
      [3, false],
      [1, false],
      [2, true],
    ]);
  });

  it.each(['through the queue', 'without the queue'])(
    'ends within its limit whatever does not end, in a slot or without one: %s',
    async (way) => {
      const queue = await start(restricted(), true, { stopLimitMs: 2_500 });
      const held = Promise.withResolvers<undefined>();
      const begun: number[] = [];
      await queue.work([
        handler(task, async ({ number }) => {
          begun.push(number);
          await (number === 1 ? held.promise : waitWithoutSlot(() => held.promise));
        }),
      ]);
      if (way === 'without the queue') {
        await drop();
      }
      await note(queue, 1);
      await note(queue, 2);
      await until(() => begun.length === 2);
      const startedMs = performance.now();
      await queue.stop();
      // Far from the limit, for a loaded machine, and below the one that holds without being set.
      expect(performance.now() - startedMs).toBeLessThan(15_000);
      held.resolve(undefined);
    },
  );
});
