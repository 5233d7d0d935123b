// One export job, from its claim to its verdict. Each step reads the state before it acts, so a run can end anywhere and
// the next one resumes there (docs/architecture.md, "One export, in a straight line").
import { Injectable } from '@nestjs/common';
import { inSpan } from '../../../foundation/tracing/tracing.js';
import { LeaseLost, type Ownership } from '../../runs/lease.js';
import { ProcessJobItems } from '../items/process-job-items.js';
import type { CompanyLease } from '../stores/company-lease.repository.js';
import type { ExportJob } from '../domain/export-job.js';
import type { FailedVerdict } from '../domain/verdict.js';
import type { OutboxMessage } from '../reporting/outbox.repository.js';
import { CheckJob } from './check-job.js';
import { DecideVerdict } from './decide-verdict.js';
import { EndJob } from './end-job.js';
import { JobDeadline } from './job-deadline.js';
import { lateVerdict } from './late-verdict.js';
import { hasEnded } from './platform-job.js';
import { JobClosed, RunEndedEarly } from './run-interruptions.js';
import { StartJob, type StartedJob } from './start-job.js';
import { WatchRunningJob } from './watch-running-job.js';

/** What is run, and by which right. */
export interface ClaimedJob {
  /** As its row was when the company was claimed. */
  readonly claimed: ExportJob;
  readonly lease: CompanyLease;
  readonly ownership: Ownership;
  /** Fails the job for an outside reason; items that are or may be posted are still reported as such. */
  readonly forcedVerdict?: FailedVerdict;
}

@Injectable()
export class RunExportJob {
  constructor(
    private readonly watchRunningJob: WatchRunningJob,
    private readonly startJob: StartJob,
    private readonly checkJob: CheckJob,
    private readonly processJobItems: ProcessJobItems,
    private readonly decideVerdict: DecideVerdict,
    private readonly endJob: EndJob,
  ) {}

  /**
   * @throws ErpUnavailable, PlatformRefusal, NoResponse, AuthorizationLost, LeaseLost: the job stays open for another run;
   *   RunEndedEarly when a more urgent job, a paused customer or a lost authorization ends the run
   */
  async runToVerdict(run: ClaimedJob): Promise<void> {
    const { id, installationId, attempts } = run.claimed;
    const attributes = { 'export_job.id': id, 'installation.id': installationId, 'export_job.attempt': attempts };
    await inSpan('export job', { about: { exportJobId: id }, attributes }, () => this.runWatched(run));
  }

  private async runWatched(run: ClaimedJob): Promise<void> {
    const { claimed, lease, ownership } = run;
    // 1. The job on the platform: its state and its end, by the platform's clock.
    const deadline = new JobDeadline(claimed.expiresAt);
    const platformJob = await this.watchRunningJob.confirmJob(claimed, deadline, lease);
    if (platformJob === undefined || hasEnded(platformJob)) {
      await this.endJob.finishClosedByPlatform(claimed, lease, platformJob);
      return;
    }
    const watch = this.watchRunningJob.begin(claimed, deadline, lease);
    try {
      const stopping = AbortSignal.any([ownership.signal, watch.mustEndEarly]);
      const stoppable = { ...run, ownership: { ...ownership, signal: stopping } };
      await this.driveToVerdict(stoppable, deadline, platformJob.status);
    } catch (error) {
      if (watch.mustEndEarly.aborted && !(error instanceof LeaseLost)) {
        throw new RunEndedEarly(`the run of export job ${claimed.id} had to end`, { cause: error });
      }
      throw error;
    } finally {
      await watch.stop();
    }
  }

  private async driveToVerdict(run: ClaimedJob, deadline: JobDeadline, platformStatus: string): Promise<void> {
    const { claimed, lease } = run;
    const found = deadline.withLiveDeadline(claimed);
    try {
      // 2. `started`, or of a job that was started before what its earlier run could not deliver.
      const started = await this.startJob.startOrDeliver(found, lease, platformStatus);
      const job = deadline.withLiveDeadline(started.job);
      let verdict: OutboxMessage | undefined;
      if (job.state === 'running') {
        // Each delivery moves the end: a job that started late has a full hour once the platform confirms it.
        await this.watchRunningJob.refreshDeadlineIfNear(job, deadline, lease);
        const isFirstRun = platformStatus === 'pending';
        const failure = run.forcedVerdict ?? (await this.exportOrGiveUp({ ...started, job }, run, isFirstRun));
        // 5. A result for every item that has none yet, and the verdict.
        verdict = await this.decideVerdict.decide(job, lease, failure);
      }
      // 6. Exactly one final event, then nothing more.
      await this.endJob.deliverVerdict(job, lease, verdict);
    } catch (error) {
      if (!(error instanceof JobClosed)) {
        throw error;
      }
      if (!(await this.endJob.finishIfClosed(found, lease))) {
        // The platform refused one request and keeps the job open: this run cannot continue, a later one may.
        throw error.cause instanceof Error ? error.cause : error;
      }
    }
  }

  /** What stops a run once no ERP write may start is the job's verdict: a later run would meet it again, until the job expires. */
  private async exportOrGiveUp(
    started: StartedJob,
    run: ClaimedJob,
    isFirstRun: boolean,
  ): Promise<FailedVerdict | undefined> {
    const { job } = started;
    try {
      return await this.exportItems(started, run, isFirstRun);
    } catch (error) {
      if (run.ownership.signal.aborted || this.watchRunningJob.hasTimeToPost(job)) {
        throw error;
      }
      const isOpen = error instanceof JobClosed && !(await this.endJob.finishIfClosed(job, run.lease));
      const verdict = lateVerdict(isOpen ? error.cause : error);
      if (verdict === undefined) {
        throw error;
      }
      return verdict;
    }
  }

  /** @returns a verdict when the job must end without the rest of its items; undefined when every item has a result */
  private async exportItems(
    started: StartedJob,
    { lease, ownership }: ClaimedJob,
    isFirstRun: boolean,
  ): Promise<FailedVerdict | undefined> {
    // 3. Pre-export checks: configuration, ERP, company.
    const checked = await this.checkJob.checkBeforeExport(started, lease, ownership);
    if (checked.outcome === 'refused') {
      return checked.verdict;
    }
    // 4. Items and their data, page by page: plan, intents, post, record, report.
    return this.processJobItems.processAll(checked.run, isFirstRun);
  }
}
