// Webhook, polling and a bookkeeper's request all end here: fetch the open jobs from the platform, without any effect there.
import { Injectable } from '@nestjs/common';
import { AppLogger } from '../../../foundation/logging/app-logger.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { InstallationReader } from '../../installations/installation.reader.js';
import { PlatformApi } from '../../platform/platform-api.js';
import { RepeatReports } from '../reporting/repeat-reports.js';
import { toDetectedJob } from './platform-job.js';
import { PlatformJobs } from './platform-jobs.js';
import { RecordDetectedJobs } from './record-detected-jobs.js';

@Injectable()
export class DetectExportJobs {
  constructor(
    private readonly installationReader: InstallationReader,
    private readonly platformApi: PlatformApi,
    private readonly recordDetectedJobs: RecordDetectedJobs,
    private readonly platformJobs: PlatformJobs,
    private readonly repeatReports: RepeatReports,
    private readonly appLogger: AppLogger,
  ) {}

  /**
   * Repeatable at any time: of a known job only the expiry is updated. A job that cannot be read is logged; the others are taken.
   * @returns how many jobs are open
   * @throws PlatformRefusal, NoResponse, AuthorizationLost when the platform gives no list
   */
  async detect(installationId: InstallationId): Promise<number> {
    const installation = await this.installationReader.find(installationId);
    if (installation === undefined || installation.state === 'uninstalled') {
      return 0;
    }
    const { companyId } = installation;
    const listed = await this.platformJobs.listOpen({ installationId, companyId }, 'connector');
    for (const { id, unreadable } of listed.filter((each) => 'unreadable' in each)) {
      this.appLogger.of('exports').warn({ installationId, exportJobId: id, unreadable }, 'export_job.unreadable');
    }
    const open = listed.flatMap((each) => ('job' in each ? each.job : []));
    const platformNow = this.platformApi.platformNow();
    const jobs = open.map((job) => toDetectedJob(job, platformNow)).filter((job) => job.companyId === companyId);
    if (jobs.length === 0) {
      return 0;
    }
    this.platformJobs.rememberDetected(installationId, open);
    await this.recordDetectedJobs.record(installationId, companyId, jobs);
    const begun = open.filter(({ status }) => status === 'in_progress');
    await this.repeatReports.repeatLostVerdicts(
      installationId,
      begun.map(({ id }) => id),
    );
    return jobs.length;
  }
}
