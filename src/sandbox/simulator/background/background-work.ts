import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { AppLogger } from '../../../foundation/logging/app-logger.js';
import { BackgroundSignal } from '../clock/background-signal.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { DeliverNotifications } from '../deliveries/deliver-notifications.js';
import { ExportJobRepository } from '../exports/export-job.repository.js';

/** Longest pause, for work that becomes due without a signal: an expiring job. */
const MAX_PAUSE_MS = 5_000;
const PAUSE_AFTER_FAILURE_MS = 1_000;

/** Work without a request: due notifications are sent, jobs expire. The database and the clock say what is due. */
@Injectable()
export class BackgroundWork {
  private running: Promise<void> | undefined;
  private stopped = false;

  constructor(
    private readonly deliverNotifications: DeliverNotifications,
    private readonly exportJobRepository: ExportJobRepository,
    private readonly backgroundSignal: BackgroundSignal,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
    private readonly appLogger: AppLogger,
  ) {}

  start(): void {
    this.running = this.loop();
  }

  /** Ends the loop and the attempts that are under way. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.backgroundSignal.wake();
    await this.running;
    await this.deliverNotifications.stop();
  }

  private async loop(): Promise<void> {
    while (!this.stopped) {
      const seen = this.backgroundSignal.count;
      const pauseMs = await this.tick().catch((error: unknown) => {
        this.appLogger.of('background').error({ err: error }, 'background.failed');
        return PAUSE_AFTER_FAILURE_MS;
      });
      await this.backgroundSignal.sleep(pauseMs, seen);
    }
  }

  /** @returns milliseconds until the next work is due */
  private async tick(): Promise<number> {
    const expired = await this.database.inTransaction('expire jobs', (tx) =>
      this.exportJobRepository.expireDue(tx, this.simulatorClock.now()),
    );
    for (const exportJobId of expired) {
      this.appLogger.of('background').info({ exportJobId }, 'export_job.expired');
    }
    await this.deliverNotifications.startDue(() => {
      this.backgroundSignal.wake();
    });
    return Math.min(MAX_PAUSE_MS, (await this.deliverNotifications.millisecondsToNext()) ?? MAX_PAUSE_MS);
  }
}
