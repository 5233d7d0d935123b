// A worker killed at every request that an export makes to a real ERP which takes several requests for one post.
import { beforeAll, expect, it } from '@jest/globals';
import { z } from 'zod';
import { connectCompany, createApiToken, saveSettings } from '../../src/sandbox/launch/demo/connect-company.js';
import type { DemoCustomer } from '../../src/sandbox/launch/demo/demo-customers.js';
import { demoId } from '../../src/sandbox/launch/demo/items/demo-id.js';
import { exportItemOf } from '../../src/sandbox/launch/demo/items/export-item.js';
import { ProgramClient } from '../../src/sandbox/launch/demo/program-client.js';
import { secondCustomer } from '../../src/sandbox/launch/demo/second-company.js';
import { seedPlatform } from '../../src/sandbox/launch/demo/seed-platform.js';
import { findNewestJob, triggerExport, type ExportJob } from '../../src/sandbox/launch/demo/trigger-export.js';
import { endLeases } from './end-leases.js';
import { RunningPrograms } from '../support/running-programs.js';
import { HttpProxy, type Passing } from '../../src/erp-contract/http-proxy.js';
import { startedOnce } from '../support/started-once.js';
import { connectAsAdmin } from '../support/test-database.js';
import { describeTryton } from '../support/tryton/describe-tryton.js';
import { seedCompany } from '../support/tryton/seed-company.js';
import { TrytonClient } from '../support/tryton/tryton-client.js';
import { startTryton } from '../support/tryton/tryton-server.js';

const ITEMS_PER_EXPORT = 3;
const FIRST_ITEM = 30_000_000;
/** No export of so few items takes as many requests, so the rounds end by themselves. */
const MAX_REQUESTS = 60;
/** How long Tryton may go on with a request whose connection was lost. */
const REQUEST_SECONDS = 1;
const WRITES = /\.(create|write|post|delete)$/;
/** Every export makes these. */
const CERTAIN_WRITES = ['model.account.move.create', 'model.account.move.post'];
const ENDED = /^completed|^failed/;
/** The killed worker has no connection to the database left. */
const DEAD_MS = 100;
/** Of all rounds. */
const TEST_TIMEOUT_MS = 1_500_000;

const methodSchema = z.object({ method: z.string() });

/** The second company of the demo, with euros and the few accounts of the seeded Tryton. */
const customer: DemoCustomer = {
  ...secondCustomer,
  company: { ...secondCustomer.company, id: demoId('company', 3), name: 'Nordlys ApS', functionalCurrency: 'EUR' },
  wallets: [{ currency: 'EUR', account: '1935', bank: '1940' }],
  settings: {
    accounts: {
      wallets: { EUR: '1935' },
      companyBank: '1940',
      outOfPocket: '1940',
      accountsPayable: '2440',
      fxRounding: '5410',
      realizedFx: '5410',
    },
    policies: { unknownVendor: 'fail', closedPeriod: 'fail', postingState: 'posted', conflicts: 'fail' },
  },
};

interface Kill {
  /** Of the requests since the export was asked for, from 1; or the first with this method. */
  readonly request: number | string;
  /** After: Tryton has done it, and its response is lost. */
  readonly moment: 'before' | 'after';
}

interface Round {
  readonly job: ExportJob;
  readonly keys: readonly string[];
  /** Of the request at which the worker was killed; undefined when the export took fewer. */
  readonly method: string | undefined;
}

