// One export job from claim to verdict. Each step reads the state before it acts, so the run can end anywhere and the
// next one goes on from there (README, "One export, in a straight line").
import { Injectable } from '@nestjs/common';
import { InstallationsService } from '../../installations/installations.service.js';
import { PlatformApi } from '../../platform/platform-api.js';
import { PlatformRefusal } from '../../platform/platform-error.js';
import type { PlatformExportJob } from '../../platform/platform.schema.js';
import { LeaseLost, type CompanyLease } from '../stores/company-lease.repository.js';
import type { ExportJob } from '../domain/export-job.js';
import { EndJob } from './end-job.js';
import type { FailedVerdict } from './give-up.js';
import { FollowJob } from './follow-job.js';
import { JobDeadline } from './job-deadline.js';
import { JobSteps } from './job-steps.js';
import { hasEnded } from './platform-job.js';
import { JobClosed, MadeWay } from './run-ends.js';

@Injectable()
export class RunExportJob {
  constructor(
    private readonly platform: PlatformApi,
    private readonly installations: InstallationsService,
    private readonly steps: JobSteps,
    private readonly end: EndJob,
    private readonly follow: FollowJob,
  ) {}

  /**
   * @param signal fires when the lease is lost or the process stops
   * @throws ErpUnavailable, PlatformRefusal, NoAnswer, AuthorizationLost, LeaseLost: the job stays open for another run;
   *   MadeWay when another job of the company has to come first
   */
  async run(found: ExportJob, lease: CompanyLease, signal: AbortSignal): Promise<void> {
    // 1. What the platform says of the job now; its clock is the one that counts.
    const platformJob = await this.lookAt(found);
    if (platformJob === undefined || hasEnded(platformJob)) {
      await this.end.closed(found, lease, platformJob);
      return;
    }
    const deadline = new JobDeadline(found.expiresAt);
    await this.follow.confirm(found, deadline, lease, platformJob);
    const ended = new AbortController();
    const way = new AbortController();
    const following = this.follow.run(found, deadline, lease, ended.signal, way);
    try {
      const stopping = AbortSignal.any([signal, way.signal]);
      await this.toVerdict(found, deadline, platformJob.status, lease, (job) =>
        this.work(job, lease, stopping),
      );
    } catch (error) {
      if (way.signal.aborted && !(error instanceof LeaseLost)) {
        throw new MadeWay(`export job ${found.id} makes way for one that is nearer to its end`, {
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
  async refuse(found: ExportJob, lease: CompanyLease, verdict: FailedVerdict): Promise<void> {
    const platformJob = await this.lookAt(found);
    if (platformJob === undefined || hasEnded(platformJob)) {
      await this.end.closed(found, lease, platformJob);
      return;
    }
    const deadline = new JobDeadline(found.expiresAt);
    await this.follow.confirm(found, deadline, lease, platformJob);
    await this.toVerdict(found, deadline, platformJob.status, lease, (job) =>
      this.steps.giveUp.job(job, lease, verdict),
    );
  }

  private async toVerdict(
    found: ExportJob,
    deadline: JobDeadline,
    platformStatus: string,
    lease: CompanyLease,
    work: (running: ExportJob) => Promise<void>,
  ): Promise<void> {
    const job = deadline.of(found);
    try {
      // 2. What an earlier run had decided to say but could not deliver.
      await this.steps.relay.run(job, lease);
      const running =
        job.state === 'detected' ? deadline.of(await this.steps.start.run(job, lease, platformStatus)) : job;
      if (running.state === 'running') {
        // What was said just now has moved the end; a late beginning has a full hour if the platform confirms it.
        await this.follow.confirmNear(running, deadline, lease);
        await work(running);
      }
      // 6. Exactly one final event, then nothing more.
      await this.steps.relay.run(running, lease);
      await this.end.delivered(running, lease);
    } catch (error) {
      if (!(error instanceof JobClosed)) {
        throw error;
      }
      const current = await this.lookAt(job);
      if (current !== undefined && !hasEnded(current)) {
        // The platform refused one thing and keeps the job open: no end, but no way on for now either.
        throw error.cause;
      }
      await this.end.closed(job, lease, current);
    }
  }

  private async work(job: ExportJob, lease: CompanyLease, signal: AbortSignal): Promise<void> {
    // 3. Pre-export checks: configuration, ERP, company. A job that fails them gets its verdict at once.
    const checked = await this.steps.check.run(job, lease, signal, this.platform.platformNow());
    if (checked.outcome === 'refused') {
      await this.steps.giveUp.job(job, lease, checked.verdict);
      return;
    }
    // 4. Items and their data, page by page: plan, intents, post, record, report.
    const ended = await this.steps.items.run(checked.run);
    if (ended !== undefined) {
      await this.steps.giveUp.job(job, lease, ended);
      return;
    }
    // 5. Every item has a result: decide the verdict.
    await this.steps.verdict.run(job, lease);
  }

  /** @returns false as well when the platform cannot be asked */
  async isOpen(job: ExportJob): Promise<boolean> {
    const platformJob = await this.lookAt(job).catch(() => undefined);
    return platformJob !== undefined && !hasEnded(platformJob);
  }

  private async lookAt(job: ExportJob): Promise<PlatformExportJob | undefined> {
    try {
      return await this.platform.getExportJob(this.installations.authorization(job.installationId), job.id);
    } catch (error) {
      if (error instanceof PlatformRefusal && error.status === 404) {
        return undefined;
      }
      throw error;
    }
  }
}
