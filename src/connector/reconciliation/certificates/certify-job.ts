// Certifies a job once it has ended and was compared with platform and ERP. A job that has a certificate keeps it, whatever
// is found of it later.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { isFinal } from '../../exports/domain/state-transitions.js';
import { CertificateRepository } from './certificate.repository.js';
import { DiscrepancyRepository } from '../compare/discrepancy.repository.js';
import { ReconciliationRunRepository } from '../reconciliation-run.repository.js';
import { RunStopped } from '../../runs/run-interruptions.js';
import type { ReconciliationScope } from '../compare/load-reconciliation-scope.js';
import { ComputeCertificate } from './compute-certificate.js';
import type { JobRecord } from '../../exports/stores/export-record.js';

@Injectable()
export class CertifyJob {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly certificateRepository: CertificateRepository,
    private readonly discrepancyRepository: DiscrepancyRepository,
    private readonly reconciliationRunRepository: ReconciliationRunRepository,
    private readonly computeCertificate: ComputeCertificate,
  ) {}

  /**
   * @returns `too-early` while the ERP's search may not show what was posted last; `settled` for a job that has its
   *   certificate, now or before, or has not ended
   * @throws RunStopped, LeaseLost, ErpUnavailable
   */
  async certify({ run, stopping }: ReconciliationScope, job: JobRecord): Promise<'too-early' | 'settled'> {
    const { installationId, companyId } = run;
    const { isCertified, now: madeAt } = await this.tenantDatabase.readOnce('find certificate', installationId, (tx) =>
      this.certificateRepository.find(tx, installationId, job.id),
    );
    if (!isFinal(job.state) || isCertified) {
      return 'settled';
    }
    const { facts, isConclusive } = await this.computeCertificate.compute(installationId, job, madeAt, async () => {
      if (stopping.aborted) {
        throw new RunStopped('the worker stops');
      }
      await this.tenantDatabase.writeOnce('certifying', installationId, (tx) =>
        this.reconciliationRunRepository.advance(tx, run, {}),
      );
    });
    if (!isConclusive) {
      return 'too-early';
    }
    await this.tenantDatabase.inInstallation('certify job', installationId, async (tx) => {
      await this.reconciliationRunRepository.advance(tx, run, {});
      const discrepancies = await this.discrepancyRepository.countSeen(tx, run, job.id);
      const certificate = { ...facts, exportJobId: job.id, companyId, discrepancies, madeAt };
      await this.certificateRepository.append(tx, installationId, certificate);
    });
    return 'settled';
  }
}
