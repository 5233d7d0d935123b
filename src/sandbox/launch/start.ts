// `npm start`: database, migrations, all programs, the exports of the demo companies; then serves until Ctrl-C.
import { resolve } from 'node:path';
import { readEnvironment } from '../../foundation/config/environment.js';
import { SystemClock } from '../../foundation/clock/system-clock.js';
import { ConfigurationError } from '../../foundation/config/load-config.js';
import { UnknownMigrationsError } from '../../foundation/database/migrate.js';
import type { Clock } from '../../kernel/clock.js';
import { readArguments, type LaunchArguments } from './arguments.js';
import { ChildProgram, type ProgramDefinition } from './child-program.js';
import { runDemo, type DemoOutcome } from './demo/run-demo.js';
import { showResult } from './demo/show-result.js';
import { openLaunchDatabase, type LaunchDatabase } from './launch-database.js';
import {
  fixedPorts,
  freePorts,
  persistedSecrets,
  newSecrets,
  type Ports,
  type SharedSecrets,
} from './launch-settings.js';
import { migrateAll } from './migrate-all.js';
import { assertPortsFree } from './ports-in-use.js';
import { addressesOf, connectorPrograms, ledgerProgram, simulatorProgram } from './programs.js';

const DATA_FOLDER = '.data';
const WATCH_EVERY_MS = 2_000;
const environment = readEnvironment();

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
    await this.database.close();
  }
}

async function open(options: LaunchArguments, clock: Clock): Promise<Launch> {
  const { once, only } = options;
  const ports = once ? await freePorts() : fixedPorts(environment);
  await assertPortsFree(ports, only);
  progress('starting the database');
  const database = await openLaunchDatabase(DATA_FOLDER, environment['DATABASE_URL'], once);
  progress('migrating the schemas');
  await migrateAll(database.url).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  return new Launch(database, ports, once ? newSecrets() : await persistedSecrets(DATA_FOLDER), clock);
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

function report([main, second]: readonly [DemoOutcome, DemoOutcome], seconds: number, json: boolean): void {
  const text = `${showResult(main, second).join('\n')}\n`;
  if (json) {
    progress(text);
    process.stdout.write(`${JSON.stringify({ ...inShort(main), second: inShort(second), seconds })}\n`);
  } else {
    process.stdout.write(text);
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
  const lines = [
    ...(only === undefined
      ? [
          `connector   ${connector}/settings (people sign in) · ${connector}/connect (connect a company) · ${connector}/api/docs`,
          `            operator token: ${secrets.operatorToken}`,
          `            metrics: http://localhost:${ports.connectorInternal.toString()}/metrics`,
        ]
      : []),
    ...(only === 'ledger' ? [] : [`simulator   ${simulator} (page) · ${simulator}/control/docs`]),
    ...(only === 'simulator' ? [] : [`ledger      ${ledger}/docs   key: ${secrets.ledgerApiKey}`]),
    'Ctrl-C stops all programs; the data stays in .data',
  ];
  process.stdout.write(`\n${lines.join('\n')}\n`);
}

async function waitForCtrlC(): Promise<void> {
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  progress('\nstopping');
}

async function main(): Promise<number> {
  const options = readArguments(process.argv.slice(2));
  const clock = new SystemClock();
  const startedAt = clock.monotonicMs();
  const launch = await open(options, clock);
  const watching = launch.watchDatabase();
  const interrupted = waitForCtrlC();
  const serve = async (): Promise<number> => {
    await startPrograms(options, launch);
    if (options.only === undefined) {
      const outcomes = await demonstrate(options, launch, clock);
      const seconds = Math.round((clock.monotonicMs() - startedAt) / 100) / 10;
      report(outcomes, seconds, options.json);
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
  if (error instanceof ConfigurationError) {
    return error.message;
  }
  if (error instanceof UnknownMigrationsError) {
    const remedy =
      environment['DATABASE_URL'] === undefined
        ? `Delete the folder ${resolve(DATA_FOLDER)}, with all data kept there`
        : 'Give DATABASE_URL an empty database';
    return `${error.message}.\n${remedy}, or start with --once, which takes a fresh database.`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

process.exitCode = await main().catch((error: unknown) => {
  progress(`npm start failed: ${reasonOf(error)}`);
  return 1;
});
// A timer of a library must not keep a finished launch alive.
process.exit();
