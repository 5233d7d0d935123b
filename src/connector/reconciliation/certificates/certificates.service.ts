import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { CertificateRepository } from './certificate.repository.js';
import type { Certificate } from '../domain/certificate.js';
import { ReplayJob, type EmptyBooks, type Replay } from './replay-job.js';
import { VerifyCertificates, type CertificateCheck } from './verify-certificates.js';

export { postingName, type Certificate } from '../domain/certificate.js';
export type { EmptyBooks, Replay } from './replay-job.js';
export type { CertificateCheck } from './verify-certificates.js';

/** What the rest of the connector may ask of the proofs that jobs leave behind. */
@Injectable()
export class CertificatesService {
  constructor(
    private readonly database: TenantDatabase,
    private readonly certificates: CertificateRepository,
    private readonly verifying: VerifyCertificates,
    private readonly replaying: ReplayJob,
  ) {}

  /** In the order of the chain. @param after sequence of the last one of the page before */
  async list(
    installationId: InstallationId,
    after: bigint | undefined,
    limit: number,
  ): Promise<readonly Certificate[]> {
    return this.database.inInstallation('list certificates', installationId, (tx) =>
      this.certificates.list(tx, installationId, after, limit),
    );
  }

  async ofJob(installationId: InstallationId, exportJobId: string): Promise<Certificate | undefined> {
    return this.database.inInstallation('read certificate', installationId, (tx) =>
      this.certificates.ofJob(tx, installationId, exportJobId),
    );
  }

  /** Those that may have certificates, over all tenants. */
  async installations(): Promise<readonly InstallationId[]> {
    return this.database.acrossInstallations('installations with certificates', (tx) =>
      this.certificates.installations(tx),
    );
  }

  /**
   * Proves the whole history of an installation.
   * @throws ErpUnavailable
   */
  verify(installationId: InstallationId): AsyncGenerator<CertificateCheck> {
    return this.verifying.run(installationId);
  }

  /**
   * Posts what a job had planned into empty books, and maps its items again.
   * @returns undefined when the job has no certificate
   * @throws ErpUnavailable
   */
  async replay(
    installationId: InstallationId,
    exportJobId: string,
    books: EmptyBooks,
  ): Promise<Replay | undefined> {
    return this.replaying.run(installationId, exportJobId, books);
  }
}
