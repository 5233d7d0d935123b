// Claims a company and works off its open jobs, oldest first, one at a time (invariants I15, I16).
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppLogger } from '../../foundation/logging/app-logger.js';
import { Clock } from '../../kernel/clock.js';
import { PlatformApi } from '../platform/platform-api.js';
import { PlatformRefusal } from '../platform/platform-error.js';
import { LEASE_SECONDS, LeaseLost, type CompanyLease } from './company-lease.repository.js';
import type { ExportJob } from './domain/export-job.js';
import { EndJob } from './end-job.js';
import type { RunExportJobsTask } from './exports.tasks.js';
import { RunExportJob } from './run-export-job.js';
import { ExportStores } from './export-stores.js';

const RENEW_MS = (LEASE_SECONDS * 1_000) / 4;
const LONGEST_PAUSE_SECONDS = 60;

@Injectable()
export class RunExportJobs {
  constructor(
    private readonly stores: ExportStores,
    private readonly one: RunExportJob,
    private readonly end: EndJob,
    private readonly platform: PlatformApi,
    private readonly clock: Clock,
    private readonly logger: AppLogger,
  ) {}

  /** Returns at once when another worker has the company: it will take the job, or the sweeper wakes us again. */
  async run({ installationId, companyId }: RunExportJobsTask, stopping: AbortSignal): Promise<void> {
    const lease = await this.stores.open('claim company', installationId, (tx) =>
      this.stores.leases.claim(tx, installationId, companyId, randomUUID()),
    );
    if (lease === undefined) {
      return;
    }
    const ended = new AbortController();
    const lost = new AbortController();
    const renewal = this.keep(lease, ended.signal, lost);
    try {
      await this.workOff(lease, AbortSignal.any([stopping, lost.signal]));
    } catch (error) {
      // The new owner goes on; there is nothing left to do here.
      if (!(error instanceof LeaseLost)) {
        throw error;
      }
    } finally {
      ended.abort();
      await renewal;
      await this.stores.open('release company', installationId, (tx) =>
        this.stores.leases.release(tx, lease),
      );
    }
  }

  private async workOff(lease: CompanyLease, signal: AbortSignal): Promise<void> {
    const mustEnd = () => signal.aborted;
    while (!mustEnd()) {
      const job = await this.stores.fenced('take oldest job', lease, (tx) =>
        this.stores.jobs.takeOldestOpen(tx, lease.installationId, lease.companyId),
      );
      if (job === undefined) {
        return;
      }
      const log = this.logger
        .of('exports')
        .child({ installationId: job.installationId, exportJobId: job.id, attempt: job.attempts });
      try {
        await this.one.run(job, lease, signal);
        log.info('export_job.run_ended');
      } catch (error) {
        if (error instanceof LeaseLost || mustEnd()) {
          log.warn('export_job.handed_over');
          return;
        }
        log.warn({ err: error }, 'export_job.postponed');
        await this.postpone(job, lease, error);
      }
    }
  }

  /** A job that cannot go on now waits longer after each attempt; one whose hour is over ends here. */
  private async postpone(job: ExportJob, lease: CompanyLease, error: unknown): Promise<void> {
    // Our own reports prolong the hour, so the platform is asked before a job is given up as expired.
    if (!(await this.one.isOpen(job)) && (await this.end.expired(job, lease, this.platform.platformNow()))) {
      return;
    }
    const asked = error instanceof PlatformRefusal ? (error.retryAfterMs ?? 0) / 1_000 : 0;
    const seconds = Math.max(asked, Math.min(LONGEST_PAUSE_SECONDS, 2 ** Math.min(job.attempts, 6)));
    await this.stores.fenced('postpone job', lease, async (tx) => {
      await this.stores.jobs.postpone(tx, job, seconds);
    });
  }

  /** Renews the lease until `ended`; says `lost` when it was taken over or cannot be renewed. */
  private async keep(lease: CompanyLease, ended: AbortSignal, lost: AbortController): Promise<void> {
    for (;;) {
      await this.clock.sleep(RENEW_MS, ended).catch(() => undefined);
      if (ended.aborted) {
        return;
      }
      const renewed = await this.stores
        .open('renew lease', lease.installationId, (tx) => this.stores.leases.renew(tx, lease))
        .catch(() => false);
      if (!renewed) {
        lost.abort(new LeaseLost(`the lease on company ${lease.companyId} could not be renewed`));
        return;
      }
    }
  }
}
