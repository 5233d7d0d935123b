import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import type { InstallationId } from '../../kernel/ids.js';
import { InstallationReader } from '../installations/installation.reader.js';
import { WakeDue } from '../runs/wake-due.js';
import type { SyncKind } from './domain/sync-plan.js';
import { nextSyncAt } from './domain/sync-schedule.js';
import { processSyncsTask } from './reference-data.tasks.js';
import { RequestSyncs } from './request-syncs.js';
import { SyncRunRepository } from './sync-run.repository.js';
import { SyncScheduleRepository } from './sync-schedule.repository.js';

/** Everything, in the order the parts build upon each other. */
export const ALL_SYNC_KINDS: readonly SyncKind[] = ['tax-codes', 'accounts', 'tags', 'vendors'];
/** Most installations one tick takes; the rest has its turn at the next one. */
const LIMIT = 200;

/** Sees whose turn it is, and which runs nobody works on although they are due. */
@Injectable()
export class WakeSyncs {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly syncScheduleRepository: SyncScheduleRepository,
    private readonly syncRunRepository: SyncRunRepository,
    private readonly installationReader: InstallationReader,
    private readonly requestSyncs: RequestSyncs,
    private readonly wakeDue: WakeDue,
    private readonly clock: Clock,
  ) {}

  async requestAndWake(): Promise<void> {
    const due = await this.tenantDatabase.acrossInstallations('find due syncs', (tx) =>
      this.syncScheduleRepository.findDue(tx, LIMIT),
    );
    for (const installationId of due) {
      await this.requestDueRuns(installationId);
    }
    await this.wakeDue.wakeInstallations(
      'syncs',
      (tx, limit) => this.syncRunRepository.findIdle(tx, limit),
      processSyncsTask,
    );
  }

  /** Asks for all runs of an active installation whose turn has come; one that has just been connected has it at once. */
  async requestDueRuns(installationId: InstallationId): Promise<void> {
    const installation = await this.installationReader.find(installationId);
    if (installation?.state !== 'active') {
      return;
    }
    const { companyId } = installation;
    const next = nextSyncAt(installationId, this.clock.now());
    await this.tenantDatabase.inInstallation('take sync turn', installationId, async (tx) => {
      const turn = await this.syncScheduleRepository.claimDue(tx, installationId, next);
      if (turn !== undefined) {
        const reason = turn === 'first' ? 'connected' : 'schedule';
        await this.requestSyncs.request(tx, { installationId, companyId }, ALL_SYNC_KINDS, reason);
      }
    });
  }
}
