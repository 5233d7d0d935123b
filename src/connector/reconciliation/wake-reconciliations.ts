// Requests the scheduled runs that are due and the runs of ended jobs, and wakes workers for due runs that no worker owns.
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { Tx } from '../../foundation/database/transaction.js';
import { Clock } from '../../kernel/clock.js';
import { isTimeZone } from '../../kernel/local-date.js';
import type { InstallationId } from '../../kernel/ids.js';
import { InstallationReader } from '../installations/installation.reader.js';
import { eachInTurn } from '../runs/each-in-turn.js';
import { WakeDue } from '../runs/wake-due.js';
import { nextWindowStart, windowDayAt } from './domain/run-window.js';
import { usualPeriod } from './domain/reconciliation-run.js';
import { ReconciliationRunRepository, type EndedJob } from './reconciliation-run.repository.js';
import { ReconciliationScheduleRepository } from './reconciliation-schedule.repository.js';
import { processReconciliationsTask } from './reconciliation.tasks.js';

/** Per tick; the next one finds the rest. */
const LIMIT = 200;
const UNKNOWN_ZONE = 'UTC';

@Injectable()
export class WakeReconciliations {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly reconciliationScheduleRepository: ReconciliationScheduleRepository,
    private readonly reconciliationRunRepository: ReconciliationRunRepository,
    private readonly installationReader: InstallationReader,
    private readonly wakeDue: WakeDue,
    private readonly clock: Clock,
  ) {}

  async requestAndWake(): Promise<void> {
    const due = await this.tenantDatabase.acrossInstallations('find due reconciliations', (tx) =>
      this.reconciliationScheduleRepository.findDue(tx, this.clock.now(), LIMIT),
    );
    const requestForJobs = () =>
      this.wakeDue.forEach(
        'reconciliations of ended jobs',
        (tx, limit) => this.reconciliationRunRepository.findEndedJobs(tx, limit),
        (tx, job) => this.requestForJob(tx, job),
      );
    const wake = () =>
      this.wakeDue.wakeInstallations(
        'reconciliations',
        (tx, limit) => this.reconciliationRunRepository.findIdle(tx, limit),
        processReconciliationsTask,
      );
    const requests = due.map((installationId) => () => this.startScheduledRun(installationId));
    await eachInTurn([...requests, requestForJobs, wake], (step) => step());
  }

  /** After a downtime of any length one run covers everything that was missed. */
  private async startScheduledRun(installationId: InstallationId): Promise<void> {
    const installation = await this.installationReader.find(installationId);
    if (installation?.state !== 'active') {
      return;
    }
    const { companyId } = installation;
    const now = this.clock.now();
    await this.tenantDatabase.inInstallation('claim scheduled reconciliation', installationId, async (tx) => {
      const schedule = await this.reconciliationScheduleRepository.find(tx, installationId);
      const timeZone = schedule !== undefined && isTimeZone(schedule.timeZone) ? schedule.timeZone : UNKNOWN_ZONE;
      const windowDay = windowDayAt(now, timeZone);
      const nextRunAt = nextWindowStart(windowDay, timeZone);
      if (await this.reconciliationScheduleRepository.claimDue(tx, installationId, now, { timeZone, nextRunAt })) {
        await this.reconciliationRunRepository.request(tx, installationId, {
          id: randomUUID(),
          companyId,
          reason: 'schedule',
          windowDay,
          exportJobId: undefined,
          period: usualPeriod(now),
          at: now,
        });
      }
    });
  }

  private async requestForJob(tx: Tx, { installationId, companyId, id }: EndedJob): Promise<void> {
    const now = this.clock.now();
    await this.reconciliationRunRepository.request(tx, installationId, {
      id: randomUUID(),
      companyId,
      reason: 'job',
      windowDay: undefined,
      exportJobId: id,
      period: { from: now, until: now },
      at: now,
    });
  }
}
