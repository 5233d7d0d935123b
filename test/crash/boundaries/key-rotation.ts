import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { KeyRingService } from '../../../src/connector/installations/credentials/key-ring.service.js';
import type { Clock } from '../../../src/kernel/clock.js';
import type { Program } from './program.js';

const ENTRY = join(import.meta.dirname, '../../../dist/connector/rotate-keys.js');
const RUN_AGAIN_MS = 500;
const GIVE_UP_MS = 120_000;
/** A database that does not answer is given up after twelve seconds, a few times in a row. */
const RUN_MS = 90_000;

/** Two keys of the service: all programs have both, the new one first, as they do while the old one is being replaced. */
export class ServiceKeys {
  private readonly old = ['old', randomBytes(32)] as const;
  private readonly fresh = ['new', randomBytes(32)] as const;

  /** In the form of CREDENTIAL_KEYS. */
  readonly text = [this.fresh, this.old].map(([id, key]) => `${id}:${key.toString('base64')}`).join(',');
  /** Seals with the old key and opens both: what a process did without the new one. */
  readonly before = new KeyRingService({ primary: 'old', keys: new Map([this.old, this.fresh]) });
  /** What is there once the old key was taken away. */
  readonly after = new KeyRingService({ primary: 'new', keys: new Map([this.fresh]) });
}

/** The program that seals everything with the new key, run again until it says that nothing needs the old one. */
export class KeyRotation implements Program {
  readonly kind = 'keys';
  private child: ChildProcess | undefined;

  /** @param output file descriptor for what the program says */
  constructor(
    private readonly clock: Clock,
    private readonly output: number,
    readonly intervene: NonNullable<Program['intervene']>,
  ) {}

  readonly kill = (signal: NodeJS.Signals): void => {
    this.child?.kill(signal);
  };

  /**
   * @param onEnd called at the end of every run
   * @returns what is wrong when it does not succeed in time
   */
  async runUntilDone(environment: Readonly<Record<string, string>>, onEnd: () => void): Promise<readonly string[]> {
    const giveUpAt = this.clock.monotonicMs() + GIVE_UP_MS;
    for (;;) {
      const startedAt = this.clock.monotonicMs();
      const status = await this.runOnce(environment);
      onEnd();
      if (this.clock.monotonicMs() - startedAt >= RUN_MS) {
        return ['a run of the rotation of the keys does not end'];
      }
      if (status === 0) {
        return [];
      }
      if (this.clock.monotonicMs() > giveUpAt) {
        return [`the rotation of the keys ends with ${String(status)}`];
      }
      await this.clock.sleep(RUN_AGAIN_MS);
    }
  }

  private runOnce(environment: Readonly<Record<string, string>>): Promise<number | null> {
    const { PATH, HOME } = process.env;
    const child = spawn(process.execPath, ['--enable-source-maps', ENTRY], {
      env: { PATH, HOME, TZ: 'UTC', ...environment },
      // Without the `.env` of the working directory.
      cwd: join(ENTRY, '..'),
      stdio: ['ignore', this.output, this.output],
    });
    this.child = child;
    const limit = setTimeout(() => child.kill('SIGKILL'), RUN_MS);
    return new Promise((resolve) =>
      child.once('exit', (status) => {
        clearTimeout(limit);
        resolve(status);
      }),
    );
  }
}
