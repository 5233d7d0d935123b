import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import type { InstallationId } from '../../kernel/ids.js';
import { ExportRecordReader } from '../exports/stores/export-record.reader.js';
import { InstallationReader } from '../installations/installation.reader.js';
import { TaskQueue } from '../tasks/task-queue.js';
import { usualPeriod } from './domain/reconciliation-run.js';
import { ReconciliationRunRepository } from './reconciliation-run.repository.js';
import { processReconciliationsTask } from './reconciliation.tasks.js';

/** What a person wants compared: a job, or a period (from included, to excluded); the usual period without either. */
export interface RequestedScope {
  readonly exportJobId?: string | undefined;
  readonly period?: { readonly from: Date; readonly until: Date } | undefined;
}

@Injectable()
export class RequestReconciliation {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly installationReader: InstallationReader,
    private readonly exportRecordReader: ExportRecordReader,
    private readonly reconciliationRunRepository: ReconciliationRunRepository,
    private readonly taskQueue: TaskQueue,
    private readonly clock: Clock,
  ) {}

  /** @returns the id of the run; undefined for an unknown job or installation */
  async request(installationId: InstallationId, { exportJobId, period }: RequestedScope): Promise<string | undefined> {
    const installation = await this.installationReader.find(installationId);
    const job = exportJobId === undefined ? undefined : await this.exportRecordReader.job(installationId, exportJobId);
    if (installation === undefined || job?.id !== exportJobId) {
      return undefined;
    }
    const at = this.clock.now();
    const id = randomUUID();
    await this.tenantDatabase.inInstallation('request reconciliation', installationId, async (tx) => {
      await this.reconciliationRunRepository.request(tx, installationId, {
        id,
        companyId: installation.companyId,
        reason: 'person',
        windowDay: undefined,
        exportJobId,
        period: period ?? usualPeriod(at),
        at,
      });
      await this.taskQueue.send(tx, processReconciliationsTask, { installationId }, installationId);
    });
    return id;
  }
}
