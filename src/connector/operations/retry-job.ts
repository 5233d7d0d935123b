import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { ExportJobId, InstallationId } from '../../kernel/ids.js';
import { WakeCompany } from '../exports/run/wake-company.js';
import { ExportJobRepository } from '../exports/stores/export-job.repository.js';
import { recordAction } from './operator-action.js';

export interface JobRetry {
  readonly outcome: 'due' | 'unknown' | 'ended';
}

const ENDED: ReadonlySet<string> = new Set([
  'completed',
  'completed_with_errors',
  'failed',
  'expired',
  'closed_by_platform',
]);

/** Makes a postponed job due at once. */
@Injectable()
export class RetryJob {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly exportJobRepository: ExportJobRepository,
    private readonly wakeCompany: WakeCompany,
  ) {}

  /** Of a job that runs nothing changes; one of a paused customer waits nevertheless. */
  async retry(installationId: InstallationId, jobId: ExportJobId): Promise<JobRetry> {
    return this.tenantDatabase.inInstallation('retry job', installationId, async (tx) => {
      const job = await this.exportJobRepository.find(tx, installationId, jobId);
      if (job === undefined) {
        return { outcome: 'unknown' };
      }
      if (ENDED.has(job.state)) {
        return { outcome: 'ended' };
      }
      await this.exportJobRepository.postpone(tx, job, 0);
      await recordAction(tx, installationId, { id: randomUUID(), action: 'job-retried', target: jobId });
      await this.wakeCompany.wakeIfDueIn(tx, installationId, job.companyId);
      return { outcome: 'due' };
    });
  }
}
