import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import type { InstallationId } from '../../kernel/ids.js';
import { InstallationReader } from '../installations/installation.reader.js';
import { ALL_SYNC_KINDS } from './domain/sync-plan.js';
import { nextSyncAt } from './domain/sync-schedule.js';
import { RequestSyncs } from './request-syncs.js';
import { SyncScheduleRepository } from './sync-schedule.repository.js';

@Injectable()
export class RequestScheduledSyncs {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly syncScheduleRepository: SyncScheduleRepository,
    private readonly installationReader: InstallationReader,
    private readonly requestSyncs: RequestSyncs,
    private readonly clock: Clock,
  ) {}

  /** An ERP company was linked: what the runs before compared was another one, or none. */
  async requestAfterLink(installationId: InstallationId): Promise<void> {
    await this.tenantDatabase.inInstallation('ERP company linked', installationId, (tx) =>
      this.syncScheduleRepository.forgetConnection(tx, installationId),
    );
    await this.requestIfDue(installationId);
  }

  /**
   * Requests all runs of an active installation when they are due: at once after each new connection and each new link.
   * Without a linked ERP company there is nothing to compare, and no run.
   */
  async requestIfDue(installationId: InstallationId): Promise<void> {
    const installation = await this.installationReader.find(installationId);
    if (installation?.state !== 'active' || installation.erpCompanyId === undefined) {
      return;
    }
    const company = { installationId, companyId: installation.companyId };
    const next = nextSyncAt(installationId, this.clock.now());
    await this.tenantDatabase.inInstallation('claim scheduled syncs', installationId, async (tx) => {
      const claimed = await this.syncScheduleRepository.claimDue(tx, installationId, next);
      if (claimed !== undefined) {
        const reason = claimed === 'first' ? 'connected' : 'schedule';
        await this.requestSyncs.request(tx, company, ALL_SYNC_KINDS, reason);
      }
    });
  }
}
