import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { toInstallationId, type InstallationId } from '../../../kernel/ids.js';
import type { Certificate } from '../domain/certificate.js';

const CERTIFICATES = sql`
  SELECT sequence, export_job_id AS "exportJobId", company_id AS "companyId", erp_company_id AS "erpCompanyId",
    job_state AS "jobState", mapping_version AS "mappingVersion", items, planned, erp, discrepancies, made_at AS "madeAt",
    previous_hash AS "previousHash", hash
  FROM certificate`;

@Injectable()
export class CertificateReader {
  constructor(private readonly tenantDatabase: TenantDatabase) {}

  /** In the order of the chain. @param after sequence of the last certificate of the page before */
  async list(
    installationId: InstallationId,
    after: bigint | undefined,
    limit: number,
  ): Promise<readonly Certificate[]> {
    return this.tenantDatabase.readOnce('list certificates', installationId, (tx) =>
      tx.rows<Certificate>(sql`
        ${CERTIFICATES} WHERE installation_id = ${installationId} AND sequence > ${after ?? 0n}
        ORDER BY sequence LIMIT ${limit}`),
    );
  }

  async findByJob(installationId: InstallationId, exportJobId: string): Promise<Certificate | undefined> {
    return this.tenantDatabase.readOnce('read certificate', installationId, (tx) =>
      tx.maybeOne<Certificate>(sql`
        ${CERTIFICATES} WHERE installation_id = ${installationId} AND export_job_id = ${exportJobId}`),
    );
  }

  /** Jobs whose own comparison has completed without a certificate; at most `limit`. */
  async listJobsWithoutCertificate(installationId: InstallationId, limit: number): Promise<readonly string[]> {
    const rows = await this.tenantDatabase.readOnce('missing certificates', installationId, (tx) =>
      tx.rows<{ id: string }>(sql`
        SELECT export_job_id AS id FROM reconciliation_run run
        WHERE installation_id = ${installationId} AND reason = 'job' AND state = 'completed'
          AND NOT EXISTS (SELECT FROM certificate WHERE certificate.installation_id = run.installation_id
            AND certificate.export_job_id = run.export_job_id)
        ORDER BY position LIMIT ${limit}`),
    );
    return rows.map(({ id }) => id);
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
