import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { message } from '../../../kernel/message.js';
import { toCompanyId, toExportJobId, type InstallationId } from '../../../kernel/ids.js';
import { failedVerdict } from '../domain/verdict.js';
import { PlatformAccess } from '../../installations/credentials/platform-access.js';
import { InstallationRepository } from '../../installations/installation.repository.js';
import { PlatformApi } from '../../platform/platform-api.js';
import { isNotFound } from '../../platform/platform-error.js';
import type { PlatformAuthorization } from '../../platform/platform-http.js';
import type { PlatformExportJob } from '../../platform/platform.schema.js';
import { JobClosed } from '../run/run-interruptions.js';
import { ReportToPlatform } from './report-to-platform.js';

/**
 * The subscription of an organization also announces jobs of companies that no person has connected: without a verdict such a job would
 * expire after an hour without a word (D1.36).
 */
@Injectable()
export class RefuseUnconnectedJob {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly installationRepository: InstallationRepository,
    private readonly platformApi: PlatformApi,
    private readonly platformAccess: PlatformAccess,
    private readonly reportToPlatform: ReportToPlatform,
  ) {}

  /**
   * Ends the job with what a person has to do, unless its company was connected meanwhile or another integration has started it.
   * @throws JobClosed, PlatformRefusal, NoResponse, AuthorizationLost: the task is tried again
   */
  async refuse(installationId: InstallationId, exportJobId: string): Promise<void> {
    const auth = this.platformAccess.authorizationFor(installationId, 'connector');
    const job = await this.findJob(auth, exportJobId);
    if (job?.status !== 'pending' || (await this.isConnected(job.companyId))) {
      return;
    }
    const { failureReasonType, failureReason } = failedVerdict(
      'missing_configuration',
      message('reason.job.company-not-connected'),
    );
    const subject = { id: toExportJobId(exportJobId), installationId };
    const verdict = { event: 'failed', failureReasonType, failureReason } as const;
    // One event: of two, a process could end after the first, and the job would pass for one that another integration has started.
    try {
      await this.reportToPlatform.sendEvent(subject, verdict);
    } catch (error) {
      if (!(error instanceof JobClosed) || (await this.findJob(auth, exportJobId))?.status !== 'pending') {
        throw error;
      }
      // The platform takes it only of a job that has started.
      await this.reportToPlatform.sendEvent(subject, { event: 'started' });
      await this.reportToPlatform.sendEvent(subject, verdict);
    }
  }

  /** @returns undefined when the organization has no such job */
  private async findJob(auth: PlatformAuthorization, exportJobId: string): Promise<PlatformExportJob | undefined> {
    try {
      return await this.platformApi.getExportJob(auth, exportJobId);
    } catch (error) {
      if (isNotFound(error)) {
        return undefined;
      }
      throw error;
    }
  }

  private async isConnected(companyId: string): Promise<boolean> {
    const organization = await this.tenantDatabase.readOnceAcross('find company', (tx) =>
      this.installationRepository.findOrganizationOf(tx, toCompanyId(companyId)),
    );
    return organization !== undefined;
  }
}
