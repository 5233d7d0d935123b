// Certifies a job once it has ended and was held against platform and ERP. A job that has a certificate keeps it, whatever
// is found of it later.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { Clock } from '../../../kernel/clock.js';
import { isFinal } from '../../exports/domain/states.js';
import type { JobRecord } from '../../exports/stores/export-records.service.js';
import { CertificateRepository } from './certificate.repository.js';
import { DifferenceRepository } from '../compare/difference.repository.js';
import type { CertifiedFacts } from '../domain/certificate.js';
import type { RunLease } from '../domain/reconciliation-run.js';
import { ReconciliationRunRepository } from '../reconciliation-run.repository.js';
import { RunStopped, type ReconciliationScope } from '../compare/reconciliation-scope.js';
import { WorkOutFacts } from './work-out-facts.js';

/** What is going to be certified. */
export interface JobFacts {
  readonly job: JobRecord;
  readonly facts: CertifiedFacts;
  readonly madeAt: Date;
}

@Injectable()
export class CertifyJob {
  constructor(
    private readonly database: TenantDatabase,
    private readonly certificates: CertificateRepository,
    private readonly differences: DifferenceRepository,
    private readonly runs: ReconciliationRunRepository,
    private readonly working: WorkOutFacts,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns undefined for a job that has not ended or has its certificate; `too-early` while the ERP's search may not show
   *   what was posted last
   * @throws RunStopped, RunTakenOver, ErpUnavailable
   */
  async prepare(
    { run, stopping }: ReconciliationScope,
    job: JobRecord,
  ): Promise<JobFacts | 'too-early' | undefined> {
    const { installationId } = run;
    const known = await this.database.inInstallation('find certificate', installationId, (tx) =>
      this.certificates.ofJob(tx, installationId, job.id),
    );
    if (!isFinal(job.state) || known !== undefined) {
      return undefined;
    }
    const madeAt = this.clock.now();
    const { facts, certain } = await this.working.run(installationId, job, madeAt, async () => {
      if (stopping.aborted) {
        throw new RunStopped('the worker stops');
      }
      await this.database.inInstallation('certifying', installationId, (tx) =>
        this.runs.advance(tx, run, {}),
      );
    });
    return certain ? { job, facts, madeAt } : 'too-early';
  }

  /** In the caller's transaction, after what the run has found was written. */
  async write(tx: Tx, run: RunLease, { job, facts, madeAt }: JobFacts): Promise<void> {
    const { installationId, companyId } = run;
    const differences = await this.differences.countSeen(tx, run, job.id);
    const certificate = { ...facts, exportJobId: job.id, companyId, differences, madeAt };
    await this.certificates.append(tx, installationId, certificate);
  }
}
