// Claims a company and runs its open jobs one at a time (I15, I16), until another company waits or the lane does not accept
// the next one (I26).
import { Injectable } from '@nestjs/common';
import { AppLogger } from '../../../foundation/logging/app-logger.js';
import { LeaseLost, type Ownership } from '../../runs/lease.js';
import type { CompanyTask } from '../../tasks/task-definition.js';
import type { ExportJob } from '../domain/export-job.js';
import type { Lane } from '../domain/lanes.js';
import type { CompanyLease } from '../stores/company-lease.repository.js';
import { CompanyOwnership } from '../stores/company-ownership.js';
import { ClaimNextJob } from './claim-next-job.js';
import { PostponeJob } from './postpone-job.js';
import { RunExportJob } from './run-export-job.js';
import { RunEndedEarly } from './run-interruptions.js';
import { WakeCompany } from './wake-company.js';

@Injectable()
export class ProcessCompanyQueue {
  constructor(
    private readonly companyOwnership: CompanyOwnership,
    private readonly claimNextJob: ClaimNextJob,
    private readonly runExportJob: RunExportJob,
    private readonly postponeJob: PostponeJob,
    private readonly wakeCompany: WakeCompany,
    private readonly appLogger: AppLogger,
  ) {}

  /** Returns at once when another worker owns the company: that worker runs the jobs, or the sweep wakes one again. */
  async processUntilIdle(task: CompanyTask, lane: Lane, stopping: AbortSignal): Promise<void> {
    const { installationId, companyId } = task;
    const owned = await this.processOwned(task, lane, stopping);
    if (owned?.result === 'has-more') {
      // Queued again only now, after the release: the next worker must find the company free.
      await this.wakeCompany.wakeIfDue(installationId, companyId);
    }
  }

  /** @returns undefined when another worker owns the company or has taken it over */
  private async processOwned(task: CompanyTask, lane: Lane, stopping: AbortSignal) {
    try {
      return await this.companyOwnership.whileExporting(task, stopping, (lease, ownership) =>
        this.processJobs(lease, lane, ownership),
      );
    } catch (error) {
      if (error instanceof LeaseLost) {
        return undefined;
      }
      throw error;
    }
  }

  /** @returns `has-more` when jobs are left for another lane, or for after other companies */
  private async processJobs(lease: CompanyLease, lane: Lane, ownership: Ownership): Promise<'has-more' | 'ended'> {
    const mustEnd = () => ownership.signal.aborted;
    for (let isFirst = true; !mustEnd(); isFirst = false) {
      const job = await this.claimNextJob.claimNext(lease, lane, isFirst);
      if (job === undefined) {
        return 'ended';
      }
      if (job === 'not-now') {
        return 'has-more';
      }
      await this.processOne(job, lease, ownership);
    }
    return 'ended';
  }

  private async processOne(job: ExportJob, lease: CompanyLease, ownership: Ownership): Promise<void> {
    const log = this.appLogger
      .of('exports')
      .child({ installationId: job.installationId, exportJobId: job.id, attempt: job.attempts });
    try {
      await this.runExportJob.runToVerdict({ claimed: job, lease, ownership });
      log.info('export_job.run_ended');
    } catch (error) {
      if (error instanceof LeaseLost || ownership.signal.aborted) {
        log.warn('export_job.requeued');
        return;
      }
      if (error instanceof RunEndedEarly) {
        log.info({ reason: error.message }, 'export_job.run_ended_early');
        return;
      }
      log.warn({ err: error }, 'export_job.postponed');
      await this.postponeJob.postponeOrExpire(job, lease, error);
    }
  }
}
