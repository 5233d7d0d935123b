import { Injectable } from '@nestjs/common';
import { sha256Hex } from '../../../foundation/crypto/sha256.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { requestedPauseMs } from '../../../foundation/http/client/retry-after.js';
import { ErpUnavailable } from '../../erp/erp-ledger.js';
import { PlatformApi } from '../../platform/platform-api.js';
import { AuthorizationLost, isWithoutAnswer } from '../../platform/platform-error.js';
import { pauseSeconds } from '../domain/deadline.js';
import type { ExportJob, WaitingFor } from '../domain/export-job.js';
import type { CompanyLease } from '../stores/company-lease.repository.js';
import { fenced } from '../stores/fenced.js';
import { ExportJobRepository } from '../stores/export-job.repository.js';
import { EndJob } from './end-job.js';
import { PlatformJobs } from './platform-jobs.js';

@Injectable()
export class PostponeJob {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly exportJobRepository: ExportJobRepository,
    private readonly platformJobs: PlatformJobs,
    private readonly endJob: EndJob,
    private readonly platformApi: PlatformApi,
  ) {}

  /**
   * A job waits longer after each failure of the same cause; progress resets the wait. One whose time is over ends as expired: since
   * our own reports extend that time, the platform is asked first.
   * @param error why the job cannot continue
   * @throws LeaseLost
   */
  async postponeOrExpire(job: ExportJob, lease: CompanyLease, error: unknown): Promise<void> {
    if (
      !(await this.platformJobs.isOpen(job)) &&
      (await this.endJob.finishIfExpired(job, lease, this.platformApi.platformNow(), error))
    ) {
      return;
    }
    const platformNow = this.platformApi.platformNow();
    await fenced(this.tenantDatabase, 'postpone job', lease, async (tx) => {
      const pauses = await this.exportJobRepository.countPause(tx, job, causeOf(error), waitingForOf(error));
      const seconds = pauseSeconds(pauses, requestedPauseMs(error) / 1_000, job.expiresAt, platformNow);
      await this.exportJobRepository.postpone(tx, job, seconds);
    });
  }
}

function waitingForOf(error: unknown): WaitingFor {
  if (error instanceof ErpUnavailable) {
    return 'accounting-system';
  }
  return isWithoutAnswer(error) || error instanceof AuthorizationLost ? 'platform' : 'connector';
}

/** The message names the call that failed; only its digest is stored. */
function causeOf(error: unknown): string {
  return sha256Hex(error instanceof Error ? `${error.name} ${error.message}` : '');
}
