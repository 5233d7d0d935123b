import { Injectable } from '@nestjs/common';
import type { Ownership } from '../runs/lease.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { AppLogger } from '../../foundation/logging/app-logger.js';
import type { InstallationId } from '../../kernel/ids.js';
import { message, toStoredText } from '../../kernel/message.js';
import { ErpUnavailable } from '../erp/erp-ledger.js';
import { AuthorizationLost, isTransient } from '../platform/platform-error.js';
import { ProcessDueRuns, type RunFeature } from '../runs/process-due-runs.js';
import { CountDiscrepancies } from './compare/count-discrepancies.js';
import type { ReconciliationLease } from './domain/reconciliation-run.js';
import { ExecuteReconciliation } from './execute-reconciliation.js';
import { ReconciliationRunRepository } from './reconciliation-run.repository.js';
import { countReconciliation } from './reconciliation.metrics.js';

@Injectable()
export class ProcessDueReconciliations implements RunFeature<ReconciliationLease, void> {
  readonly part = 'reconciliation';
  readonly name = 'reconciliation';

  constructor(
    private readonly tenantDatabase: TenantDatabase,
    readonly repository: ReconciliationRunRepository,
    private readonly countDiscrepancies: CountDiscrepancies,
    private readonly executeReconciliation: ExecuteReconciliation,
    private readonly processDueRuns: ProcessDueRuns,
    private readonly appLogger: AppLogger,
  ) {}

  /**
   * Takes an installation's due runs one after the other.
   * @param stopping fires when the process stops
   */
  async processDue(installationId: InstallationId, stopping: AbortSignal): Promise<void> {
    await this.processDueRuns.processDue(this, installationId, stopping);
  }

  async executeRun(run: ReconciliationLease, ownership: Ownership): Promise<void> {
    await this.executeReconciliation.reconcile(run, ownership);
  }

  /** The run has ended itself, in the transaction of its last writes. An overdue discrepancy is logged by each run. */
  async complete({ installationId }: ReconciliationLease): Promise<void> {
    countReconciliation('completed');
    const { overdue, alertAfterDays } = await this.countDiscrepancies.countOpen(installationId);
    if (overdue > 0) {
      this.appLogger
        .of('reconciliation')
        .error({ installationId, overdue, alertAfterDays }, 'reconciliation.overdue_discrepancies');
    }
  }

  async fail(run: ReconciliationLease, failure: string): Promise<void> {
    countReconciliation('failed');
    await this.tenantDatabase.inInstallation('fail reconciliation', run.installationId, (tx) =>
      this.repository.finish(tx, run, failure),
    );
  }

  failureOf(error: unknown): string | undefined {
    return error instanceof AuthorizationLost
      ? toStoredText(message('reconciliation.failure.not-connected'))
      : undefined;
  }

  finalFailureOf(error: unknown): string {
    const isUnreachable = error instanceof ErpUnavailable || isTransient(error);
    return toStoredText(message(`reconciliation.failure.${isUnreachable ? 'unreachable' : 'internal'}`));
  }

  recordInterruption(): void {
    countReconciliation('interrupted');
  }
}
