import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { Clock } from '../../../kernel/clock.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { WakeDue } from '../../runs/wake-due.js';
import { TaskQueue } from '../../tasks/task-queue.js';
import { ReexportRepository, type NewReexport, type ReexportView } from './reexport.repository.js';
import { requestReexportTask, type RequestReexportTask } from './reexports.tasks.js';
import { RequestReexport } from './request-reexport.js';

export type { ReexportView } from './reexport.repository.js';

/** Most entries of one export that is asked for here. */
export const MAX_REEXPORTED_ENTRIES = 10_000;

/** What the rest of the connector may ask of exports that are asked for here. */
@Injectable()
export class ReexportsService {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly reexportRepository: ReexportRepository,
    private readonly requestReexport: RequestReexport,
    private readonly taskQueue: TaskQueue,
    private readonly wakeDue: WakeDue,
    private readonly clock: Clock,
  ) {}

  /**
   * In the caller's transaction: a worker asks the platform for the job soon, and follows it to its verdict.
   * @returns its id
   */
  async request(tx: Tx, installationId: InstallationId, request: Omit<NewReexport, 'id'>): Promise<string> {
    const id = randomUUID();
    await this.reexportRepository.add(tx, installationId, { ...request, id }, this.clock.now());
    if (request.exportJobId === undefined) {
      await this.taskQueue.send(tx, requestReexportTask, { installationId, id }, id);
    }
    return id;
  }

  async find(installationId: InstallationId, id: string): Promise<ReexportView | undefined> {
    return this.tenantDatabase.inInstallation('read re-export', installationId, (tx) =>
      this.reexportRepository.view(tx, installationId, id),
    );
  }

  /** In the caller's transaction: the newest one that was asked for because of a cause. */
  async findNewest(
    tx: Tx,
    installationId: InstallationId,
    issueKey: string,
  ): Promise<ReexportView | undefined> {
    return this.reexportRepository.findNewest(tx, installationId, issueKey);
  }

  /** Wakes a worker for each that is due. */
  async wake(): Promise<void> {
    await this.wakeDue.wakeEach(
      're-exports',
      (tx, limit) => this.reexportRepository.findDue(tx, limit),
      requestReexportTask,
      ({ id }) => id,
    );
  }

  /** Has the platform make the export job; what could not be asked for is due again later. */
  async requestExportJob(task: RequestReexportTask): Promise<void> {
    await this.requestReexport.requestIfCompanyFree(task);
  }
}