describeTryton('a worker killed with kill -9 while it exports to Tryton', () => {
  const programs = startedOnce(() => RunningPrograms.start({ CONNECTOR_POLL_SECONDS: '2' }));
  const tryton = startedOnce(async () => {
    const server = await startTryton();
    const client = await TrytonClient.login(server);
    const { id, user } = await seedCompany(client);
    const { database, url } = server;
    return { client, database, url, user, companyId: id.toString(), stop: () => server.stop() };
  });
  const database = startedOnce(() => connectAsAdmin(programs.connectorEnvironment['DATABASE_URL'] ?? ''));
  const wire = startedOnce(() => HttpProxy.start(0, tryton.url));
  let connector: ProgramClient;
  let installationId: string;
  let exported = 0;

  beforeAll(async () => {
    await seedPlatform(programs.clients.simulator, customer);
    const { url, token } = programs.operator;
    const operator = new ProgramClient('connector', url, token);
    const simulatorUrl = programs.connectorEnvironment['PLATFORM_AUTH_URL'] ?? '';
    installationId = await connectCompany({ connectorUrl: url, simulatorUrl }, operator, programs.clock, customer);
    connector = new ProgramClient('connector', url, await createApiToken(operator, installationId));
    operator.close();
    const settings = {
      address: wire.url,
      database: tryton.database,
      user: tryton.user.login,
      password: tryton.user.password,
      journal: 'SPEND',
      requestSeconds: REQUEST_SECONDS,
    };
    await connector.put('/api/v1/erp-connection', { json: { kind: 'tryton', settings } });
    await connector.put('/api/v1/erp-company', { json: { erpCompanyId: tryton.companyId } });
    await saveSettings(connector, customer);
  });

  /** Exports new items; the worker is killed once. */
  async function exportWith(kill: Kill): Promise<Round> {
    const owner = { companyId: customer.company.id, accounts: customer.accounts };
    const items = Array.from({ length: ITEMS_PER_EXPORT }, () => {
      exported += 1;
      const lines = [['5410', '125.00']] as const;
      const entry = {
        type: 'card_purchase',
        at: '2026-11-05T10:00',
        by: 'astrid',
        supplier: 'Taxi',
        note: 'Museum',
      } as const;
      return exportItemOf({ ...entry, wallet: 'EUR', method: 'journal', lines }, FIRST_ITEM + exported, owner);
    });
    await programs.clients.simulator.post(`/control/companies/${customer.company.id}/items`, items);
    let requests = 0;
    let method: string | undefined;
    const known = await findNewestJob(connector);
    wire.boundaries = {
      onRequest: (passing) => kill.moment !== 'before' || pass(passing),
      onResponse: (passing) => kill.moment !== 'after' || pass(passing),
    };
    const pass = (passing: Passing): boolean => {
      requests += 1;
      const { method: passed } = methodSchema.parse(JSON.parse(passing.body.toString()));
      if (method !== undefined || (requests !== kill.request && passed !== kill.request)) {
        return true;
      }
      method = passed;
      programs.worker.kill('SIGKILL');
      void programs.clock.sleep(DEAD_MS).then(() => endLeases(database, [installationId]));
      return false;
    };
    await triggerExport(programs.clients.simulator, customer);
    const job = await verdictAfter(known?.id);
    wire.boundaries = {};
    return { job, keys: items.map(({ accountingEntryId }) => accountingEntryId), method };
  }

  async function verdictAfter(known: string | undefined): Promise<ExportJob> {
    for (;;) {
      const job = await findNewestJob(connector).catch(() => undefined);
      if (job !== undefined && job.id !== known && ENDED.test(job.state)) {
        return job;
      }
      await programs.clock.sleep(200);
    }
  }

  /** @returns the method of the request at which the worker was killed; undefined when the export took fewer */
  async function killAndCheck(kill: Kill): Promise<string | undefined> {
    const { job, keys, method } = await exportWith(kill);
    const moves = await tryton.client.search(
      'account.move',
      [['journal.code', '=', 'SPEND']],
      ['description', 'state'],
    );
    const posted = keys.map((key) =>
      moves.filter(({ description }) => String(description).startsWith(key)).map(({ state }) => state),
    );
    expect({ ...kill, state: job.state, successful: job.successful, posted }).toEqual({
      ...kill,
      state: 'completed',
      successful: ITEMS_PER_EXPORT,
      posted: keys.map(() => ['posted']),
    });
    return method;
  }

  it(
    'at each request, and after each that writes: no move twice, none lost, no item failed',
    async () => {
      const killedAt: string[] = [];
      for (let request = 1; request <= MAX_REQUESTS; request += 1) {
        const method = await killAndCheck({ request, moment: 'before' });
        if (method === undefined) {
          break;
        }
        killedAt.push(method);
        if (WRITES.test(method)) {
          await killAndCheck({ request, moment: 'after' });
        }
      }
      // What the worker asks besides the export, to see whether the mapping still holds, moves the numbers.
      for (const write of CERTAIN_WRITES.filter((one) => !killedAt.includes(one))) {
        expect(await killAndCheck({ request: write, moment: 'before' })).toBe(write);
        expect(await killAndCheck({ request: write, moment: 'after' })).toBe(write);
      }
    },
    TEST_TIMEOUT_MS,
  );
});
