import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { triggerExport } from '../../src/sandbox/launch/demo/trigger-export.js';
import { expectExactExport } from '../support/exact-export.js';
import { RunningPrograms } from '../support/running-programs.js';
import { TcpProxy } from '../support/servers/tcp-proxy.js';
import { createTestDatabase } from '../support/test-database.js';

/** Time-outs of the connections, some in turn, the lease of a company, and a sweep. */
const MAX_SILENCE_MS = 90_000;

let proxy: TcpProxy;
let programs: RunningPrograms;
beforeEach(async () => {
  const database = await createTestDatabase();
  const { hostname, port } = new URL(database.url);
  proxy = await TcpProxy.start({ host: hostname, port: Number(port) });
  const through = new URL(database.url);
  through.host = `127.0.0.1:${proxy.port.toString()}`;
  programs = await RunningPrograms.start({ DATABASE_URL: through.toString() }, database);
});
afterEach(async () => {
  await programs.stop();
  await proxy.close();
});

describe('all connections to the database silent, while new ones can be opened', () => {
  it.each([1, 2])('with %i workers: an export ends soon, nothing twice', async (workers) => {
    if (workers === 2) {
      await programs.addWorker();
    }
    proxy.silence();
    const { clock } = programs;
    const silentAtMs = clock.monotonicMs();
    await triggerExport(programs.clients.simulator);
    const job = await programs.eventualVerdict();
    expect(clock.monotonicMs() - silentAtMs).toBeLessThan(MAX_SILENCE_MS);
    await expectExactExport(programs, job);
  });
});
