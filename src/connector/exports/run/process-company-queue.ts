// Claims a company and works off its open jobs one at a time (invariants I15, I16), as long as no other company waits and
// they may be run on the place it was given (I26).
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppLogger } from '../../../foundation/logging/app-logger.js';
import { Clock } from '../../../kernel/clock.js';
import { ErpUnavailable } from '../../erp/erp-ledger.js';
import { PlatformApi } from '../../platform/platform-api.js';
import { PlatformRefusal } from '../../platform/platform-error.js';
import { LeaseLost, whileRenewed } from '../../runs/lease.js';
import { LEASE_SECONDS, type CompanyLease } from '../stores/company-lease.repository.js';
import { urgentBefore, pauseSeconds } from '../domain/deadline.js';
import type { ExportJob } from '../domain/export-job.js';
import { laneAccepts, type Lane } from '../domain/lanes.js';
import { EndJob } from './end-job.js';
import type { ProcessCompanyQueueTask } from '../exports.tasks.js';
import { RunExportJob } from './run-export-job.js';
import { Preempted } from './run-interruptions.js';
import { ExportStores } from '../stores/export-stores.js';
import { WatchRunningJob } from './watch-running-job.js';
import { WakeCompany } from './wake-company.js';

@Injectable()
export class ProcessCompanyQueue {
  constructor(
    private readonly exportStores: ExportStores,
    private readonly runExportJob: RunExportJob,
    private readonly watchRunningJob: WatchRunningJob,
    private readonly endJob: EndJob,
    private readonly platformApi: PlatformApi,
    private readonly wakeCompany: WakeCompany,
    private readonly clock: Clock,
    private readonly appLogger: AppLogger,
  ) {}

  /** Returns at once when another worker has the company: it will take the job, or the sweeper wakes us again. */
  async processUntilIdle(task: ProcessCompanyQueueTask, place: Lane, stopping: AbortSignal): Promise<void> {
    const { installationId, companyId } = task;
    const lease = await this.exportStores.inInstallation('claim company', installationId, (tx) =>
      this.exportStores.companyLeaseRepository.claim(tx, installationId, companyId, randomUUID()),
    );
    if (lease === undefined) {
      return;
    }
    const renew = () =>
      this.exportStores.inInstallation('renew lease', installationId, (tx) =>
        this.exportStores.companyLeaseRepository.renew(tx, lease),
      );
    const renewal = { lease, leaseSeconds: LEASE_SECONDS, subject: `company ${companyId}`, renew };
    let isLeft = false;
    try {
      isLeft = await whileRenewed(this.clock, renewal, stopping, (signal) =>
        this.processJobs(lease, place, signal),
      );
    } catch (error) {
      // The new owner goes on; there is nothing left to do here.
      if (!(error instanceof LeaseLost)) {
        throw error;
      }
    } finally {
      await this.exportStores.inInstallation('release company', installationId, (tx) =>
        this.exportStores.companyLeaseRepository.release(tx, lease),
      );
    }
    if (isLeft) {
      // Back to the end of the line, and only now: whoever takes it must find the company free.
      await this.exportStores.inInstallation('wake company', installationId, (tx) =>
        this.wakeCompany.wakeIfDue(tx, installationId, companyId),
      );
    }
  }

  /** @returns true when the company may have more to do: others wait, or its next job is for another place */
  private async processJobs(lease: CompanyLease, place: Lane, signal: AbortSignal): Promise<boolean> {
    const mustEnd = () => signal.aborted;
    while (!mustEnd()) {
      const job = await this.claimNextJob(lease, place);
      if (job === undefined || job === 'elsewhere') {
        return job === 'elsewhere';
      }
      await this.runOne(job, lease, signal);
      if (!mustEnd() && (await this.areOthersWaiting())) {
        return true;
      }
    }
    return false;
  }

  private async claimNextJob(lease: CompanyLease, place: Lane): Promise<ExportJob | 'elsewhere' | undefined> {
    const near = urgentBefore(this.platformApi.platformNow());
    return this.exportStores.fenced('take next job', lease, async (tx) => {
      const next = await this.exportStores.exportJobRepository.findNext(
        tx,
        lease.installationId,
        lease.companyId,
        near,
      );
      if (next === undefined) {
        return undefined;
      }
      return laneAccepts(place, next, near)
        ? this.exportStores.exportJobRepository.countAttempt(tx, next)
        : 'elsewhere';
    });
  }

  private async runOne(job: ExportJob, lease: CompanyLease, signal: AbortSignal): Promise<void> {
    const log = this.appLogger
      .of('exports')
      .child({ installationId: job.installationId, exportJobId: job.id, attempt: job.attempts });
    try {
      await this.runExportJob.runToVerdict(job, lease, signal);
      log.info('export_job.run_ended');
    } catch (error) {
      if (error instanceof LeaseLost || signal.aborted) {
        log.warn('export_job.requeued');
        return;
      }
      if (error instanceof Preempted) {
        log.info('export_job.preempted');
        return;
      }
      log.warn({ err: error }, 'export_job.postponed');
      await this.postpone(job, lease, error);
    }
  }

  /** A tenant with many jobs holds one of few places; after each job it lets others have it. */
  private async areOthersWaiting(): Promise<boolean> {
    const idle = await this.exportStores.acrossInstallations('do others wait', (tx) =>
      this.exportStores.companyLeaseRepository.findIdle(tx, 1),
    );
    return idle.length > 0;
  }

  /** A job that cannot go on now waits longer after each attempt; one whose hour is over ends here. */
  private async postpone(job: ExportJob, lease: CompanyLease, error: unknown): Promise<void> {
    // Our own reports prolong the hour, so the platform is asked before a job is given up as expired.
    if (
      !(await this.watchRunningJob.isOpen(job)) &&
      (await this.endJob.finishIfExpired(job, lease, this.platformApi.platformNow(), error))
    ) {
      return;
    }
    const seconds = pauseSeconds(
      job.attempts,
      retryAfterSeconds(error),
      job.expiresAt,
      this.platformApi.platformNow(),
    );
    await this.exportStores.fenced('postpone job', lease, async (tx) => {
      await this.exportStores.exportJobRepository.postpone(tx, job, seconds);
    });
  }
}

/** What whoever could not go on, platform or ERP, has asked for in its `Retry-After`. */
function retryAfterSeconds(error: unknown): number {
  const asked =
    error instanceof PlatformRefusal
      ? error.retryAfterMs
      : error instanceof ErpUnavailable
        ? error.failure.retryAfterMs
        : undefined;
  return (asked ?? 0) / 1_000;
}
