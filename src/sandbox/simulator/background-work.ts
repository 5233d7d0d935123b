import { Injectable } from '@nestjs/common';
import { Database } from '../../foundation/database/database.js';
import { SimulatorClock } from './clock/simulator-clock.js';
import { DeliverNotifications } from './deliveries/deliver-notifications.js';
import { ExportJobRepository } from './exports/export-job.repository.js';
import { SimulatorLog } from './simulator-log.js';

/** Longest pause, for what becomes due without anybody waking the loop: an expiring job. */
const MAX_PAUSE_MS = 5_000;
const PAUSE_AFTER_FAILURE_MS = 1_000;

/** What happens without a request: due notifications go out, jobs expire. Found in the database by the clock. */
@Injectable()
export class BackgroundWork {
  private pause = new AbortController();
  private wakeUps = 0;
  private running: Promise<void> | undefined;
  private stopped = false;

  constructor(
    private readonly deliverNotifications: DeliverNotifications,
    private readonly exportJobRepository: ExportJobRepository,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
    private readonly simulatorLog: SimulatorLog,
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
    await this.deliverNotifications.stop();
  }

  private async loop(): Promise<void> {
    while (!this.stopped) {
      const seen = this.wakeUps;
      const pauseMs = await this.tick().catch((error: unknown) => {
        this.simulatorLog.logger.error({ err: error }, 'background.failed');
        return PAUSE_AFTER_FAILURE_MS;
      });
      if (seen === this.wakeUps) {
        this.pause = new AbortController();
        await this.simulatorClock.sleep(pauseMs, this.pause.signal).catch(() => undefined);
      }
    }
  }

  /** @returns milliseconds until there is something to do again */
  private async tick(): Promise<number> {
    const expired = await this.database.inTransaction('expire jobs', (tx) =>
      this.exportJobRepository.expireDue(tx, this.simulatorClock.now()),
    );
    for (const exportJobId of expired) {
      this.simulatorLog.logger.info({ exportJobId }, 'export_job.expired');
    }
    await this.deliverNotifications.startDue(() => {
      this.wake();
    });
    return Math.min(MAX_PAUSE_MS, (await this.deliverNotifications.millisecondsToNext()) ?? MAX_PAUSE_MS);
  }
}
