// Before an uninstall, gives open jobs a verdict while the credentials are still valid.
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { withTimeout } from '../../../foundation/clock/with-timeout.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { AppLogger } from '../../../foundation/logging/app-logger.js';
import { Clock } from '../../../kernel/clock.js';
import type { CompanyId, InstallationId } from '../../../kernel/ids.js';
import { message } from '../../../kernel/message.js';
import { assertUntilEnd, LeaseLost, type Ownership } from '../../runs/lease.js';
import type { ExportJob } from '../domain/export-job.js';
import { failedVerdict } from '../domain/verdict.js';
import { CompanyLeaseRepository, LEASE_SECONDS, type CompanyLease } from '../stores/company-lease.repository.js';
import { ExportJobRepository } from '../stores/export-job.repository.js';
import { RunExportJob } from './run-export-job.js';

/** An uninstall takes half a minute at most (I32); most of it is needed for the steps after this one. */
const LIMIT_MS = 10_000;
/** The owner notices a requested release at its next renewal, a quarter of a lease away at most. */
const CLAIM_PAUSE_MS = 200;
/** A company usually has one open job. */
const MAX_JOBS = 20;

const UNINSTALLED = failedVerdict('authorization_failure', message('reason.job.uninstalled'));

@Injectable()
export class EndOpenJobs {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly companyLeaseRepository: CompanyLeaseRepository,
    private readonly exportJobRepository: ExportJobRepository,
    private readonly runExportJob: RunExportJob,
    private readonly clock: Clock,
    private readonly appLogger: AppLogger,
  ) {}

  /**
   * Takes at most ten seconds, whatever platform and ERP do: a job whose verdict could not be sent expires on the platform.
   * Posted items are reported as posted.
   */
  async endBeforeUninstall(installationId: InstallationId, companyId: CompanyId): Promise<void> {
    const over = new AbortController();
    try {
      await withTimeout(LIMIT_MS, 'ending open jobs', this.endAll(installationId, companyId, over.signal));
    } catch (error) {
      this.appLogger.of('exports').warn({ err: error, installationId }, 'export_job.not_ended');
    } finally {
      over.abort();
    }
  }

  private async endAll(installationId: InstallationId, companyId: CompanyId, over: AbortSignal): Promise<void> {
    const findOpen = () =>
      this.tenantDatabase.readOnce('find open jobs', installationId, (tx) =>
        this.exportJobRepository.findOpen(tx, installationId, companyId, MAX_JOBS),
      );
    if ((await findOpen()).length === 0) {
      return;
    }
    const { lease, assertOwner } = await this.claimCompany(installationId, companyId, over);
    try {
      // Read again: the previous owner may have ended some.
      for (const job of await findOpen()) {
        await this.endOne(job, lease, { signal: over, assertOwner });
      }
    } finally {
      await this.tenantDatabase.writeOnce('release company', installationId, (tx) =>
        this.companyLeaseRepository.release(tx, lease),
      );
    }
  }

  /** What keeps one job from its verdict need not keep the others. @throws LeaseLost; whatever ends it when the time is over */
  private async endOne(job: ExportJob, lease: CompanyLease, ownership: Ownership): Promise<void> {
    try {
      await this.runExportJob.runToVerdict({ claimed: job, lease, ownership, forcedVerdict: UNINSTALLED });
    } catch (error) {
      if (ownership.signal.aborted || error instanceof LeaseLost) {
        throw error;
      }
      const { installationId, id: exportJobId } = job;
      this.appLogger.of('exports').warn({ err: error, installationId, exportJobId }, 'export_job.not_ended');
    }
  }

  /** @throws the signal's reason when the owner has not released the company by then */
  private async claimCompany(installationId: InstallationId, companyId: CompanyId, over: AbortSignal) {
    for (;;) {
      const claimedAtMs = this.clock.monotonicMs();
      const lease = await this.tenantDatabase.inInstallation('request company', installationId, async (tx) => {
        await this.companyLeaseRepository.requestRelease(tx, installationId, companyId);
        return this.companyLeaseRepository.claim(tx, installationId, companyId, randomUUID());
      });
      if (lease !== undefined) {
        return { lease, assertOwner: assertUntilEnd(this.clock, lease, LEASE_SECONDS, claimedAtMs) };
      }
      await this.clock.sleep(CLAIM_PAUSE_MS, over);
    }
  }
}
