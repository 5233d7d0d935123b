// Takes an installation's due runs one after the other.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { AppLogger } from '../../foundation/logging/app-logger.js';
import type { InstallationId } from '../../kernel/ids.js';
import { ErpUnavailable } from '../erp/erp-ledger.js';
import { AuthorizationLost, isTransient } from '../platform/platform-error.js';
import { CountDiscrepancies } from './compare/count-discrepancies.js';
import type { RunLease } from './domain/reconciliation-run.js';
import { ReconciliationRunRepository, RunLeaseLost } from './reconciliation-run.repository.js';
import { RunPostponed, RunStopped } from './compare/reconciliation-scope.js';
import { countReconciliation } from './reconciliation.metrics.js';
import { ExecuteReconciliation } from './execute-reconciliation.js';

const MAX_ATTEMPTS = 20;
const FIRST_PAUSE_SECONDS = 15;
const MAX_PAUSE_SECONDS = 900;
const BUSY_PAUSE_SECONDS = 20;

@Injectable()
export class ProcessDueReconciliations {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly reconciliationRunRepository: ReconciliationRunRepository,
    private readonly countDiscrepancies: CountDiscrepancies,
    private readonly executeReconciliation: ExecuteReconciliation,
    private readonly appLogger: AppLogger,
  ) {}

  /** Returns at once when other workers have what is due. */
  async processDue(installationId: InstallationId, stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      const lease = await this.tenantDatabase.inInstallation('claim reconciliation', installationId, (tx) =>
        this.reconciliationRunRepository.claimNext(tx, installationId),
      );
      if (lease === undefined) {
        return;
      }
      try {
        await this.executeReconciliation.reconcile(lease, stopping);
        countReconciliation('completed');
        await this.logOverdue(installationId);
      } catch (error) {
        await this.handleFailure(error, lease);
      }
    }
  }

  /** What nobody has explained for too long is told each time, until somebody does. */
  private async logOverdue(installationId: InstallationId): Promise<void> {
    const { overdue, alertAfterDays } = await this.countDiscrepancies.countOpen(installationId);
    if (overdue > 0) {
      this.appLogger
        .of('reconciliation')
        .error({ installationId, overdue, alertAfterDays }, 'reconciliation.overdue_discrepancies');
    }
  }

  private async handleFailure(error: unknown, lease: RunLease): Promise<void> {
    const log = this.appLogger
      .of('reconciliation')
      .child({ installationId: lease.installationId, runId: lease.id });
    if (error instanceof RunLeaseLost) {
      log.warn({ err: error }, 'reconciliation.taken_over');
      return;
    }
    if (error instanceof RunStopped) {
      return this.release(lease, 0);
    }
    if (error instanceof RunPostponed) {
      return this.release(lease, BUSY_PAUSE_SECONDS);
    }
    if (error instanceof AuthorizationLost) {
      return this.fail(lease, NOT_CONNECTED);
    }
    const isUnanswered = error instanceof ErpUnavailable || isTransient(error);
    if (lease.attempts >= MAX_ATTEMPTS) {
      log.error({ err: error }, 'reconciliation.failed');
      return this.fail(lease, isUnanswered ? String(error) : INTERNAL_ERROR_TEXT);
    }
    const pause = Math.min(FIRST_PAUSE_SECONDS * 2 ** (lease.attempts - 1), MAX_PAUSE_SECONDS);
    log.warn({ err: error, pause }, 'reconciliation.interrupted');
    countReconciliation('interrupted');
    await this.release(lease, pause);
  }

  private async release(lease: RunLease, seconds: number): Promise<void> {
    await this.tenantDatabase.inInstallation('give reconciliation back', lease.installationId, (tx) =>
      this.reconciliationRunRepository.release(tx, lease, seconds),
    );
  }

  private async fail(lease: RunLease, failure: string): Promise<void> {
    countReconciliation('failed');
    await this.tenantDatabase.inInstallation('fail reconciliation', lease.installationId, (tx) =>
      this.reconciliationRunRepository.finish(tx, lease, failure),
    );
  }
}

const NOT_CONNECTED =
  'The platform does not accept the connection any more: an administrator has to connect again.';
const INTERNAL_ERROR_TEXT = 'Something went wrong in the connector: contact support with the id of this run.';
