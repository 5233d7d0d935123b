// The four programs as processes, with the demo company connected and linked; workers are started and ended by a benchmark.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { SystemClock } from '../build/foundation/clock/system-clock.js';
import { ChildProgram } from '../build/sandbox/launch/child-program.js';
import { connectCompany, createApiToken, saveSettings } from '../build/sandbox/launch/demo/connect-company.js';
import { firstCustomer } from '../build/sandbox/launch/demo/demo-customers.js';
import { exportItemOf } from '../build/sandbox/launch/demo/items/export-item.js';
import { ProgramClient } from '../build/sandbox/launch/demo/program-client.js';
import { seedLedger } from '../build/sandbox/launch/demo/seed-ledger.js';
import { seedPlatform } from '../build/sandbox/launch/demo/seed-platform.js';
import { freePorts, newSecrets } from '../build/sandbox/launch/launch-settings.js';
import { addressesOf, connectorPrograms, ledgerProgram, simulatorProgram } from '../build/sandbox/launch/programs.js';

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
    programs.api = programs.others[2];
    programs.worker = worker;
    programs.newApi = (PORT, INTERNAL_PORT) =>
      child({ ...api, readyUrl: `http://localhost:${INTERNAL_PORT}/health/ready` }, { ...budget, PORT, INTERNAL_PORT });
    programs.url = url;
    programs.addresses = addressesOf(ports);
    programs.ledgerApiKey = secrets.ledgerApiKey;
    const { connector, simulator, ledger } = programs.addresses;
    programs.simulator = new ProgramClient('simulator', simulator);
    const books = new ProgramClient('ledger', ledger, secrets.ledgerApiKey);
    const operator = new ProgramClient('connector', connector, secrets.operatorToken);
    await Promise.all(programs.others.map((program) => program.start()));
    programs.clients = { books, operator, clock };
    await programs.withWorker(() => programs.connect(firstCustomer));
    return programs;
  }

  /**
   * Connects one more company, with all that it needs to export; a worker has to run.
   * @param customer of the demo
   */
  async connect(customer) {
    const { connector, simulator } = this.addresses;
    const { books, operator, clock } = this.clients;
    await seedLedger(books, customer);
    await seedPlatform(this.simulator, customer);
    const addresses = { connectorUrl: connector, simulatorUrl: simulator };
    const installationId = await connectCompany(addresses, operator, clock, customer);
    const link = `/api/v1/operator/installations/${installationId}/erp-company`;
    await operator.put(link, { json: { erpCompanyId: customer.company.ledgerId } });
    this.token = await createApiToken(operator, installationId);
    const settings = new ProgramClient('connector', connector, this.token);
    await saveSettings(settings, customer);
    settings.close();
  }

  async close() {
    this.clients.books.close();
    this.clients.operator.close();
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
