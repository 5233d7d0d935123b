// Repeats reports that the platform has accepted and lost.
import { Injectable } from '@nestjs/common';
import type { InstallationId } from '../../../kernel/ids.js';
import { PlatformAccess } from '../../installations/credentials/platform-access.js';
import { ITEM_UPDATE_LIMIT, PlatformApi } from '../../platform/platform-api.js';
import { CompanyTransactions } from '../stores/company-transactions.js';
import { ReportedResultRepository } from './reported-result.repository.js';

@Injectable()
export class RepeatReports {
  constructor(
    private readonly companyTransactions: CompanyTransactions,
    private readonly reportedResultRepository: ReportedResultRepository,
    private readonly platformAccess: PlatformAccess,
    private readonly platformApi: PlatformApi,
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
      const results = await this.companyTransactions.readOnce('read results', installationId, (tx) =>
        this.reportedResultRepository.results(tx, installationId, jobId, chunk),
      );
      await this.platformApi.updateJobItems(auth, jobId, results);
    }
  }

  /**
   * Sends `started` again to a platform that still has the job as pending: before it accepts no results.
   * @throws PlatformRefusal, NoResponse, InvalidPlatformResponse, AuthorizationLost
   */
  async repeatStart(installationId: InstallationId, jobId: string): Promise<void> {
    await this.platformApi.sendJobEvent(this.platformAccess.authorizationFor(installationId), jobId, {
      event: 'started',
    });
  }

  /**
   * Sends the job's verdict again, if it has one (I10).
   * @throws PlatformRefusal, NoResponse, AuthorizationLost
   */
  async repeatVerdict(installationId: InstallationId, jobId: string): Promise<void> {
    const event = await this.companyTransactions.readOnce('read verdict', installationId, (tx) =>
      this.reportedResultRepository.verdict(tx, installationId, jobId),
    );
    if (event !== undefined) {
      const auth = this.platformAccess.authorizationFor(installationId);
      await this.platformApi.sendJobEvent(auth, jobId, event);
    }
  }
}
