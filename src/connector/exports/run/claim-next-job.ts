import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { PlatformApi } from '../../platform/platform-api.js';
import { reportUntil, urgentBefore } from '../domain/deadline.js';
import type { ExportJob } from '../domain/export-job.js';
import { laneAccepts, type Lane } from '../domain/lanes.js';
import { CompanyLeaseRepository, type CompanyLease } from '../stores/company-lease.repository.js';
import { fencedOnce } from '../stores/fenced.js';
import { ExportJobRepository } from '../stores/export-job.repository.js';

/** Decides which job runs next: within a company, and between companies. */
@Injectable()
export class ClaimNextJob {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly companyLeaseRepository: CompanyLeaseRepository,
    private readonly exportJobRepository: ExportJobRepository,
    private readonly platformApi: PlatformApi,
  ) {}

  /**
   * After each job a company gives its worker to waiting companies, so that one with many jobs does not hold it.
   * @param isFirst the first job since the company was claimed
   * @returns the next job with this attempt counted; `not-now` when this lane does not accept it or other companies wait; undefined
   *   when none is due
   * @throws LeaseLost
   */
  async claimNext(lease: CompanyLease, lane: Lane, isFirst: boolean): Promise<ExportJob | 'not-now' | undefined> {
    const { installationId, companyId } = lease;
    const platformNow = this.platformApi.platformNow();
    const nearEnd = urgentBefore(platformNow);
    const next = await this.tenantDatabase.readOnce('next job', installationId, (tx) =>
      this.exportJobRepository.findNext(tx, installationId, companyId, nearEnd, reportUntil(platformNow)),
    );
    if (next === undefined) {
      return undefined;
    }
    if (!laneAccepts(lane, next, nearEnd) || (!isFirst && (await this.areOthersWaiting()))) {
      return 'not-now';
    }
    return fencedOnce(this.tenantDatabase, 'claim next job', lease, (tx) =>
      this.exportJobRepository.countAttempt(tx, next),
    );
  }

  private async areOthersWaiting(): Promise<boolean> {
    const idle = await this.tenantDatabase.readOnceAcross('find waiting companies', (tx) =>
      this.companyLeaseRepository.findIdle(tx, 1),
    );
    return idle.length > 0;
  }
}
