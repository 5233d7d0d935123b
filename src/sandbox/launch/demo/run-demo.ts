// The demo from an empty database to the books. Each step checks the state first, so that a second run continues the first.
import type { Clock } from '../../../kernel/clock.js';
import { connectCompany, createApiToken, findActiveInstallation, saveSettings } from './connect-company.js';
import { demoCompany } from './demo-company.js';
import { demoItems } from './items/demo-items.js';
import type { DemoOutcome } from './demo-outcome.js';
import { findNewestJob, triggerExport, waitForVerdict } from './trigger-export.js';
import { ProgramClient } from './program-client.js';
import { readOutcome } from './read-outcome.js';
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
}

/**
 * Seeds the demo company, connects it through the real OAuth flow and requests an export, as far as earlier runs have not;
 * then reads the outcome of the newest export.
 *
 * @param progress gets one line per step.
 * @throws Permanent when a program refuses a step or takes too long; NoResponse when it does not respond.
 */
export async function runDemo(programs: DemoPrograms, progress: (line: string) => void): Promise<DemoOutcome> {
  const simulator = new ProgramClient('simulator', programs.simulatorUrl);
  const ledger = new ProgramClient('ledger', programs.ledgerUrl, programs.ledgerApiKey);
  const operator = new ProgramClient('connector', programs.connectorUrl, programs.operatorToken);
  try {
    await seed(simulator, ledger, progress);
    const installationId = await installation(programs, operator, progress);
    const token = await createApiToken(operator, installationId);
    const connector = new ProgramClient('connector', programs.connectorUrl, token);
    try {
      await saveSettings(connector);
      await exportOnce(simulator, connector, progress);
      const job = await waitForVerdict(connector, programs.clock, progress);
      return await readOutcome(connector, ledger, job);
    } finally {
      connector.close();
    }
  } finally {
    simulator.close();
    ledger.close();
    operator.close();
  }
}

async function seed(simulator: ProgramClient, ledger: ProgramClient, progress: (line: string) => void): Promise<void> {
  if (!(await isPlatformSeeded(simulator))) {
    progress(`entering ${demoCompany.name} in the ledger and on the platform`);
    await seedLedger(ledger);
    await seedPlatform(simulator);
  }
  await addItems(simulator);
}

async function installation(
  programs: DemoPrograms,
  operator: ProgramClient,
  progress: (line: string) => void,
): Promise<string> {
  const known = await findActiveInstallation(operator);
  if (known !== undefined) {
    return known;
  }
  progress('connecting the company through OAuth');
  return connectCompany(programs, operator, programs.clock);
}

async function exportOnce(
  simulator: ProgramClient,
  connector: ProgramClient,
  progress: (line: string) => void,
): Promise<void> {
  const earlier = await findNewestJob(connector);
  if (earlier !== undefined) {
    progress(`${demoCompany.name} has been exported before: this is its newest export`);
    return;
  }
  progress(`pressing Export on ${demoItems.length.toString()} entries`);
  await triggerExport(simulator);
}
