// The four programs as processes, with the demo company connected and linked; workers are started and ended by a benchmark.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { SystemClock } from '../dist/foundation/clock/system-clock.js';
import { ChildProgram } from '../dist/sandbox/launch/child-program.js';
import { connectCompany, createApiToken, saveSettings } from '../dist/sandbox/launch/demo/connect-company.js';
import { demoCompany } from '../dist/sandbox/launch/demo/demo-company.js';
import { firstCustomer } from '../dist/sandbox/launch/demo/demo-customers.js';
import { exportItemOf } from '../dist/sandbox/launch/demo/items/export-item.js';
import { ProgramClient } from '../dist/sandbox/launch/demo/program-client.js';
import { seedLedger } from '../dist/sandbox/launch/demo/seed-ledger.js';
import { seedPlatform } from '../dist/sandbox/launch/demo/seed-platform.js';
import { freePorts, newSecrets } from '../dist/sandbox/launch/launch-settings.js';
import { addressesOf, connectorPrograms, ledgerProgram, simulatorProgram } from '../dist/sandbox/launch/programs.js';

/** Of a worker; small halves of the young generation, or they are most of what is measured. */
const HEAP_FLAGS = ['--max-old-space-size=128', '--max-semi-space-size=8'];
/** More than the machine can make: the budget is not what is measured. */
const REQUESTS_PER_MINUTE = 1_000_000;

export class Programs {
  /** @param url of a migrated database */
  static async start(url) {
    const programs = new Programs();
    const clock = new SystemClock();
    const [ports, secrets] = [await freePorts(), newSecrets()];
    const [api, worker] = connectorPrograms(url, ports, secrets);
    const budget = {
      PLATFORM_REQUESTS_PER_MINUTE: String(REQUESTS_PER_MINUTE),
      CONNECTOR_REQUESTS_PER_MINUTE: String(REQUESTS_PER_MINUTE),
    };
    const child = ({ environment, ...program }, more = {}) =>
      new ChildProgram(
        { ...program, environment: { ...environment, LOG_LEVEL: 'error', ...more } },
        clock,
        () => undefined,
      );
    programs.others = [
      child(simulatorProgram(url, ports, secrets)),
      child(ledgerProgram(url, ports, secrets)),
      child(api, budget),
    ];
    programs.worker = worker;
    programs.url = url;
    programs.addresses = addressesOf(ports);
    programs.ledgerApiKey = secrets.ledgerApiKey;
    const { connector, simulator, ledger } = programs.addresses;
    programs.simulator = new ProgramClient('simulator', simulator);
    const books = new ProgramClient('ledger', ledger, secrets.ledgerApiKey);
    const operator = new ProgramClient('connector', connector, secrets.operatorToken);
    await Promise.all(programs.others.map((program) => program.start()));
    await programs.withWorker(async () => {
      await seedLedger(books, firstCustomer);
      await seedPlatform(programs.simulator, firstCustomer);
      const addresses = { connectorUrl: connector, simulatorUrl: simulator };
      const installationId = await connectCompany(addresses, operator, clock, firstCustomer);
      const link = `/api/v1/operator/installations/${installationId}/erp-company`;
      await operator.put(link, { json: { erpCompanyId: demoCompany.ledgerId } });
      const token = await createApiToken(operator, installationId);
      programs.token = token;
      const settings = new ProgramClient('connector', connector, token);
      await saveSettings(settings, firstCustomer);
      for (const client of [books, operator, settings]) client.close();
    });
    return programs;
  }

  async close() {
    for (const program of this.others) await program.stop();
    this.simulator.close();
  }

  /**
   * @param more environment of the worker
   * @param flags of its Node.js
   */
  async withWorker(work, more = {}, flags = HEAP_FLAGS) {
    const environment = {
      PATH: process.env.PATH,
      TZ: 'UTC',
      LOG_LEVEL: 'error',
      ...this.worker.environment,
      PLATFORM_REQUESTS_PER_MINUTE: String(REQUESTS_PER_MINUTE),
      ...more,
    };
    const child = spawn(process.execPath, [...flags, join('dist', this.worker.entry)], {
      env: environment,
      stdio: ['ignore', 2, 2, 'ipc'],
    });
    const exited = new Promise((resolve) => child.once('exit', resolve));
    try {
      return await work(child);
    } finally {
      child.kill('SIGTERM');
      await exited;
    }
  }
}

/** An item of the demo company as the platform sends it. @param number from 1; makes its ids */
export function cardPurchase(number) {
  const lines = [['6420', '112.35', 'standard', 'CC:110']];
  const at = '2026-10-02T14:37';
  const entry = { type: 'card_purchase', at, by: 'liis', supplier: 'Paper shop', note: 'Paper', lines };
  return exportItemOf({ ...entry, method: 'journal' }, number);
}
