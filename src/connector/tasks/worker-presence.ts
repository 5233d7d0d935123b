import { Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { AppLogger } from '../../foundation/logging/app-logger.js';
import { TaskQueue } from './task-queue.js';
import { TaskWorker } from './task-worker.js';
import { WorkerRegistry } from './worker-registry.js';

const HEARTBEAT_EVERY_MS = 5_000;

/** Reports to the operator that this worker exists, and drains it on request. */
@Injectable()
export class WorkerPresence {
  private isDraining = false;

  constructor(
    private readonly taskQueue: TaskQueue,
    private readonly taskWorker: TaskWorker,
    private readonly workerRegistry: WorkerRegistry,
    private readonly schedulerRegistry: SchedulerRegistry,
    private readonly appLogger: AppLogger,
  ) {}

  /** The registry ends it with the application. */
  start(): void {
    const report = () => {
      this.reportAndDrain().catch((error: unknown) => {
        this.appLogger.of('tasks').warn({ err: error }, 'worker.heartbeat_failed');
      });
    };
    this.schedulerRegistry.addInterval('worker-presence', setInterval(report, HEARTBEAT_EVERY_MS));
    report();
  }

  private async reportAndDrain(): Promise<void> {
    const mustDrain = await this.workerRegistry.recordHeartbeat(this.taskQueue.running);
    if (mustDrain && !this.isDraining) {
      this.isDraining = true;
      this.appLogger.of('tasks').info('worker.draining');
      await this.taskWorker.drain();
      await this.workerRegistry.recordHeartbeat(this.taskQueue.running);
    }
  }
}
