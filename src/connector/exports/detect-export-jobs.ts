// Where webhook, polling and a bookkeeper's request end: ask the platform which jobs are open. Asking changes nothing there.
import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { toCompanyId, toExportJobId, type InstallationId } from '../../kernel/ids.js';
import { InstallationsService } from '../installations/installations.service.js';
import { PlatformApi } from '../platform/platform-api.js';
import type { PlatformExportJob } from '../platform/platform.schema.js';
import { TaskQueue } from '../tasks/task-queue.js';
import { type DetectedJob } from './export-job.repository.js';
import { runExportJobsTask } from './exports.tasks.js';
import { ExportStores } from './export-stores.js';

/** `in_progress` too: a job that we, or a lost database of ours, began and did not end. */
const OPEN_STATUSES = ['pending', 'in_progress'];

@Injectable()
export class DetectExportJobs {
  constructor(
    private readonly stores: ExportStores,
    private readonly installations: InstallationsService,
    private readonly platform: PlatformApi,
    private readonly tasks: TaskQueue,
    private readonly clock: Clock,
  ) {}

  /**
   * Repeatable at any time; a job that is known already is not changed but for its expiry.
   * @returns how many jobs are open
   * @throws PlatformRefusal, NoAnswer, AuthorisationLost when the platform could not be asked
   */
  async run(installationId: InstallationId): Promise<number> {
    const installation = await this.installations.find(installationId);
    if (installation === undefined || installation.state === 'uninstalled') {
      return 0;
    }
    const { companyId } = installation;
    const auth = this.installations.authorisation(installationId);
    const open = await this.platform.listExportJobs(auth, companyId, OPEN_STATUSES);
    const jobs = open.map(toDetectedJob).filter((job) => job.companyId === companyId);
    if (jobs.length === 0) {
      return 0;
    }
    await this.stores.open('detect export jobs', installationId, async (tx) => {
      await this.stores.jobs.detect(tx, installationId, jobs, this.clock.now());
      await this.tasks.send(
        tx,
        runExportJobsTask,
        { installationId, companyId },
        `${installationId}/${companyId}`,
      );
    });
    return jobs.length;
  }
}

export function toDetectedJob(job: PlatformExportJob): DetectedJob {
  return {
    id: toExportJobId(job.id),
    companyId: toCompanyId(job.companyId),
    numberOfItems: job.numberOfItems,
    vendorBasedBookkeeping: job.vendorBasedBookkeeping ?? false,
    createdOnPlatformAt: job.createdAt,
    expiresAt: expiryOf(job),
  };
}

/** One hour after the last action on the job, by the platform's clock (Integration API, "Export job"). */
export function expiryOf(job: PlatformExportJob): Date {
  return new Date((job.lastUpdatedAt ?? job.createdAt).getTime() + job.expiresIn * 1_000);
}
