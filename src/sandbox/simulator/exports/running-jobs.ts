import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { Caller } from '../access/caller.js';
import type { Company } from '../companies/company.repository.js';
import { ApiError } from '../wire/api-error.js';
import type { ExportVersion } from './domain/failure-reasons.js';
import { isRunning } from './domain/job-state.js';
import { ExportAccess } from './export-access.js';
import { ExportJobRepository } from './export-job.repository.js';

export interface RunningJob {
  readonly id: string;
  readonly numberOfItems: number;
  readonly company: Company;
}

/** The running jobs whose items a caller may read (P1.2). */
@Injectable()
export class RunningJobs {
  constructor(
    private readonly exportAccess: ExportAccess,
    private readonly exportJobRepository: ExportJobRepository,
  ) {}

  /**
   * The job with an id, or without one every running job of the caller's companies.
   * @throws ApiError 404 for an unknown job; 400 for an outdated version; 422 for a finished job
   */
  async find(
    tx: Tx,
    caller: Caller,
    version: ExportVersion,
    jobId: string | undefined,
  ): Promise<readonly RunningJob[]> {
    await this.exportAccess.expireDue(tx);
    if (jobId === undefined) {
      await this.exportAccess.assertVersion(tx, version, caller.companyIds);
      const ids = await this.exportJobRepository.runningIds(tx, caller.companyIds);
      const running: RunningJob[] = [];
      for (const { id, companyId, numberOfItems } of await this.exportJobRepository.findByIds(tx, ids)) {
        running.push({ id, numberOfItems, company: await this.exportAccess.company(tx, companyId) });
      }
      return running;
    }
    const job = await this.exportAccess.lockJob(tx, caller, jobId);
    await this.exportAccess.assertVersion(tx, version, [job.companyId]);
    if (!isRunning(job.status)) {
      throw new ApiError(422, 'EXPORT_JOB_STATUS_UNPROCESSABLE', 'The export job can no longer be processed.');
    }
    const { id, numberOfItems } = job;
    return [{ id, numberOfItems, company: await this.exportAccess.company(tx, job.companyId) }];
  }

  /** @throws ApiError 400 for missing contra accounts (version 3) */
  async assertReadable(tx: Tx, version: ExportVersion, { id, company }: RunningJob): Promise<void> {
    if (version === 'v3') {
      this.exportAccess.assertContraAccounts(company, await this.exportJobRepository.contraCurrencies(tx, id));
    }
  }
}
