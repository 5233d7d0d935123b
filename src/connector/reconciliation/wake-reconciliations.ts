// Sees whose night it is, which jobs have ended, and which runs nobody works on although they are due.
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import type { CompanyId, InstallationId } from '../../kernel/ids.js';
import { InstallationsService } from '../installations/installations.service.js';
import { TaskQueue } from '../tasks/task-queue.js';
import { nextWindowStart, windowDayAt } from './domain/run-window.js';
import { usualPeriod } from './domain/reconciliation-run.js';
import { ReconciliationRunRepository } from './reconciliation-run.repository.js';
import { ReconciliationScheduleRepository } from './reconciliation-schedule.repository.js';
import { processReconciliationsTask } from './reconciliation.tasks.js';

/** Most that one tick takes; the rest has its turn at the next one. */
const LIMIT = 200;
const UNKNOWN_ZONE = 'UTC';

@Injectable()
export class WakeReconciliations {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly reconciliationScheduleRepository: ReconciliationScheduleRepository,
    private readonly reconciliationRunRepository: ReconciliationRunRepository,
    private readonly installationsService: InstallationsService,
    private readonly taskQueue: TaskQueue,
    private readonly clock: Clock,
  ) {}

  async wakeDue(): Promise<void> {
    const due = await this.tenantDatabase.acrossInstallations('find due reconciliations', (tx) =>
      this.reconciliationScheduleRepository.findDue(tx, this.clock.now(), LIMIT),
    );
    for (const installationId of due) {
      await this.startScheduledRun(installationId);
    }
    const ended = await this.tenantDatabase.acrossInstallations('find ended jobs', (tx) =>
      this.reconciliationRunRepository.findEndedJobs(tx, LIMIT),
    );
    for (const { installationId, companyId, id } of ended) {
      await this.requestForJob(installationId, companyId, id);
    }
    const idle = await this.tenantDatabase.acrossInstallations('find idle reconciliations', (tx) =>
      this.reconciliationRunRepository.findIdle(tx, LIMIT),
    );
    for (const installationId of idle) {
      await this.tenantDatabase.inInstallation('wake reconciliation', installationId, (tx) =>
        this.taskQueue.send(tx, processReconciliationsTask, { installationId }, installationId),
      );
    }
  }

  /** After a downtime of any length there is one run: it covers what the missed ones would have. */
  private async startScheduledRun(installationId: InstallationId): Promise<void> {
    const installation = await this.installationsService.find(installationId);
    if (installation?.state !== 'active') {
      return;
    }
    const { companyId } = installation;
    const now = this.clock.now();
    await this.tenantDatabase.inInstallation('take reconciliation turn', installationId, async (tx) => {
      const turn = await this.reconciliationScheduleRepository.find(tx, installationId);
      const timeZone = turn?.timeZone ?? UNKNOWN_ZONE;
      const slot = windowDayAt(now, timeZone);
      const nextRunAt = nextWindowStart(slot, timeZone);
      if (
        await this.reconciliationScheduleRepository.claimDue(tx, installationId, now, { timeZone, nextRunAt })
      ) {
        const request = {
          id: randomUUID(),
          companyId,
          reason: 'schedule',
          windowDay: slot,
          exportJobId: undefined,
        } as const;
        await this.reconciliationRunRepository.request(tx, installationId, {
          ...request,
          period: usualPeriod(now),
          at: now,
        });
      }
    });
  }

  private async requestForJob(
    installationId: InstallationId,
    companyId: CompanyId,
    exportJobId: string,
  ): Promise<void> {
    const now = this.clock.now();
    await this.tenantDatabase.inInstallation('reconcile ended job', installationId, (tx) =>
      this.reconciliationRunRepository.request(tx, installationId, {
        id: randomUUID(),
        companyId,
        reason: 'job',
        windowDay: undefined,
        exportJobId,
        period: { from: now, until: now },
        at: now,
      }),
    );
  }
}
