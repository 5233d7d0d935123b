// Repeats reports that the platform has accepted and lost.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { toExportJobId, type InstallationId } from '../../../kernel/ids.js';
import { PlatformAccess } from '../../installations/credentials/platform-access.js';
import { ITEM_UPDATE_LIMIT, PlatformApi } from '../../platform/platform-api.js';
import { ReportToPlatform } from './report-to-platform.js';
import { ReportedResultRepository } from './reported-result.repository.js';

@Injectable()
export class RepeatReports {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly reportedResultRepository: ReportedResultRepository,
    private readonly platformAccess: PlatformAccess,
    private readonly platformApi: PlatformApi,
    private readonly reportToPlatform: ReportToPlatform,
  ) {}

  /**
   * Repeating a result has no other effect.
   * @param ids accounting entries; those without a result are left out
   * @throws PlatformRefusal, NoResponse, AuthorizationLost
   */
  async repeatResults(installationId: InstallationId, jobId: string, ids: readonly string[]): Promise<void> {
    const auth = this.platformAccess.authorizationFor(installationId);
    for (let start = 0; start < ids.length; start += ITEM_UPDATE_LIMIT) {
      const chunk = ids.slice(start, start + ITEM_UPDATE_LIMIT);
      const results = await this.tenantDatabase.readOnce('read results', installationId, (tx) =>
        this.reportedResultRepository.results(tx, installationId, jobId, chunk),
      );
      await this.platformApi.updateJobItems(auth, jobId, results);
    }
  }

  /**
   * Sends `started` again to a platform that still has the job as pending: before it accepts no results.
   * @throws as `ReportToPlatform.sendEvent`, which looks whether the event had its effect where the response does not say so
   */
  async repeatStart(installationId: InstallationId, jobId: string): Promise<void> {
    await this.reportToPlatform.sendEvent({ installationId, id: toExportJobId(jobId) }, { event: 'started' });
  }

  /**
   * Sends the job's verdict again, if it has one (I10).
   * @throws as `repeatStart`
   */
  async repeatVerdict(installationId: InstallationId, jobId: string): Promise<void> {
    const event = await this.tenantDatabase.readOnce('read verdict', installationId, (tx) =>
      this.reportedResultRepository.verdict(tx, installationId, jobId),
    );
    if (event !== undefined) {
      await this.reportToPlatform.sendEvent({ installationId, id: toExportJobId(jobId) }, event);
    }
  }
}
