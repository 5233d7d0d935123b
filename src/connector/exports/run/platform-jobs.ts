import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { PlatformAccess } from '../../installations/credentials/platform-access.js';
import { PlatformApi } from '../../platform/platform-api.js';
import { isNotFound } from '../../platform/platform-error.js';
import type { PlatformAuthorization } from '../../platform/platform-http.js';
import type { PlatformExportJob } from '../../platform/platform.schema.js';
import type { ExportJob } from '../domain/export-job.js';
import { hasEnded, OPEN_STATUSES } from './platform-job.js';

/** How long a detected job is started without being fetched again: the platform refuses the start of one it has ended. */
const DETECTED_MS = 30_000;
const MAX_DETECTED = 1_000;

/** Export jobs as the platform has them. */
@Injectable()
export class PlatformJobs {
  /** By installation and id, jobs that this process has detected and no run has taken yet. */
  private readonly detected = new Map<string, { readonly job: PlatformExportJob; readonly until: number }>();

  constructor(
    private readonly platformApi: PlatformApi,
    private readonly platformAccess: PlatformAccess,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns undefined when the platform does not know the job, and does not list it as open either
   * @throws PlatformRefusal, NoResponse, AuthorizationLost
   */
  async fetch(job: ExportJob): Promise<PlatformExportJob | undefined> {
    try {
      return await this.get(job);
    } catch (error) {
      // An end that is recorded is for good, so one answer is not enough for it.
      if (isNotFound(error) && !(await this.isListed(job))) {
        return undefined;
      }
      throw error;
    }
  }

  /**
   * The open jobs of a company, those that cannot be read among them.
   * @throws PlatformRefusal, NoResponse, AuthorizationLost when the platform gives no list
   */
  async listOpen(
    { installationId, companyId }: Pick<ExportJob, 'installationId' | 'companyId'>,
    requester: PlatformAuthorization['requester'],
  ): ReturnType<PlatformApi['listExportJobs']> {
    const auth = this.platformAccess.authorizationFor(installationId, requester);
    return this.platformApi.listExportJobs(auth, companyId, OPEN_STATUSES);
  }

  private async isListed(job: ExportJob): Promise<boolean> {
    const listed = await this.listOpen(job, 'exports');
    return listed.some((each) => ('job' in each ? each.job.id : each.id)?.toLowerCase() === job.id.toLowerCase());
  }

  /** As `fetch`; for the first attempt at a job that was detected a moment ago, without a request. */
  async fetchToRun(job: ExportJob): Promise<PlatformExportJob | undefined> {
    const key = keyOf(job.installationId, job.id);
    const detected = this.detected.get(key);
    this.detected.delete(key);
    const isCurrent = detected !== undefined && this.clock.monotonicMs() < detected.until;
    return isCurrent && job.state === 'detected' && job.attempts === 1 ? detected.job : this.fetch(job);
  }

  /** @throws PlatformRefusal, NoResponse, AuthorizationLost when the platform gives no job */
  async get({ installationId, id }: ExportJob): Promise<PlatformExportJob> {
    return this.platformApi.getExportJob(this.platformAccess.authorizationFor(installationId, 'exports'), id);
  }

  /** @returns false as well when the platform does not respond */
  async isOpen(job: ExportJob): Promise<boolean> {
    const platformJob = await this.fetch(job).catch(() => undefined);
    return platformJob !== undefined && !hasEnded(platformJob);
  }

  /** @param jobs as just listed; one that is `in_progress` is fetched again, since it may have results */
  rememberDetected(installationId: InstallationId, jobs: readonly PlatformExportJob[]): void {
    if (this.detected.size + jobs.length > MAX_DETECTED) {
      this.detected.clear();
    }
    const until = this.clock.monotonicMs() + DETECTED_MS;
    for (const job of jobs.filter(({ status }) => status === 'pending').slice(0, MAX_DETECTED)) {
      this.detected.set(keyOf(installationId, job.id), { job, until });
    }
  }
}

function keyOf(installationId: InstallationId, jobId: string): string {
  return `${installationId}/${jobId.toLowerCase()}`;
}
