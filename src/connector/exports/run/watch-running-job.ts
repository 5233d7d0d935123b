// What a long run has to notice besides its own work: that its end has moved, that another job of its company can wait
// no longer, and that the company is no longer authorized.
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { InstallationsService } from '../../installations/installations.service.js';
import { PlatformApi } from '../../platform/platform-api.js';
import type { PlatformExportJob } from '../../platform/platform.schema.js';
import type { CompanyLease } from '../stores/company-lease.repository.js';
import { budgetAt, urgentBefore } from '../domain/deadline.js';
import type { ExportJob } from '../domain/export-job.js';
import { ExportStores } from '../stores/export-stores.js';
import type { JobDeadline } from './job-deadline.js';
import { expiryOf } from './platform-job.js';

const CHECK_EVERY_MS = 30_000;

@Injectable()
export class WatchRunningJob {
  constructor(
    private readonly exportStores: ExportStores,
    private readonly platformApi: PlatformApi,
    private readonly installationsService: InstallationsService,
    private readonly clock: Clock,
  ) {}

  /**
   * Looks now and then until `ended`, and aborts `way` when the run shall make way.
   * @param job as it was claimed
   */
  async watchUntilEnded(
    job: ExportJob,
    deadline: JobDeadline,
    lease: CompanyLease,
    ended: AbortSignal,
    way: AbortController,
  ): Promise<void> {
    for (;;) {
      await this.clock.sleep(CHECK_EVERY_MS, ended).catch(() => undefined);
      if (ended.aborted) {
        return;
      }
      // What fails here is tried at the next look; if it matters to the run, the run meets it too.
      await this.check(job, deadline, lease, way).catch(() => undefined);
    }
  }

  /** What the platform says of the job now becomes its end; the row keeps it for the next run and the order of jobs. */
  async confirmDeadline(
    job: ExportJob,
    deadline: JobDeadline,
    lease: CompanyLease,
    platformJob: PlatformExportJob,
  ): Promise<void> {
    const expiresAt = expiryOf(platformJob);
    if (expiresAt.getTime() !== deadline.expiresAt.getTime()) {
      await this.exportStores.fenced('confirm end of job', lease, (tx) =>
        this.exportStores.exportJobRepository.confirmExpiry(tx, job, expiresAt),
      );
      deadline.confirm(expiresAt);
    }
  }

  /**
   * Asks for the end again when it is near: each accepted event or result moves it.
   * @throws PlatformRefusal, NoResponse, AuthorizationLost when the platform could not be asked
   */
  async refreshDeadlineIfNear(job: ExportJob, deadline: JobDeadline, lease: CompanyLease): Promise<void> {
    if (deadline.expiresAt < urgentBefore(this.platformApi.platformNow())) {
      const auth = this.installationsService.authorization(job.installationId);
      await this.confirmDeadline(job, deadline, lease, await this.platformApi.getExportJob(auth, job.id));
    }
  }

  private async check(
    job: ExportJob,
    deadline: JobDeadline,
    lease: CompanyLease,
    way: AbortController,
  ): Promise<void> {
    const platformNow = this.platformApi.platformNow();
    if (budgetAt(deadline.expiresAt, platformNow) === 'post') {
      await this.refreshDeadlineIfNear(job, deadline, lease);
    }
    const othersAreNearer = await this.exportStores.inInstallation(
      'look for nearer jobs',
      job.installationId,
      (tx) => this.exportStores.exportJobRepository.hasMoreUrgent(tx, job, urgentBefore(platformNow)),
    );
    if (othersAreNearer || (await this.needsReauthorization(job))) {
      way.abort();
    }
  }

  /** The next run gives the job its verdict while the last access token lives. */
  private async needsReauthorization({ installationId }: ExportJob): Promise<boolean> {
    return (await this.installationsService.find(installationId))?.state === 'needs_reauthorization';
  }
}
