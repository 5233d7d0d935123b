// Counts open discrepancies, and those older than the administrator's limit.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { DiscrepancyRepository, type OpenDiscrepancies } from './discrepancy.repository.js';
import {
  ReconciliationScheduleRepository,
  type ReconciliationSchedule,
} from '../reconciliation-schedule.repository.js';

/** As the schema's default. */
const DEFAULT_ALERT_DAYS = 7;

export interface DiscrepancySummary extends OpenDiscrepancies {
  /** Days after which an open discrepancy is overdue. */
  readonly alertAfterDays: number;
  /** Undefined: not planned yet. */
  readonly schedule: ReconciliationSchedule | undefined;
}

@Injectable()
export class CountDiscrepancies {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly reconciliationScheduleRepository: ReconciliationScheduleRepository,
    private readonly discrepancyRepository: DiscrepancyRepository,
  ) {}

  async countOpen(installationId: InstallationId): Promise<DiscrepancySummary> {
    return this.tenantDatabase.inInstallation('count discrepancies', installationId, async (tx) => {
      const schedule = await this.reconciliationScheduleRepository.find(tx, installationId);
      const alertAfterDays = schedule?.alertAfterDays ?? DEFAULT_ALERT_DAYS;
      const counts = await this.discrepancyRepository.countOpen(tx, installationId, alertAfterDays);
      return { ...counts, alertAfterDays, schedule };
    });
  }
}
