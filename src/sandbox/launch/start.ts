// `npm start`: database, migrations, all programs, the exports of the demo companies; then serves until Ctrl-C.
import { resolve } from 'node:path';
import { readEnvironment } from '../../foundation/config/environment.js';
import { SystemClock } from '../../foundation/clock/system-clock.js';
import { ConfigurationError } from '../../foundation/config/load-config.js';
import { UnknownMigrationsError } from '../../foundation/database/migrate.js';
import { NoResponse } from '../../foundation/http/client/http-client.js';
import type { Clock } from '../../kernel/clock.js';
import { Permanent } from '../../kernel/faults.js';
import { readArgumentsOrExit, type LaunchArguments } from './arguments.js';
import { ChildProgram, type ProgramDefinition } from './child-program.js';
import { runDemo, type DemoOutcome } from './demo/run-demo.js';
import { showResult, showTrialBalance } from './demo/show-result.js';
import { claimData } from './claim-data.js';
import { openLaunchDatabase, type LaunchDatabase } from './launch-database.js';
import {
  freePorts,
  persistedSecrets,
  newSecrets,
  readLaunchSettings,
  type LaunchSettings,
  type Ports,
  type SharedSecrets,
} from './launch-settings.js';
import { migrateAll } from './migrate-all.js';
import { assertPortsFree } from './ports-in-use.js';
import { addressesOf, connectorPrograms, ledgerProgram, simulatorProgram } from './programs.js';

const DATA_FOLDER = '.data';
const WATCH_EVERY_MS = 2_000;
const EXIT_CONFIGURATION = 78;

const progress = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** Everything that a launch has started, stopped in the opposite order. */
class Launch {
  readonly running: ChildProgram[] = [];
  private readonly ended = new AbortController();

  constructor(
    readonly database: LaunchDatabase,
    readonly ports: Ports,
    readonly secrets: SharedSecrets,
    private readonly releaseData: () => Promise<void>,
    private readonly clock: Clock,
  ) {}

  async start(...programs: readonly ProgramDefinition[]): Promise<void> {
    const children = programs.map((program) => new ChildProgram(program, this.clock, progress));
    this.running.push(...children);
    await Promise.all(children.map((child) => child.start()));
  }

  /** Restarts the database after a crash, until the launch is closed. */
  async watchDatabase(): Promise<void> {
    while (!this.ended.signal.aborted) {
      await this.database.ensureRunning().catch((error: unknown) => {
        progress(`the database cannot be restarted: ${error instanceof Error ? error.message : String(error)}`);
      });
      await this.clock.sleep(WATCH_EVERY_MS, this.ended.signal).catch(() => undefined);
    }
  }

  async close(): Promise<void> {
    this.ended.abort();
    for (const child of this.running) {
      child.expectExit();
    }
    // The connector first, so that its last requests still reach the others.
    for (const child of this.running.toReversed()) {
      await child.stop();
    }
    await this.releaseData().catch(() => undefined);
    await this.database.close();
  }
}

async function open(options: LaunchArguments, settings: LaunchSettings, clock: Clock): Promise<Launch> {
  const { once, only } = options;
  progress('starting the database');
  const database = await openLaunchDatabase(DATA_FOLDER, settings.databaseUrl, once);
  let releaseData: () => Promise<void> = () => Promise.resolve();
  try {
    // Before the ports: a second start reports that, and not a port in use.
    releaseData = await claimData(database.url, only);
    const ports = once ? await freePorts() : settings.ports;
    await assertPortsFree(ports, only);
    progress('migrating the schemas');
    await migrateAll(database.url);
    const secrets = once ? newSecrets() : await persistedSecrets(DATA_FOLDER);
    return new Launch(database, ports, secrets, releaseData, clock);
  } catch (error) {
    await releaseData();
    await database.close();
    throw error;
  }
}

async function startPrograms({ only }: LaunchArguments, launch: Launch): Promise<void> {
  const { database, ports, secrets } = launch;
  const simulator = simulatorProgram(database.url, ports, secrets);
  const ledger = ledgerProgram(database.url, ports, secrets);
  if (only !== undefined) {
    progress(`starting the ${only}`);
    await launch.start(only === 'simulator' ? simulator : ledger);
    return;
  }
  progress('starting the simulator, the ledger and the connector');
  await launch.start(simulator, ledger, ...connectorPrograms(database.url, ports, secrets));
}

