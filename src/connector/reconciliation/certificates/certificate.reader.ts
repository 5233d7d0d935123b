import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { toInstallationId, type InstallationId } from '../../../kernel/ids.js';
import type { Certificate } from '../domain/certificate.js';
import { CertificateRepository } from './certificate.repository.js';

@Injectable()
export class CertificateReader {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly certificateRepository: CertificateRepository,
  ) {}

  /** In the order of the chain. @param after sequence of the last certificate of the page before */
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

  /** Installations that may have certificates, over all tenants. */
  async listInstallations(): Promise<readonly InstallationId[]> {
    const rows = await this.tenantDatabase.acrossInstallations('installations with certificates', (tx) =>
      tx.rows<{ id: string }>(sql`
        SELECT DISTINCT installation_id AS id FROM reconciliation_run ORDER BY id`),
    );
    return rows.map(({ id }) => toInstallationId(id));
  }
}
