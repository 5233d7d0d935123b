// Takes an installation's due runs one after the other.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { AppLogger } from '../../foundation/logging/app-logger.js';
import type { InstallationId } from '../../kernel/ids.js';
import { ErpUnavailable } from '../erp/erp-ledger.js';
import { AuthorizationLost, isTransient } from '../platform/platform-error.js';
import { CountDifferences } from './compare/count-differences.js';
import type { RunLease } from './domain/reconciliation-run.js';
import { ReconciliationRunRepository, RunTakenOver } from './reconciliation-run.repository.js';
import { RunMustWait, RunStopped } from './compare/reconciliation-scope.js';
import { countReconciliation } from './reconciliation.metrics.js';
import { RunReconciliation } from './run-reconciliation.js';

const MOST_ATTEMPTS = 20;
const FIRST_PAUSE_SECONDS = 15;
const LONGEST_PAUSE_SECONDS = 900;
const BUSY_PAUSE_SECONDS = 20;

@Injectable()
export class RunReconciliations {
  constructor(
    private readonly database: TenantDatabase,
    private readonly runs: ReconciliationRunRepository,
    private readonly counting: CountDifferences,
    private readonly one: RunReconciliation,
    private readonly logger: AppLogger,
  ) {}

  /** Returns at once when other workers have what is due. */
  async run(installationId: InstallationId, stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      const lease = await this.database.inInstallation('claim reconciliation', installationId, (tx) =>
        this.runs.claimNext(tx, installationId),
      );
      if (lease === undefined) {
        return;
      }
      try {
        await this.one.run(lease, stopping);
        countReconciliation('completed');
        await this.alert(installationId);
      } catch (error) {
        await this.handle(error, lease);
      }
    }
  }

  /** What nobody has explained for too long is told each time, until somebody does. */
  private async alert(installationId: InstallationId): Promise<void> {
    const { overdue, alertAfterDays } = await this.counting.run(installationId);
    if (overdue > 0) {
      this.logger
        .of('reconciliation')
        .error({ installationId, overdue, alertAfterDays }, 'reconciliation.overdue_differences');
    }
  }

  private async handle(error: unknown, lease: RunLease): Promise<void> {
    const log = this.logger
      .of('reconciliation')
      .child({ installationId: lease.installationId, runId: lease.id });
    if (error instanceof RunTakenOver) {
      log.warn({ err: error }, 'reconciliation.taken_over');
      return;
    }
    if (error instanceof RunStopped) {
      return this.giveBack(lease, 0);
    }
    if (error instanceof RunMustWait) {
      return this.giveBack(lease, BUSY_PAUSE_SECONDS);
    }
    if (error instanceof AuthorizationLost) {
      return this.fail(lease, NOT_CONNECTED);
    }
    const isUnanswered = error instanceof ErpUnavailable || isTransient(error);
    if (lease.attempts >= MOST_ATTEMPTS) {
      log.error({ err: error }, 'reconciliation.failed');
      return this.fail(lease, isUnanswered ? String(error) : OUR_FAULT);
    }
    const pause = Math.min(FIRST_PAUSE_SECONDS * 2 ** (lease.attempts - 1), LONGEST_PAUSE_SECONDS);
    log.warn({ err: error, pause }, 'reconciliation.interrupted');
    countReconciliation('interrupted');
    await this.giveBack(lease, pause);
  }

  private async giveBack(lease: RunLease, seconds: number): Promise<void> {
    await this.database.inInstallation('give reconciliation back', lease.installationId, (tx) =>
      this.runs.giveBack(tx, lease, seconds),
    );
  }

  private async fail(lease: RunLease, failure: string): Promise<void> {
    countReconciliation('failed');
    await this.database.inInstallation('fail reconciliation', lease.installationId, (tx) =>
      this.runs.finish(tx, lease, failure),
    );
  }
}

const NOT_CONNECTED =
  'The platform does not accept the connection any more: an administrator has to connect again.';
const OUR_FAULT = 'Something went wrong in the connector: contact support with the id of this run.';
