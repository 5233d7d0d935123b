import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { ReconciliationLease, RunProgress } from './domain/reconciliation-run.js';
import { ReconciliationRunRepository, type RunCounts } from './reconciliation-run.repository.js';

/** Renews the lease of a run between its steps, and records what it has done. */
@Injectable()
export class AdvanceRun {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly reconciliationRunRepository: ReconciliationRunRepository,
  ) {}

  /**
   * @param progress where a later attempt goes on; undefined: as before
   * @throws LeaseLost
   */
  async advance(run: ReconciliationLease, counts: RunCounts, progress?: RunProgress): Promise<void> {
    await this.tenantDatabase.writeOnce('advance reconciliation', run.installationId, (tx) =>
      this.reconciliationRunRepository.advance(tx, run, counts, progress),
    );
  }
}
