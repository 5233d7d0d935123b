import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { recordWorkerHeartbeat } from '../../../../src/connector/health/worker-heartbeat.repository.js';
import { judgeReadiness } from '../../../../src/connector/health/readiness.js';
import { KeyRingService } from '../../../../src/connector/installations/credentials/key-ring.service.js';
import { readinessChecks, type ReadinessSources } from '../../../../src/connector/readiness-checks.js';
import { startInternalServer } from '../../../../src/connector/health/internal-server.js';
import { TenantDatabase } from '../../../../src/foundation/database/tenant-database.js';
import { freePort } from '../../../../src/foundation/process/free-port.js';
import { recordCircuitState } from '../../../../src/foundation/http/http.metrics.js';
import { startConnectorApp, storeInstallation } from '../../../support/connector-app.js';
import { transactionsOf } from '../../../support/test-database.js';
import { startedOnce } from '../../../support/started-once.js';

// Readiness says no for a reason, and only when the process itself cannot work.

const connector = startedOnce(startConnectorApp);

beforeAll(async () => {
  await storeInstallation(connector);
});
beforeEach(async () => {
  await connector.runtime.database.acrossInstallations('beat', recordWorkerHeartbeat);
});

const judge = (role: 'api' | 'worker', changes: Partial<ReadinessSources> = {}) =>
  judgeReadiness(readinessChecks({ ...connector.runtime, ...changes }, role));
const troubles = async (role: 'api' | 'worker', changes = {}) => {
  const { status, checks } = await judge(role, changes);
  return [status, ...checks.filter((one) => one.status !== 'ok').map((one) => `${one.status} ${one.reason ?? ''}`)];
};

describe('readiness', () => {
  it.each(['api', 'worker'] as const)('reports every check as passed when all is well: %s', async (role) => {
    const { status, checks } = await judge(role);
    expect([status, checks.map((check) => `${check.name} ${check.status}`)]).toEqual([
      'ready',
      ['database ok', 'database writes ok', 'schema ok', 'key ring ok', 'worker ok', 'queue ok', 'other systems ok'],
    ]);
  });

  it('reports the migration that the code misses', async () => {
    const { rows } = await connector.admin.query<{ name: string; timestamp: string }>(
      'DELETE FROM migration WHERE timestamp = (SELECT max(timestamp) FROM migration) RETURNING name, timestamp',
    );
    const [newest] = rows;
    expect(await troubles('api')).toEqual([
      'not ready',
      `failed schema: behind the code by 1 migrations, first ${newest?.name ?? ''}`,
    ]);
    await connector.admin.query('INSERT INTO migration (name, timestamp) VALUES ($1, $2)', [
      newest?.name,
      newest?.timestamp,
    ]);
    expect(await troubles('api')).toEqual(['ready']);
  });

  it.each([
    ['of another name', 'other', 7],
    ['of the same name and other bytes', 'test', 8],
  ])('reports that a key ring %s cannot decrypt what is stored', async (_, id, byte) => {
    const keys = new KeyRingService({ primary: id, keys: new Map([[id, Buffer.alloc(32, byte)]]) });
    expect(await troubles('api', { keys })).toEqual([
      'not ready',
      'failed key ring: stored keys that "test" has wrapped cannot be opened',
    ]);
  });

  it.each([
    ['25006', 'in a transaction', 'it is read-only'],
    ['53100', 'in a transaction', 'no space left on its disk'],
    ['53100', 'in one statement', 'no space left on its disk'],
  ])('reports that the database refuses to write (%s, %s): relevant for a worker only', async (code, how, why) => {
    const options = { ...transactionsOf(connector.server.url), applicationName: 'test', poolSize: 1 };
    const database = await TenantDatabase.connect(options);
    expect(await troubles('worker', { database })).toEqual(['ready']);
    const refusal = { text: `DO $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '${code}'; END $$`, values: [] };
    const write =
      how === 'in one statement'
        ? database.inOneStatement('write', refusal)
        : database.withoutInstallation('write', (tx) => tx.execute(refusal));
    await expect(write).rejects.toMatchObject({ code });
    const reason = `database writes: refused a moment ago: ${why}`;
    expect(await troubles('worker', { database })).toEqual(['not ready', `failed ${reason}`]);
    expect(await troubles('api', { database })).toEqual(['ready', `impaired ${reason}`]);
    await database.close();
  });

  it('reports a missing worker: relevant for a worker only, webhooks are accepted', async () => {
    await connector.admin.query(`UPDATE worker_heartbeat SET last_beat_at = now() - interval '300 s'`);
    expect(await troubles('worker')).toEqual(['not ready', expect.stringMatching(/^failed worker: none for 30\d s$/)]);
    expect(await troubles('api')).toEqual(['ready', expect.stringMatching(/^impaired worker: none for 30\d s$/)]);
    await connector.admin.query('DELETE FROM worker_heartbeat');
    expect(await troubles('worker')).toEqual(['not ready', 'failed worker: none has been there yet']);
  });

  it('reports a system with an open circuit, and stays ready', async () => {
    recordCircuitState('erp', true);
    expect(await troubles('worker')).toEqual([
      'ready',
      'impaired other systems: left alone for a moment after failures: erp',
    ]);
    recordCircuitState('erp', false);
    expect(await troubles('worker')).toEqual(['ready']);
  });

  it('reports a folder for files that is away, and stays ready', async () => {
    expect(await judgeReadiness(readinessChecks({ ...connector.runtime, filesFolder: '/tmp' }, 'api'))).toMatchObject({
      checks: expect.arrayContaining([{ name: 'files folder', status: 'ok' }]) as unknown,
    });
    expect(await troubles('api', { filesFolder: '/nowhere/batches' })).toEqual([
      'ready',
      expect.stringMatching(
        /^impaired files folder: "\/nowhere\/batches" cannot be written to \(ENOENT\): needs a folder/,
      ),
    ]);
  });

  it('counts a check that throws or hangs as failed', async () => {
    const check = (find: () => Promise<undefined>) => ({ name: 'it', isVital: true, find });
    const throws = check(() => Promise.reject(new Error('secret detail')));
    expect((await judgeReadiness([throws])).reason).toBe('it: could not be looked at');
    const hangs = check(() => new Promise(() => undefined));
    expect((await judgeReadiness([hangs])).reason).toBe('it: did not answer in time');
  });
});

describe('the internal port', () => {
  it('responds 503 with the reason from the moment it is set not ready', async () => {
    const { database, clock } = connector.runtime;
    const port = await freePort();
    const checks = readinessChecks(connector.runtime, 'api');
    const server = await startInternalServer({ title: 'A process', host: '127.0.0.1', port, database, clock, checks });
    const ready = async () => {
      const answer = await fetch(`http://127.0.0.1:${port.toString()}/health/ready`);
      return [answer.status, await answer.json()] as const;
    };
    expect(await ready()).toEqual([200, expect.objectContaining({ status: 'ready' })]);
    server.notReady('stopping');
    expect(await ready()).toEqual([503, { status: 'not ready', reason: 'stopping', checks: [] }]);
    const scrape = await (await fetch(`http://127.0.0.1:${port.toString()}/metrics`)).text();
    expect(scrape).toContain('connector_installations{state="active"} 1');
    expect(scrape).toContain('connector_database_waiting 0');
    expect(scrape).toContain('process_cpu_seconds_total');
    expect(await (await fetch(`http://127.0.0.1:${port.toString()}/`)).text()).toContain('<h1>A process</h1>');
    await server.close();
  });
});
