// The run of one job: when the job has ended, or a person asks for it.
import { Injectable } from '@nestjs/common';
import { ExportRecordReader } from '../../exports/stores/export-record.reader.js';
import { RunPostponed } from '../../runs/run-interruptions.js';
import { AdvanceRun } from '../advance-run.js';
import { CertifyJob } from '../certificates/certify-job.js';
import { CompareJob } from './compare-job.js';
import type { ReconciliationScope } from './load-reconciliation-scope.js';

@Injectable()
export class CompareSingleJob {
  constructor(
    private readonly exportRecordReader: ExportRecordReader,
    private readonly compareJob: CompareJob,
    private readonly advanceRun: AdvanceRun,
    private readonly certifyJob: CertifyJob,
  ) {}

  /**
   * Does nothing for a job that is not on record.
   * @throws what comparing throws; RunPostponed until the ERP shows what was posted last
   */
  async compareAndCertify(scope: ReconciliationScope, exportJobId: string): Promise<void> {
    const job = await this.exportRecordReader.job(scope.run.installationId, exportJobId);
    if (job === undefined) {
      return;
    }
    await this.compareJob.compare(scope, job);
    await this.advanceRun.advance(scope.run, { jobs: 1 }, { jobsDone: true });
    if ((await this.certifyJob.certify(scope, job)) === 'too-early') {
      throw new RunPostponed('the accounting system may not show yet what was posted last');
    }
  }
}
