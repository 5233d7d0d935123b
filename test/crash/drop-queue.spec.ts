import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { triggerExport } from '../../src/sandbox/launch/demo/trigger-export.js';
import { expectExactExport } from '../support/exact-export.js';
import { RunningPrograms } from '../support/running-programs.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

let server: TestDatabase;
let admin: pg.Client;
beforeEach(async () => {
  server = await createTestDatabase();
  admin = new pg.Client({ connectionString: server.url });
  admin.on('error', () => undefined);
  await admin.connect();
});
afterEach(() => admin.end());

const drop = () => admin.query('DROP SCHEMA pgboss CASCADE');

/** Exports once; `duringFirstPost` happens while the first batch is on its way to the ERP. */
async function exportWith(programs: RunningPrograms, duringFirstPost: () => Promise<unknown>): Promise<void> {
  const happened: Promise<unknown>[] = [];
  programs.ledgerProxy.boundaries = {
    onRequest: ({ method, path }) => {
      if (method === 'POST' && path.endsWith('/posting-groups') && happened.length === 0) {
        happened.push(duringFirstPost());
      }
      return true;
    },
  };
  await triggerExport(programs.clients.simulator);
  const job = await programs.verdict();
  expect(happened).toHaveLength(1);
  await Promise.all(happened);
  await expectExactExport(programs, job);
}

describe('the queue’s schema dropped', () => {
  it('in the middle of a job: the job ends, and the queue is there again', async () => {
    const programs = await RunningPrograms.start({}, server);
    try {
      await exportWith(programs, drop);
      while (!(await queueExists())) {
        await programs.clock.sleep(200);
      }
    } finally {
      await programs.stop();
    }
  });

  it('in the middle of a job whose worker is killed right after it: another run ends the job', async () => {
    const programs = await RunningPrograms.start({}, server);
    try {
      await exportWith(programs, async () => {
        await drop();
        programs.worker.kill('SIGKILL');
      });
    } finally {
      await programs.stop();
    }
  });

  it('for good, before the webhook comes: it is accepted, and the job ends without a queue', async () => {
    const login = `test_login_${randomBytes(6).toString('hex')}`;
    await admin.query(`CREATE ROLE ${login} LOGIN PASSWORD 'test' IN ROLE connector_app, connector_scheduler`);
    const restricted = new URL(server.url);
    restricted.username = login;
    restricted.password = 'test';
    const programs = await RunningPrograms.start({ DATABASE_URL: restricted.toString() }, server);
    try {
      const answers: number[] = [];
      programs.connectorProxy.boundaries = {
        onResponse: ({ path }, status) => {
          if (path.startsWith('/webhooks/')) {
            answers.push(status);
          }
          return true;
        },
      };
      await drop();
      await exportWith(programs, () => Promise.resolve());
      expect(answers).toEqual([202]);
      expect(await queueExists()).toBe(false);
    } finally {
      await programs.stop();
      await dropRole(login);
    }
  });
});

async function queueExists(): Promise<boolean> {
  const { rows } = await admin.query<{ found: boolean }>(`SELECT to_regclass('pgboss.queue') IS NOT NULL AS found`);
  return rows[0]?.found ?? false;
}

async function dropRole(name: string): Promise<void> {
  const client = new pg.Client({ connectionString: process.env['TEST_DATABASE_URL'] });
  await client.connect();
  await client.query(`DROP ROLE ${name}`);
  await client.end();
}
