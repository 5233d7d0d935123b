// Sees whose night it is, which jobs have ended, and which runs nobody works on although they are due.
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import type { CompanyId, InstallationId } from '../../kernel/ids.js';
import { InstallationsService } from '../installations/installations.service.js';
import { TaskQueue } from '../tasks/task-queue.js';
import { nextSlotStart, slotAt } from './domain/night.js';
import { usualPeriod } from './domain/reconciliation-run.js';
import { ReconciliationRunRepository } from './reconciliation-run.repository.js';
import { ReconciliationTurnRepository } from './reconciliation-turn.repository.js';
import { runReconciliationsTask } from './reconciliation.tasks.js';

/** Most that one tick takes; the rest has its turn at the next one. */
const LIMIT = 200;
const UNKNOWN_ZONE = 'UTC';

@Injectable()
export class WakeReconciliations {
  constructor(
    private readonly database: TenantDatabase,
    private readonly turns: ReconciliationTurnRepository,
    private readonly runs: ReconciliationRunRepository,
    private readonly installations: InstallationsService,
    private readonly tasks: TaskQueue,
    private readonly clock: Clock,
  ) {}

  async run(): Promise<void> {
    const due = await this.database.acrossInstallations('find due reconciliations', (tx) =>
      this.turns.findDue(tx, this.clock.now(), LIMIT),
    );
    for (const installationId of due) {
      await this.takeTurn(installationId);
    }
    const ended = await this.database.acrossInstallations('find ended jobs', (tx) =>
      this.runs.findEndedJobs(tx, LIMIT),
    );
    for (const { installationId, companyId, id } of ended) {
      await this.requestForJob(installationId, companyId, id);
    }
    const idle = await this.database.acrossInstallations('find idle reconciliations', (tx) =>
      this.runs.findIdle(tx, LIMIT),
    );
    for (const installationId of idle) {
      await this.database.inInstallation('wake reconciliation', installationId, (tx) =>
        this.tasks.send(tx, runReconciliationsTask, { installationId }, installationId),
      );
    }
  }

  /** After a downtime of any length there is one run: it covers what the missed ones would have. */
  private async takeTurn(installationId: InstallationId): Promise<void> {
    const installation = await this.installations.find(installationId);
    if (installation?.state !== 'active') {
      return;
    }
    const { companyId } = installation;
    const now = this.clock.now();
    await this.database.inInstallation('take reconciliation turn', installationId, async (tx) => {
      const turn = await this.turns.find(tx, installationId);
      const timeZone = turn?.timeZone ?? UNKNOWN_ZONE;
      const slot = slotAt(now, timeZone);
      const nextRunAt = nextSlotStart(slot, timeZone);
      if (await this.turns.take(tx, installationId, now, { timeZone, nextRunAt })) {
        const request = {
          id: randomUUID(),
          companyId,
          reason: 'schedule',
          slot,
          exportJobId: undefined,
        } as const;
        await this.runs.request(tx, installationId, { ...request, period: usualPeriod(now), at: now });
      }
    });
  }

  private async requestForJob(
    installationId: InstallationId,
    companyId: CompanyId,
    exportJobId: string,
  ): Promise<void> {
    const now = this.clock.now();
    await this.database.inInstallation('reconcile ended job', installationId, (tx) =>
      this.runs.request(tx, installationId, {
        id: randomUUID(),
        companyId,
        reason: 'job',
        slot: undefined,
        exportJobId,
        period: { from: now, until: now },
        at: now,
      }),
    );
  }
}
