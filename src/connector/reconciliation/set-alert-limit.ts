import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import type { InstallationId } from '../../kernel/ids.js';
import { nextWindowStart, windowDayAt } from './domain/run-window.js';
import { ReconciliationScheduleRepository } from './reconciliation-schedule.repository.js';

@Injectable()
export class SetAlertLimit {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly reconciliationScheduleRepository: ReconciliationScheduleRepository,
    private readonly clock: Clock,
  ) {}

  /** @param days after which an open discrepancy raises an alert */
  async setAlertAfterDays(installationId: InstallationId, days: number): Promise<void> {
    const firstRunAt = nextWindowStart(windowDayAt(this.clock.now(), 'UTC'), 'UTC');
    await this.tenantDatabase.inInstallation('set alert limit', installationId, (tx) =>
      this.reconciliationScheduleRepository.setAlertAfterDays(tx, installationId, days, firstRunAt),
    );
  }
}
