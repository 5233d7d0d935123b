// The run of a period: its jobs in the order of the platform, then the platform's jobs and the ERP's entries without a record.
import { Injectable } from '@nestjs/common';
import { ExportRecordReader } from '../../exports/stores/export-record.reader.js';
import { RunStopped } from '../../runs/run-interruptions.js';
import { AdvanceRun } from '../advance-run.js';
import { CertifyJob } from '../certificates/certify-job.js';
import type { RunProgress } from '../domain/reconciliation-run.js';
import { CompareJob } from './compare-job.js';
import { FindOrphans } from './find-orphans.js';
import { FindUnknownJobs } from './find-unknown-jobs.js';
import type { ReconciliationScope } from './load-reconciliation-scope.js';

const JOBS_AT_ONCE = 50;

@Injectable()
export class ComparePeriod {
  constructor(
    private readonly exportRecordReader: ExportRecordReader,
    private readonly compareJob: CompareJob,
    private readonly certifyJob: CertifyJob,
    private readonly findUnknownJobs: FindUnknownJobs,
    private readonly findOrphans: FindOrphans,
    private readonly advanceRun: AdvanceRun,
  ) {}

  /**
   * Goes on after the last job, or ERP page, that an earlier attempt has recorded.
   * @throws RunPostponed, RunStopped, LeaseLost, ErpUnavailable, PlatformRefusal, NoResponse
   */
  async comparePeriod(scope: ReconciliationScope): Promise<void> {
    let { progress } = scope.run;
    if (progress.jobsDone !== true) {
      progress = await this.compareJobs(scope, progress);
    }
    if (progress.platformDone !== true) {
      await this.findUnknownJobs.findUnknownJobs(scope);
      progress = { ...progress, platformDone: true };
      await this.advanceRun.advance(scope.run, {}, progress);
    }
    await this.findOrphans.findOrphans(scope, progress);
  }

  private async compareJobs(scope: ReconciliationScope, begun: RunProgress): Promise<RunProgress> {
    const { installationId, companyId, period } = scope.run;
    let progress = begun;
    for (;;) {
      const { afterJob } = progress;
      const after = afterJob && { createdAt: new Date(afterJob.createdAt), id: afterJob.id };
      const page = await this.exportRecordReader.jobs(installationId, companyId, period, after, JOBS_AT_ONCE);
      if (page.length === 0) {
        progress = { ...progress, jobsDone: true };
        await this.advanceRun.advance(scope.run, {}, progress);
        return progress;
      }
      for (const job of page) {
        if (scope.stopping.aborted) {
          throw new RunStopped('the worker stops');
        }
        await this.compareJob.compare(scope, job);
        // Its own run has failed or was never requested; one that is too early is certified by the next run.
        await this.certifyJob.certify(scope, job);
        progress = { afterJob: { createdAt: job.createdAt.toISOString(), id: job.id } };
        await this.advanceRun.advance(scope.run, { jobs: 1 }, progress);
      }
    }
  }
}
