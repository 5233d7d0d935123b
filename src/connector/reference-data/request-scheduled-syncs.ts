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

  /** Requests all runs of an active installation when they are due; after each new connection they are due at once. */
  async requestIfDue(installationId: InstallationId): Promise<void> {
    const installation = await this.installationReader.find(installationId);
    if (installation?.state !== 'active') {
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
