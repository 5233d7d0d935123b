// One run: the jobs of the period one after the other, then what the platform and the ERP have that we do not.
import { Injectable } from '@nestjs/common';
import type { Ownership } from '../runs/lease.js';
import { ComparePeriod } from './compare/compare-period.js';
import { CompareSingleJob } from './compare/compare-single-job.js';
import { LoadReconciliationScope } from './compare/load-reconciliation-scope.js';
import { ResumeReversals } from './compare/resume-reversals.js';
import type { ReconciliationLease } from './domain/reconciliation-run.js';
import { FinishRun } from './finish-run.js';

@Injectable()
export class ExecuteReconciliation {
  constructor(
    private readonly loadReconciliationScope: LoadReconciliationScope,
    private readonly resumeReversals: ResumeReversals,
    private readonly comparePeriod: ComparePeriod,
    private readonly compareSingleJob: CompareSingleJob,
    private readonly finishRun: FinishRun,
  ) {}

  /**
   * Goes on where an earlier attempt was. A job that was compared for the first time since it ended is certified then.
   * @throws RunPostponed, RunStopped, LeaseLost, ErpUnavailable, PlatformRefusal, NoResponse, AuthorizationLost
   */
  async reconcile(run: ReconciliationLease, ownership: Ownership): Promise<void> {
    const scope = await this.loadReconciliationScope.load(run, ownership);
    await this.resumeReversals.resumeBegun(scope);
    if (run.exportJobId === undefined) {
      await this.comparePeriod.comparePeriod(scope);
    } else {
      await this.compareSingleJob.compareAndCertify(scope, run.exportJobId);
    }
    await this.finishRun.finish(run);
  }
}
