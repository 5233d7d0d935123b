// Requests an export job of given entries from the platform, as the company's owner: its pinned plan must be recorded before a
// worker can start it.
import { Injectable } from '@nestjs/common';
import { message, toStoredText } from '../../../kernel/message.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { NoResponse } from '../../../foundation/http/client/http-client.js';
import { toExportJobId, type InstallationId } from '../../../kernel/ids.js';
import { PlatformAccess } from '../../installations/credentials/platform-access.js';
import { PlatformApi } from '../../platform/platform-api.js';
import { AuthorizationLost, isTransient, PlatformRefusal } from '../../platform/platform-error.js';
import { CompanyOwnership } from '../stores/company-ownership.js';
import { RecordDetectedJobs } from '../run/record-detected-jobs.js';
import { toDetectedJob } from '../run/platform-job.js';
import { ReexportRepository, type DueReexport } from './reexport.repository.js';
import type { RequestReexportTask } from './reexports.tasks.js';

/** Another export of the company is running; it takes minutes rather than seconds. */
const BUSY_SECONDS = 15;
const LEASE_HELD_SECONDS = 3;
const NO_RESPONSE_SECONDS = 30;
const NOT_CONNECTED_SECONDS = 300;

@Injectable()
export class RequestReexport {
  constructor(
    private readonly companyOwnership: CompanyOwnership,
    private readonly tenantDatabase: TenantDatabase,
    private readonly reexportRepository: ReexportRepository,
    private readonly recordDetectedJobs: RecordDetectedJobs,
    private readonly platformAccess: PlatformAccess,
    private readonly platformApi: PlatformApi,
  ) {}

  /** A request that fails is due again later. A second job is harmless: nothing is posted twice. */
  async requestIfCompanyFree({ installationId, id }: RequestReexportTask): Promise<void> {
    const reexport = await this.tenantDatabase.readOnce('find re-export', installationId, (tx) =>
      this.reexportRepository.findOpen(tx, installationId, id),
    );
    if (reexport === undefined) {
      return;
    }
    const owned = await this.companyOwnership.whileOwner(installationId, reexport.companyId, () =>
      this.requestExportJob(installationId, reexport),
    );
    if (owned === undefined) {
      const next = { requestedAt: reexport.requestedAt, seconds: LEASE_HELD_SECONDS };
      await this.postpone(installationId, id, next);
    }
  }

  private async requestExportJob(installationId: InstallationId, reexport: DueReexport): Promise<void> {
    const { id, companyId, entryIds, vendorBasedBookkeeping } = reexport;
    const requestedAt = reexport.requestedAt ?? this.platformApi.platformNow();
    await this.postpone(installationId, id, { requestedAt, seconds: NO_RESPONSE_SECONDS });
    try {
      const auth = this.platformAccess.authorizationFor(installationId);
      const request = { companyId, accountingEntryIds: entryIds, vendorBasedBookkeeping };
      const job = await this.platformApi.createExportJob(auth, request);
      const detected = toDetectedJob(job, this.platformApi.platformNow());
      await this.recordDetectedJobs.record(installationId, companyId, [detected], (tx) =>
        this.reexportRepository.linkJob(tx, installationId, id, toExportJobId(job.id)),
      );
    } catch (error) {
      await this.handleFailure(error, installationId, reexport);
    }
  }

  /** A refusal says nothing of an earlier request whose response was lost: the export that is under way may be its job. */
  private async handleFailure(
    error: unknown,
    installationId: InstallationId,
    { id, requestedAt }: DueReexport,
  ): Promise<void> {
    if (error instanceof PlatformRefusal && error.status === 409) {
      return this.postpone(installationId, id, { requestedAt, ...BUSY });
    }
    if (error instanceof AuthorizationLost) {
      return this.postpone(installationId, id, { requestedAt, ...NOT_CONNECTED });
    }
    if (error instanceof PlatformRefusal && !isTransient(error)) {
      const problem = toStoredText(message('reexport.refused', { text: error.message }));
      return this.tenantDatabase.inInstallation('refuse re-export', installationId, (tx) =>
        this.reexportRepository.markRefused(tx, installationId, id, problem),
      );
    }
    if (!(error instanceof NoResponse) && !isTransient(error)) {
      throw error;
    }
  }

  private async postpone(
    installationId: InstallationId,
    id: string,
    next: Parameters<ReexportRepository['postpone']>[3],
  ): Promise<void> {
    await this.tenantDatabase.inInstallation('postpone re-export', installationId, (tx) =>
      this.reexportRepository.postpone(tx, installationId, id, next),
    );
  }
}

const BUSY = {
  seconds: BUSY_SECONDS,
  problem: toStoredText(message('reexport.busy')),
};
const NOT_CONNECTED = {
  seconds: NOT_CONNECTED_SECONDS,
  problem: toStoredText(message('reexport.not-connected')),
};
