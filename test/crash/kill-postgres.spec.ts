import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { administer, createDatabase } from '../../src/foundation/database/server-admin.js';
import { EmbeddedPostgres } from '../../src/foundation/embedded-postgres/embedded-postgres.js';
import { migrateAll } from '../../src/sandbox/launch/migrate-all.js';
import { triggerExport } from '../../src/sandbox/launch/demo/trigger-export.js';
import { expectExactExport } from '../support/exact-export.js';
import type { Passing } from '../../src/erp-contract/http-proxy.js';
import { RunningPrograms } from '../support/running-programs.js';

// A server of its own: the one of the test run belongs to others too.
let folder: string;
let server: EmbeddedPostgres;
let programs: RunningPrograms;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'killed-postgres-'));
  server = await EmbeddedPostgres.start({ folder: join(folder, 'data'), durable: true });
  await createDatabase(server.url('postgres'), 'crash');
  const url = server.url('crash');
  await migrateAll(url);
  programs = await RunningPrograms.start({}, { url, drop: () => server.stop() });
});
afterEach(async () => {
  await programs.stop();
  await rm(folder, { recursive: true, force: true });
});

async function killPostmaster(): Promise<void> {
  const [shown] = await administer(server.url('postgres'), 'SHOW data_directory');
  const pidFile = join(String(shown?.['data_directory']), 'postmaster.pid');
  const [pid] = (await readFile(pidFile, 'utf8')).split('\n');
  process.kill(Number(pid), 'SIGKILL');
}

async function startedAt(): Promise<unknown> {
  const [row] = await administer(server.url('postgres'), 'SELECT pg_postmaster_start_time()::text AS at');
  return row?.['at'];
}

const isFirstPost = ({ method, path }: Passing) => method === 'POST' && path.endsWith('/posting-groups');
const isResult = ({ method }: Passing) => method === 'PUT';

describe('PostgreSQL killed with kill -9 and brought back', () => {
  it.each([
    ['while the first batch is on its way to the ERP', 'ledgerProxy', isFirstPost],
    ['while item results are on their way to the platform', 'platformProxy', isResult],
  ] as const)('%s: the job ends, nothing twice', async (_, proxy, matches) => {
    let crash: Promise<void> | undefined;
    programs[proxy].boundaries = {
      onRequest: (passing) => {
        if (crash === undefined && matches(passing)) {
          crash = killPostmaster();
        }
        return true;
      },
    };
    const before = await startedAt();
    await triggerExport(programs.clients.simulator);
    while (crash === undefined) {
      await programs.clock.sleep(50);
    }
    await crash;
    await server.ensureRunning();
    expect(await startedAt()).not.toEqual(before);
    await expectExactExport(programs, await programs.eventualVerdict());
  });
});
