import { afterEach, beforeEach, expect, it } from '@jest/globals';
import pg from 'pg';
import { triggerExport } from '../../src/sandbox/launch/demo/trigger-export.js';
import { expectExactExport } from '../support/exact-export.js';
import { RunningPrograms } from '../support/running-programs.js';

// The API and two workers reach their database through pgbouncer in transaction mode: each transaction on whichever of five connections
// is free.

let programs: RunningPrograms;
beforeEach(async () => {
  programs = await RunningPrograms.start();
}, 120_000);
afterEach(async () => {
  await programs.stop();
}, 120_000);

interface Pool {
  readonly database: string;
  readonly pool_mode: string;
  readonly sv_active: number | string;
  readonly sv_idle: number | string;
  readonly cl_active: number | string;
}

/** What pgbouncer says at its console. */
async function show<Row extends pg.QueryResultRow>(what: string): Promise<readonly Row[]> {
  const address = new URL(process.env['TEST_POOLER_URL'] ?? '');
  address.pathname = '/pgbouncer';
  const client = new pg.Client({ connectionString: address.href });
  await client.connect();
  try {
    return (await client.query<Row>(`SHOW ${what}`)).rows;
  } finally {
    await client.end();
  }
}

it('two workers export through a pooler in transaction mode: nothing is lost or duplicated', async () => {
  await programs.addWorker();
  await triggerExport(programs.clients.simulator);
  await expectExactExport(programs, await programs.eventualVerdict());
  const name = new URL(programs.connectorEnvironment['DATABASE_URL'] ?? '').pathname.slice(1);
  const pools = (await show<Pool>('POOLS')).filter(({ database }) => database === name);
  const [stats] = (await show<{ database: string; total_xact_count: string }>('STATS')).filter(
    ({ database }) => database === name,
  );
  const servers = pools.reduce((sum, pool) => sum + Number(pool.sv_active) + Number(pool.sv_idle), 0);
  const clients = pools.reduce((sum, pool) => sum + Number(pool.cl_active), 0);
  const transactions = Number(stats?.total_xact_count ?? 0);
  process.stdout.write(
    `${transactions.toString()} transactions of ${clients.toString()} clients on ${servers.toString()} connections\n`,
  );
  expect(new Set(pools.map((pool) => pool.pool_mode))).toEqual(new Set(['transaction']));
  expect(servers).toBeLessThanOrEqual(5);
  expect(clients).toBeGreaterThan(servers);
  expect(transactions).toBeGreaterThan(100);
}, 300_000);
