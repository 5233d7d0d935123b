import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { eachInTurn } from '../runs/each-in-turn.js';
import { WakeDue } from '../runs/wake-due.js';
import { processSyncsTask } from './reference-data.tasks.js';
import { RequestScheduledSyncs } from './request-scheduled-syncs.js';
import { SyncRunRepository } from './sync-run.repository.js';
import { SyncScheduleRepository } from './sync-schedule.repository.js';

/** Per tick; the next one finds the rest. */
const MAX_DUE = 200;

@Injectable()
export class WakeSyncs {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly syncScheduleRepository: SyncScheduleRepository,
    private readonly syncRunRepository: SyncRunRepository,
    private readonly requestScheduledSyncs: RequestScheduledSyncs,
    private readonly wakeDue: WakeDue,
  ) {}

  /** Requests the scheduled runs that are due, and wakes a worker for due runs that no worker owns. */
  async requestAndWake(): Promise<void> {
    const due = await this.tenantDatabase.acrossInstallations('find scheduled syncs', (tx) =>
      this.syncScheduleRepository.findDue(tx, MAX_DUE),
    );
    const wake = () =>
      this.wakeDue.wakeInstallations(
        'syncs',
        (tx, limit) => this.syncRunRepository.findIdle(tx, limit),
        processSyncsTask,
      );
    const requests = due.map((installationId) => () => this.requestScheduledSyncs.requestIfDue(installationId));
    await eachInTurn([...requests, wake], (step) => step());
  }
}
