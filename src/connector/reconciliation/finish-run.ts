import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import { DiscrepancyRepository } from './compare/discrepancy.repository.js';
import type { ReconciliationLease } from './domain/reconciliation-run.js';
import { ReconciliationRunRepository } from './reconciliation-run.repository.js';

@Injectable()
export class FinishRun {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly reconciliationRunRepository: ReconciliationRunRepository,
    private readonly discrepancyRepository: DiscrepancyRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Closes discrepancies that the run has covered and not seen again, and those that were exported again.
   * @throws LeaseLost
   */
  async finish(run: ReconciliationLease): Promise<void> {
    await this.tenantDatabase.inInstallation('end reconciliation', run.installationId, async (tx) => {
      await this.reconciliationRunRepository.advance(tx, run, {});
      await this.discrepancyRepository.closeUnseen(tx, run, this.clock.now());
      await this.discrepancyRepository.closeReexported(tx, run, this.clock.now());
      await this.reconciliationRunRepository.finish(tx, run, undefined);
    });
  }
}