async function demonstrate(
  { erp }: LaunchArguments,
  launch: Launch,
  clock: Clock,
): Promise<readonly [DemoOutcome, DemoOutcome]> {
  const { connector, simulator, ledger } = addressesOf(launch.ports);
  const { ledgerApiKey, operatorToken } = launch.secrets;
  const programs = {
    connectorUrl: connector,
    simulatorUrl: simulator,
    ledgerUrl: ledger,
    ledgerApiKey,
    operatorToken,
    clock,
    erp,
  };
  return runDemo(programs, progress);
}

function report(outcomes: readonly [DemoOutcome, DemoOutcome], seconds: number, options: LaunchArguments): void {
  const [main, second] = outcomes;
  const { json, trialBalance } = options;
  const out = json ? process.stderr : process.stdout;
  const lines = [...showResult(outcomes, seconds, out), ...(trialBalance ? ['', ...showTrialBalance(main)] : [])];
  out.write(`\n${lines.join('\n')}\n`);
  if (json) {
    process.stdout.write(`${JSON.stringify({ ...inShort(main), second: inShort(second), seconds })}\n`);
  }
}

function inShort({ exportJob, ledger }: DemoOutcome): object {
  if (ledger === undefined) {
    return { exportJob };
  }
  const { entries, trialBalance, functional } = ledger;
  return { exportJob, ledger: { entries, trialBalance, functional } };
}

function printAddresses({ ports, secrets }: Launch, only: LaunchArguments['only']): void {
  const { connector, simulator, ledger } = addressesOf(ports);
  const lines = {
    all: [
      'What next',
      `  1. Resolve what failed, as a bookkeeper: ${connector}/app (press Sign in, choose a person)`,
      `  2. Press Export yourself, or make something fail: ${simulator}`,
      `  3. Look into the books: ${ledger} (key ${secrets.ledgerApiKey})`,
      '',
      `API ${connector}/api/docs (operator token ${secrets.operatorToken})`,
    ],
    simulator: [`simulator ${simulator}`],
    ledger: [`ledger ${ledger} (key ${secrets.ledgerApiKey})`],
  }[only ?? 'all'];
  process.stdout.write(`\n${lines.join('\n')}\nCtrl-C stops all programs; the data stays in ${DATA_FOLDER}\n`);
}

async function waitForCtrlC(): Promise<void> {
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  progress('\nstopping');
}

async function main(): Promise<number> {
  const options = readArgumentsOrExit();
  const clock = new SystemClock();
  const startedAt = clock.monotonicMs();
  const launch = await open(options, readLaunchSettings(readEnvironment()), clock);
  const watching = launch.watchDatabase();
  const interrupted = waitForCtrlC();
  const serve = async (): Promise<number> => {
    await startPrograms(options, launch);
    if (options.only === undefined) {
      const outcomes = await demonstrate(options, launch, clock);
      report(outcomes, Math.round((clock.monotonicMs() - startedAt) / 100) / 10, options);
      if (options.once) {
        return outcomes.every(({ asIntended }) => asIntended) ? 0 : 1;
      }
    }
    printAddresses(launch, options.only);
    await interrupted;
    return 0;
  };
  try {
    return await Promise.race([serve(), interrupted.then(() => 0)]);
  } finally {
    await launch.close();
    await watching;
  }
}

/** The stack is shown for unexpected errors only. */
function reasonOf(error: unknown): string {
  if (error instanceof UnknownMigrationsError) {
    return `${error.message}.
Delete the folder ${resolve(DATA_FOLDER)}, with all data kept there, or give DATABASE_URL an empty database where it is set; or start with --once, which takes a fresh database.`;
  }
  const isExpected = [ConfigurationError, Permanent, NoResponse].some((kind) => error instanceof kind);
  return error instanceof Error ? ((isExpected ? undefined : error.stack) ?? error.message) : String(error);
}

process.exitCode = await main().catch((error: unknown) => {
  progress(`npm start failed: ${reasonOf(error)}`);
  return error instanceof ConfigurationError ? EXIT_CONFIGURATION : 1;
});
// A timer of a library must not keep a finished launch alive.
process.exit();
