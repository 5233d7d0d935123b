// The demo from an empty database to the books. Each step checks the state first, so that a second run continues the first.
import type { Clock } from '../../../kernel/clock.js';
import {
  connectCompany,
  connectLedger,
  createApiToken,
  findActiveInstallation,
  saveSettings,
} from './connect-company.js';
import { firstCustomer, type DemoCustomer } from './demo-customers.js';
import { connectErp, type DemoErp } from './demo-erp.js';
import type { DemoOutcome } from './demo-outcome.js';
import { findNewestJob, triggerExport, waitForVerdict } from './trigger-export.js';
import { ProgramClient } from './program-client.js';
import { readOutcome } from './read-outcome.js';
import { secondCustomer } from './second-company.js';
import { seedLedger } from './seed-ledger.js';
import { addItems, seedPlatform, isPlatformSeeded } from './seed-platform.js';

export type { DemoOutcome } from './demo-outcome.js';

/** The running programs; addresses without trailing slash. */
export interface DemoPrograms {
  readonly connectorUrl: string;
  readonly simulatorUrl: string;
  readonly ledgerUrl: string;
  readonly ledgerApiKey: string;
  readonly operatorToken: string;
  readonly clock: Clock;
  /** Of the main company; undefined: the ledger, as for the other. */
  readonly erp?: DemoErp | undefined;
}

/** Clients of the programs, the connector's with the operator's token. */
interface Clients {
  readonly simulator: ProgramClient;
  readonly ledger: ProgramClient;
  readonly operator: ProgramClient;
}

/**
 * For each company of the demo: seeds it, connects it through the real OAuth flow and to its own company of the ledger, with
 * a key of its own, and requests an export, as far as earlier runs have not; then reads the outcomes of the newest exports.
 *
 * @param progress gets one line per step.
 * @returns the outcome of the main company first
 * @throws Permanent when a program refuses a step or takes too long; NoResponse when it does not respond.
 */
export async function runDemo(
  programs: DemoPrograms,
  progress: (line: string) => void,
): Promise<readonly [DemoOutcome, DemoOutcome]> {
  const clients = {
    simulator: new ProgramClient('simulator', programs.simulatorUrl),
    ledger: new ProgramClient('ledger', programs.ledgerUrl, programs.ledgerApiKey),
    operator: new ProgramClient('connector', programs.connectorUrl, programs.operatorToken),
  };
  try {
    const first = await exportCustomer(programs, clients, firstCustomer, progress);
    return [first, await exportCustomer({ ...programs, erp: undefined }, clients, secondCustomer, progress)];
  } finally {
    for (const client of Object.values(clients)) {
      client.close();
    }
  }
}

async function exportCustomer(
  programs: DemoPrograms,
  clients: Clients,
  customer: DemoCustomer,
  progress: (line: string) => void,
): Promise<DemoOutcome> {
  const { simulator, ledger, operator } = clients;
  await seed(clients, customer, progress);
  const installationId = await installation(programs, operator, customer, progress);
  const token = await createApiToken(operator, installationId);
  const connector = new ProgramClient('connector', programs.connectorUrl, token);
  try {
    await (programs.erp === undefined
      ? connectLedger(connector, ledger, programs.ledgerUrl, customer)
      : connectErp(connector, programs.erp));
    await saveSettings(connector, customer);
    await exportOnce(simulator, connector, customer, progress);
    const job = await waitForVerdict(connector, programs.clock, progress);
    return await readOutcome(connector, job, customer, programs.erp === undefined ? ledger : undefined);
  } finally {
    connector.close();
  }
}

async function seed(
  { simulator, ledger }: Clients,
  customer: DemoCustomer,
  progress: (line: string) => void,
): Promise<void> {
  if (!(await isPlatformSeeded(simulator, customer))) {
    progress(`entering ${customer.company.name} in the ledger and on the platform`);
    await seedLedger(ledger, customer);
    await seedPlatform(simulator, customer);
  }
  await addItems(simulator, customer);
}

async function installation(
  programs: DemoPrograms,
  operator: ProgramClient,
  customer: DemoCustomer,
  progress: (line: string) => void,
): Promise<string> {
  const known = await findActiveInstallation(operator, customer);
  if (known !== undefined) {
    return known;
  }
  progress('connecting the company through OAuth, and to its own company of the accounting system');
  return connectCompany(programs, operator, programs.clock, customer);
}

async function exportOnce(
  simulator: ProgramClient,
  connector: ProgramClient,
  customer: DemoCustomer,
  progress: (line: string) => void,
): Promise<void> {
  const earlier = await findNewestJob(connector);
  if (earlier !== undefined) {
    progress(`${customer.company.name} has been exported before: this is its newest export`);
    return;
  }
  progress(`pressing Export on ${customer.items.length.toString()} entries`);
  await triggerExport(simulator, customer);
}
