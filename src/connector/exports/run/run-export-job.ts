// One export job from claim to verdict. Each step reads the state before it acts, so the run can end anywhere and the
// next one goes on from there (README, "One export, in a straight line").
import { Injectable } from '@nestjs/common';
import { InstallationsService } from '../../installations/installations.service.js';
import { PlatformApi } from '../../platform/platform-api.js';
import { PlatformRefusal } from '../../platform/platform-error.js';
import type { PlatformExportJob } from '../../platform/platform.schema.js';
import { LeaseLost } from '../../runs/lease.js';
import type { CompanyLease } from '../stores/company-lease.repository.js';
import type { ExportJob } from '../domain/export-job.js';
import { EndJob } from './end-job.js';
import type { FailedVerdict } from './fail-unfinished-items.js';
import { WatchRunningJob } from './watch-running-job.js';
import { JobDeadline } from './job-deadline.js';
import { JobSteps } from './job-steps.js';
import { hasEnded } from './platform-job.js';
import { JobClosed, Preempted } from './run-interruptions.js';

@Injectable()
export class RunExportJob {
  constructor(
    private readonly platformApi: PlatformApi,
    private readonly installationsService: InstallationsService,
    private readonly jobSteps: JobSteps,
    private readonly endJob: EndJob,
    private readonly watchRunningJob: WatchRunningJob,
  ) {}

  /**
   * @param signal fires when the lease is lost or the process stops
   * @throws ErpUnavailable, PlatformRefusal, NoResponse, AuthorizationLost, LeaseLost: the job stays open for another run;
   *   Preempted when another job of the company has to come first
   */
  async runToVerdict(found: ExportJob, lease: CompanyLease, signal: AbortSignal): Promise<void> {
    // 1. What the platform says of the job now; its clock is the one that counts.
    const platformJob = await this.fetchPlatformJob(found);
    if (platformJob === undefined || hasEnded(platformJob)) {
      await this.endJob.finishClosedByPlatform(found, lease, platformJob);
      return;
    }
    const deadline = new JobDeadline(found.expiresAt);
    await this.watchRunningJob.confirmDeadline(found, deadline, lease, platformJob);
    const ended = new AbortController();
    const way = new AbortController();
    const following = this.watchRunningJob.watchUntilEnded(found, deadline, lease, ended.signal, way);
    try {
      const stopping = AbortSignal.any([signal, way.signal]);
      await this.driveToVerdict(found, deadline, platformJob.status, lease, (job) =>
        this.executeSteps(job, lease, stopping),
      );
    } catch (error) {
      if (way.signal.aborted && !(error instanceof LeaseLost)) {
        throw new Preempted(`export job ${found.id} makes way for one that is nearer to its end`, {
          cause: error,
        });
      }
      throw error;
    } finally {
      ended.abort();
      await following;
    }
  }

  /**
   * Ends a job for a reason that has nothing to do with it; what is or may be posted is reported as it is.
   * @throws as `run`
   */
  async failWithVerdict(found: ExportJob, lease: CompanyLease, verdict: FailedVerdict): Promise<void> {
    const platformJob = await this.fetchPlatformJob(found);
    if (platformJob === undefined || hasEnded(platformJob)) {
      await this.endJob.finishClosedByPlatform(found, lease, platformJob);
      return;
    }
    const deadline = new JobDeadline(found.expiresAt);
    await this.watchRunningJob.confirmDeadline(found, deadline, lease, platformJob);
    await this.driveToVerdict(found, deadline, platformJob.status, lease, (job) =>
      this.jobSteps.failUnfinishedItems.failJob(job, lease, verdict),
    );
  }

  private async driveToVerdict(
    found: ExportJob,
    deadline: JobDeadline,
    platformStatus: string,
    lease: CompanyLease,
    work: (running: ExportJob) => Promise<void>,
  ): Promise<void> {
    const job = deadline.of(found);
    try {
      // 2. What an earlier run had decided to say but could not deliver.
      await this.jobSteps.relayOutbox.deliverAll(job, lease);
      const running =
        job.state === 'detected'
          ? deadline.of(await this.jobSteps.startJob.startOrResume(job, lease, platformStatus))
          : job;
      if (running.state === 'running') {
        // What was said just now has moved the end; a late beginning has a full hour if the platform confirms it.
        await this.watchRunningJob.refreshDeadlineIfNear(running, deadline, lease);
        await work(running);
      }
      // 6. Exactly one final event, then nothing more.
      await this.jobSteps.relayOutbox.deliverAll(running, lease);
      await this.endJob.finishDelivered(running, lease);
    } catch (error) {
      if (!(error instanceof JobClosed)) {
        throw error;
      }
      const current = await this.fetchPlatformJob(job);
      if (current !== undefined && !hasEnded(current)) {
        // The platform refused one thing and keeps the job open: no end, but no way on for now either.
        throw error.cause;
      }
      await this.endJob.finishClosedByPlatform(job, lease, current);
    }
  }

  private async executeSteps(job: ExportJob, lease: CompanyLease, signal: AbortSignal): Promise<void> {
    // 3. Pre-export checks: configuration, ERP, company. A job that fails them gets its verdict at once.
    const checked = await this.jobSteps.checkJob.checkBeforeExport(
      job,
      lease,
      signal,
      this.platformApi.platformNow(),
    );
    if (checked.outcome === 'refused') {
      await this.jobSteps.failUnfinishedItems.failJob(job, lease, checked.verdict);
      return;
    }
    // 4. Items and their data, page by page: plan, intents, post, record, report.
    const ended = await this.jobSteps.processJobItems.processAll(checked.run);
    if (ended !== undefined) {
      await this.jobSteps.failUnfinishedItems.failJob(job, lease, ended);
      return;
    }
    // 5. Every item has a result: decide the verdict.
    await this.jobSteps.decideVerdict.decideFromItems(job, lease);
  }

  /** @returns false as well when the platform cannot be asked */
  async isOpen(job: ExportJob): Promise<boolean> {
    const platformJob = await this.fetchPlatformJob(job).catch(() => undefined);
    return platformJob !== undefined && !hasEnded(platformJob);
  }

  private async fetchPlatformJob(job: ExportJob): Promise<PlatformExportJob | undefined> {
    try {
      return await this.platformApi.getExportJob(
        this.installationsService.authorization(job.installationId),
        job.id,
      );
    } catch (error) {
      if (error instanceof PlatformRefusal && error.status === 404) {
        return undefined;
      }
      throw error;
    }
  }
}
