// One program of this repository as a child process: started, awaited, restarted after a crash, stopped.
import { spawn, type ChildProcess } from 'node:child_process';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { readEnvironment } from '../../foundation/config/environment.js';
import { HttpClient } from '../../foundation/http/client/http-client.js';
import { PROJECT_ROOT } from '../../foundation/process/project-root.js';
import type { Clock } from '../../kernel/clock.js';
import { Permanent } from '../../kernel/faults.js';
import { absoluteAdapters } from './adapter-paths.js';

export interface ProgramDefinition {
  readonly name: string;
  /** Compiled entry, below the output folder. */
  readonly entry: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Responds with 200 when the program is ready. */
  readonly readyUrl: string;
  /** Nice value for the operating system, 0 to 19: the higher, the more it gives way to the others. Default: 0. */
  readonly niceness?: number;
}

/** A young generation as in the image: with the one that Node.js chooses a worker needs 100 MB more, and is no faster. */
export const NODE_FLAGS = ['--enable-source-maps', '--max-semi-space-size=16'];

const OUTPUT = join(PROJECT_ROOT, 'dist');
/** Where Node.js keeps what it has compiled, for the next start. */
const COMPILED = join(PROJECT_ROOT, 'node_modules/.cache/compiled');
/** Generous for a busy machine; a program that exits is noticed immediately. */
const READY_LIMIT_MS = 120_000;
const READY_EVERY_MS = 100;
const RESTART_AFTER_MS = 500;
const STANDARD_ERROR = 2;

export class ChildProgram {
  private child: ChildProcess | undefined;
  private stopping = false;

  /** @param output file descriptor for the output of the program; standard output is reserved for the result of the launch */
  constructor(
    private readonly definition: ProgramDefinition,
    private readonly clock: Clock,
    private readonly progress: (line: string) => void,
    private readonly output = STANDARD_ERROR,
  ) {}

  /** @throws Permanent when the program ends or does not become ready in time */
  async start(): Promise<void> {
    this.spawn();
    await this.ready();
  }

  /** Ends the process from outside, as a crash would; it is started again. */
  kill(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }

  /** Disables restarting: Ctrl-C reaches every process of the terminal at the same time. */
  expectExit(): void {
    this.stopping = true;
  }

  async stop(): Promise<void> {
    this.expectExit();
    const { child } = this;
    if (child?.exitCode !== null || child.signalCode !== null) {
      return;
    }
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await exited;
  }

  private spawn(): void {
    const { entry, environment, name, niceness } = this.definition;
    const child = spawn(process.execPath, [...NODE_FLAGS, join(OUTPUT, entry)], {
      env: { NODE_COMPILE_CACHE: COMPILED, ...inherited(), ...environment },
      // Without the `.env` of the working directory: that one is for programs started by hand.
      cwd: OUTPUT,
      // By the channel the child notices the end of its parent.
      stdio: ['ignore', this.output, this.output, 'ipc'],
    });
    this.child = child;
    if (niceness !== undefined && child.pid !== undefined) {
      setPriority(child.pid, niceness);
    }
    child.once('exit', (code, signal) => {
      if (!this.stopping) {
        this.progress(`${name} ended (${signal ?? `code ${String(code)}`}); starting it again`);
        void this.clock.sleep(RESTART_AFTER_MS).then(() => {
          if (!this.stopping) {
            this.spawn();
          }
        });
      }
    });
  }

  private async ready(): Promise<void> {
    const { name, readyUrl } = this.definition;
    const { origin, pathname } = new URL(readyUrl);
    const http = new HttpClient({
      baseUrl: origin,
      timeoutMs: 2_000,
      maxResponseBytes: 100_000,
      maxConnections: 1,
    });
    const giveUpAt = this.clock.monotonicMs() + READY_LIMIT_MS;
    try {
      while (this.clock.monotonicMs() < giveUpAt) {
        const status = await http.send({ method: 'GET', path: pathname }).then(
          (response) => response.status,
          () => 0,
        );
        if (status === 200) {
          return;
        }
        if (typeof this.child?.exitCode === 'number') {
          break;
        }
        await this.clock.sleep(READY_EVERY_MS);
      }
    } finally {
      http.close();
    }
    this.stopping = true;
    this.child?.kill('SIGKILL');
    throw new Permanent(`${name} did not become ready; its messages above say why`);
  }
}

/** The variables that a program takes from the shell or the file `.env`; its own settings are given explicitly. */
function inherited(): NodeJS.ProcessEnv {
  const {
    PATH,
    HOME,
    TMPDIR,
    LOG_LEVEL = 'warn',
    LOG_FORMAT,
    CONNECTOR_ERP_ADAPTERS,
    ERP_ADAPTERS,
  } = readEnvironment();
  const adapters = CONNECTOR_ERP_ADAPTERS ?? ERP_ADAPTERS;
  const absolute = adapters && absoluteAdapters(adapters, process.cwd());
  const kept = { PATH, HOME, TMPDIR, LOG_LEVEL, LOG_FORMAT, CONNECTOR_ERP_ADAPTERS: absolute, TZ: 'UTC' };
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
}
