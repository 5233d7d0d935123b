// What a run observes besides its own work: the job's end on the platform, a more urgent job of the same company, a paused
// customer, and a lost authorization.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { Clock } from '../../../kernel/clock.js';
import { InstallationReader } from '../../installations/installation.reader.js';
import { PlatformApi } from '../../platform/platform-api.js';
import type { PlatformExportJob } from '../../platform/platform.schema.js';
import type { CompanyLease } from '../stores/company-lease.repository.js';
import { mayPost, urgentBefore } from '../domain/deadline.js';
import type { ExportJob } from '../domain/export-job.js';
import { fenced } from '../stores/fenced.js';
import { ExportJobRepository } from '../stores/export-job.repository.js';
import type { JobDeadline } from './job-deadline.js';
import { expiryOf, hasEnded } from './platform-job.js';
import { PlatformJobs } from './platform-jobs.js';

export const CHECK_EVERY_MS = 30_000;

/** A watch over one run. */
export interface JobWatch {
  /** Fires when another job has to run first, the customer was paused, or only a verdict is possible. */
  readonly mustEndEarly: AbortSignal;
  /** Resolves when no check is under way. */
  stop(): Promise<void>;
}

@Injectable()
export class WatchRunningJob {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly exportJobRepository: ExportJobRepository,
    private readonly platformApi: PlatformApi,
    private readonly platformJobs: PlatformJobs,
    private readonly installationReader: InstallationReader,
    private readonly clock: Clock,
  ) {}

  /** Whether a new ERP write may start for a job, by the platform's clock. */
  hasTimeToPost(job: Pick<ExportJob, 'expiresAt'>): boolean {
    return mayPost(job, this.platformApi.platformNow());
  }

  /** Checks every 30 seconds until stopped. @param job as it was claimed */
  begin(job: ExportJob, deadline: JobDeadline, lease: CompanyLease): JobWatch {
    const ended = new AbortController();
    const endEarly = new AbortController();
    const watching = this.checkUntilEnded(job, deadline, lease, ended.signal, endEarly);
    return {
      mustEndEarly: endEarly.signal,
      stop: () => {
        ended.abort();
        return watching;
      },
    };
  }

  /**
   * Fetches the job as a run begins; of an open one, records the end that the platform states.
   * @returns undefined when the platform does not know it
   * @throws PlatformRefusal, NoResponse, AuthorizationLost
   */
  async confirmJob(job: ExportJob, deadline: JobDeadline, lease: CompanyLease): Promise<PlatformExportJob | undefined> {
    const platformJob = await this.platformJobs.fetchToRun(job);
    if (platformJob !== undefined && !hasEnded(platformJob)) {
      await this.confirmDeadline(job, deadline, lease, platformJob);
    }
    return platformJob;
  }

  /** Stored with the job, for the next run and for the order of jobs. */
  private async confirmDeadline(
    job: ExportJob,
    deadline: JobDeadline,
    lease: CompanyLease,
    platformJob: PlatformExportJob,
  ): Promise<void> {
    const expiresAt = expiryOf(platformJob, this.platformApi.platformNow());
    if (expiresAt.getTime() !== deadline.expiresAt.getTime()) {
      await fenced(this.tenantDatabase, 'confirm end of job', lease, (tx) =>
        this.exportJobRepository.confirmExpiry(tx, job, expiresAt),
      );
      deadline.confirm(expiresAt);
    }
  }

  /**
   * Fetches the end again when it is near, since each accepted event or result has moved it.
   * @throws PlatformRefusal, NoResponse, AuthorizationLost when the platform returns no job
   */
  async refreshDeadlineIfNear(job: ExportJob, deadline: JobDeadline, lease: CompanyLease): Promise<void> {
    if (deadline.expiresAt < urgentBefore(this.platformApi.platformNow())) {
      await this.confirmDeadline(job, deadline, lease, await this.platformJobs.get(job));
    }
  }

  private async checkUntilEnded(
    job: ExportJob,
    deadline: JobDeadline,
    lease: CompanyLease,
    ended: AbortSignal,
    endEarly: AbortController,
  ): Promise<void> {
    for (;;) {
      await this.clock.sleep(CHECK_EVERY_MS, ended).catch(() => undefined);
      if (ended.aborted) {
        return;
      }
      // A check that fails is repeated by the next one; a failure that matters occurs in the run too.
      if (await this.mustEnd(job, deadline, lease).catch(() => false)) {
        endEarly.abort();
      }
    }
  }

  private async mustEnd(job: ExportJob, deadline: JobDeadline, lease: CompanyLease): Promise<boolean> {
    const platformNow = this.platformApi.platformNow();
    const hasTimeToPost = mayPost(deadline, platformNow);
    if (hasTimeToPost) {
      await this.refreshDeadlineIfNear(job, deadline, lease);
    }
    const hasMoreUrgent = await this.tenantDatabase.readOnce('look for nearer jobs', job.installationId, (tx) =>
      this.exportJobRepository.hasMoreUrgent(tx, job, urgentBefore(platformNow)),
    );
    const installation = await this.installationReader.find(job.installationId);
    // Without authorization the next run sends the verdict while the last access token is valid; of a paused customer the job waits.
    const isRefused = installation?.state === 'needs_reauthorization';
    return hasMoreUrgent || isRefused || (hasTimeToPost && installation?.pause !== undefined);
  }
}
