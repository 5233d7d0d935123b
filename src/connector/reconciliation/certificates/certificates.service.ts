import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { CertificateRepository } from './certificate.repository.js';
import type { Certificate } from '../domain/certificate.js';
import { ReplayJob, type EmptyErpCompany, type Replay } from './replay-job.js';
import { VerifyCertificates, type CertificateCheck } from './verify-certificates.js';

export { postingName, type Certificate } from '../domain/certificate.js';
export type { EmptyErpCompany as EmptyBooks, Replay } from './replay-job.js';
export type { CertificateCheck } from './verify-certificates.js';

/** What the rest of the connector may ask of the proofs that jobs leave behind. */
@Injectable()
export class CertificatesService {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly certificateRepository: CertificateRepository,
    private readonly verifyCertificates: VerifyCertificates,
    private readonly replayJob: ReplayJob,
  ) {}

  /** In the order of the chain. @param after sequence of the last one of the page before */
  async list(
    installationId: InstallationId,
    after: bigint | undefined,
    limit: number,
  ): Promise<readonly Certificate[]> {
    return this.tenantDatabase.inInstallation('list certificates', installationId, (tx) =>
      this.certificateRepository.list(tx, installationId, after, limit),
    );
  }

  async findByJob(installationId: InstallationId, exportJobId: string): Promise<Certificate | undefined> {
    return this.tenantDatabase.inInstallation('read certificate', installationId, (tx) =>
      this.certificateRepository.findByJob(tx, installationId, exportJobId),
    );
  }

  /** Those that may have certificates, over all tenants. */
  async listInstallations(): Promise<readonly InstallationId[]> {
    return this.tenantDatabase.acrossInstallations('installations with certificates', (tx) =>
      this.certificateRepository.listInstallations(tx),
    );
  }

  /**
   * Proves the whole history of an installation.
   * @throws ErpUnavailable
   */
  verify(installationId: InstallationId): AsyncGenerator<CertificateCheck> {
    return this.verifyCertificates.verifyAll(installationId);
  }

  /**
   * Posts what a job had planned into empty books, and maps its items again.
   * @returns undefined when the job has no certificate
   * @throws ErpUnavailable
   */
  async replay(
    installationId: InstallationId,
    exportJobId: string,
    books: EmptyErpCompany,
  ): Promise<Replay | undefined> {
    return this.replayJob.replay(installationId, exportJobId, books);
  }
}
