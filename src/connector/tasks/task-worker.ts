import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { SchedulerRegistry } from '@nestjs/schedule';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { AppLogger } from '../../foundation/logging/app-logger.js';
import type { Logger } from '../../foundation/logging/logger.js';
import { FailedTasks } from './failed-tasks.js';
import type { TaskRow } from './task-definition.js';
import { TaskQueue } from './task-queue.js';

/** Takes the tasks of a table from the queue, and sends those that the table schedules. */
@Injectable()
export class TaskWorker {
  private readonly logger: Logger;
  private readonly scheduled = new Set<string>();

  constructor(
    private readonly moduleRef: ModuleRef,
    private readonly taskQueue: TaskQueue,
    private readonly tenantDatabase: TenantDatabase,
    private readonly schedulerRegistry: SchedulerRegistry,
    private readonly failedTasks: FailedTasks,
    appLogger: AppLogger,
  ) {
    this.logger = appLogger.of('schedule');
  }

  /** @throws UnknownElementException when a row's class is not a provider */
  async start(rows: readonly TaskRow[]): Promise<void> {
    const handlers = rows.map((row) => row.bind((type) => this.moduleRef.get(type, { strict: false })));
    await this.taskQueue.work(handlers, this.failedTasks);
    for (const row of rows) {
      this.schedule(row);
    }
  }

  /** Takes and sends nothing more for as long as the process lives. */
  async drain(): Promise<void> {
    for (const kind of this.schedulerRegistry.getIntervals().filter((name) => this.scheduled.has(name))) {
      this.schedulerRegistry.deleteInterval(kind);
    }
    await this.taskQueue.drain();
  }

  /**
   * The registry ends the intervals with the application. Its `@Interval` decorator would not do: an interval belongs to a row
   * of the table, and a tick does not do the work but sends a task, with one key per kind, so that many processes make one.
   */
  private schedule({ schedule }: TaskRow): void {
    if (schedule === undefined) {
      return;
    }
    const { task, everyMs } = schedule;
    const tick = () => {
      this.tenantDatabase
        .withoutInstallation('schedule', (tx) => this.taskQueue.send(tx, task, {}, task.kind))
        .catch((error: unknown) => {
          // The next tick follows by itself; readiness reports a database that is unavailable.
          this.logger.warn({ err: error, task: task.kind }, 'schedule.tick_failed');
        });
    };
    this.scheduled.add(task.kind);
    this.schedulerRegistry.addInterval(task.kind, setInterval(tick, everyMs));
    tick();
  }
}
