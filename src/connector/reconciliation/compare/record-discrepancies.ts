// Records the discrepancies that a run has found or repaired, in one transaction with the run's counts.
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { AppLogger } from '../../../foundation/logging/app-logger.js';
import { CLASSES_OF_BOOKS } from '../domain/discrepancy-class.js';
import { DiscrepancyRepository, type SeenDiscrepancy } from './discrepancy.repository.js';
import { ReconciliationRunRepository } from '../reconciliation-run.repository.js';
import type { ReconciliationScope } from './load-reconciliation-scope.js';

export type NewDiscrepancy = Omit<SeenDiscrepancy, 'id'>;

@Injectable()
export class RecordDiscrepancies {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly discrepancyRepository: DiscrepancyRepository,
    private readonly reconciliationRunRepository: ReconciliationRunRepository,
    private readonly appLogger: AppLogger,
  ) {}

  /**
   * Of entries whose ERP cannot be verified for now, what the ERP would have to show: it has not gone, and keeps its age.
   * @param entries of the job
   */
  async keepUnverifiable({ run }: ReconciliationScope, jobId: string, entries: readonly string[]): Promise<void> {
    if (entries.length > 0) {
      await this.tenantDatabase.writeOnce('keep discrepancies', run.installationId, (tx) =>
        this.discrepancyRepository.keepOpen(tx, run, jobId, entries, CLASSES_OF_BOOKS),
      );
    }
  }

  /** @throws LeaseLost, and then nothing is written */
  async record({ run }: ReconciliationScope, found: readonly NewDiscrepancy[]): Promise<void> {
    if (found.length === 0) {
      return;
    }
    const repaired = found.filter(({ repairedAs }) => repairedAs !== undefined).length;
    await this.tenantDatabase.inInstallation('write discrepancies', run.installationId, async (tx) => {
      await this.reconciliationRunRepository.advance(tx, run, { discrepancies: found.length, repaired });
      const seen = found.map((each) => ({ ...each, id: randomUUID() }));
      await this.discrepancyRepository.recordSeen(tx, run, seen);
    });
    const { installationId } = run;
    for (const { class: discrepancyClass, subject, repairedAs } of found) {
      this.appLogger
        .of('reconciliation')
        .warn({ installationId, discrepancyClass, subject, repairedAs }, 'reconciliation.discrepancy');
    }
  }
}
