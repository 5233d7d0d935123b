import { Injectable } from '@nestjs/common';
import { Database } from '../../foundation/database/database.js';
import { SimulatorClock } from './clock/simulator-clock.js';
import { DeliverNotifications } from './deliveries/deliver-notifications.js';
import { ExportJobRepository } from './exports/export-job.repository.js';
import { SimulatorLog } from './simulator-log.js';

/** Longest pause, for what becomes due without anybody waking the loop: an expiring job. */
const LONGEST_PAUSE_MS = 5_000;
const PAUSE_AFTER_FAILURE_MS = 1_000;

/** What happens without a request: due notifications go out, jobs expire. Found in the database by the clock. */
@Injectable()
export class BackgroundWork {
  private pause = new AbortController();
  private wakeUps = 0;
  private running: Promise<void> | undefined;
  private stopped = false;

  constructor(
    private readonly notifications: DeliverNotifications,
    private readonly jobs: ExportJobRepository,
    private readonly database: Database,
    private readonly clock: SimulatorClock,
    private readonly log: SimulatorLog,
  ) {}

  start(): void {
    this.running = this.loop();
  }

  /** Something may have become due: a new notification, a moved clock. */
  wake(): void {
    this.wakeUps += 1;
    this.pause.abort();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.wake();
    await this.running;
    await this.notifications.stop();
  }

  private async loop(): Promise<void> {
    while (!this.stopped) {
      const seen = this.wakeUps;
      const pauseMs = await this.tick().catch((error: unknown) => {
        this.log.logger.error({ err: error }, 'background.failed');
        return PAUSE_AFTER_FAILURE_MS;
      });
      if (seen === this.wakeUps) {
        this.pause = new AbortController();
        await this.clock.sleep(pauseMs, this.pause.signal).catch(() => undefined);
      }
    }
  }

  /** @returns milliseconds until there is something to do again */
  private async tick(): Promise<number> {
    const expired = await this.database.inTransaction('expire jobs', (tx) =>
      this.jobs.expireDue(tx, this.clock.now()),
    );
    for (const exportJobId of expired) {
      this.log.logger.info({ exportJobId }, 'export_job.expired');
    }
    await this.notifications.startDue(() => {
      this.wake();
    });
    return Math.min(LONGEST_PAUSE_MS, (await this.notifications.millisecondsToNext()) ?? LONGEST_PAUSE_MS);
  }
}
