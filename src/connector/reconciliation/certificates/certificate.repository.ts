import { Injectable } from '@nestjs/common';
import { sha256Hex } from '../../../foundation/crypto/sha256.js';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { certificateText, type Certificate, type CertifiedFacts } from '../domain/certificate.js';

export interface NewCertificate extends CertifiedFacts {
  readonly exportJobId: string;
  readonly companyId: string;
  readonly discrepancies: number;
  readonly madeAt: Date;
}

/** The chain of certificates of each installation. Rows are added, and never touched again. */
@Injectable()
export class CertificateRepository {
  /** Adds it to the end of the chain; a job that has one keeps it. */
  async append(tx: Tx, installationId: InstallationId, certificate: NewCertificate): Promise<void> {
    // Locked until the transaction ends, so that the chain has one end.
    await tx.execute(sql`SELECT FROM installation WHERE id = ${installationId} FOR NO KEY UPDATE`);
    const [last] = await tx.rows<{ sequence: bigint; hash: string }>(sql`
      SELECT sequence, hash FROM certificate WHERE installation_id = ${installationId} ORDER BY sequence DESC LIMIT 1`);
    const { exportJobId, jobState, mappingVersion, items, planned, erp, ...rest } = certificate;
    const sequence = (last?.sequence ?? 0n) + 1n;
    const previousHash = last?.hash ?? null;
    const hash = hashOf(installationId, { ...certificate, sequence, previousHash });
    await tx.execute(sql`
      INSERT INTO certificate (installation_id, sequence, export_job_id, company_id, erp_company_id, job_state,
        mapping_version, items, planned, erp, discrepancies, made_at, previous_hash, hash)
      SELECT ${installationId}, ${sequence}, ${exportJobId}, ${rest.companyId}, ${rest.erpCompanyId}, ${jobState},
        ${mappingVersion}::int, ${JSON.stringify(items)}::jsonb, ${JSON.stringify(planned)}::jsonb,
        ${erp && JSON.stringify(erp)}::jsonb, ${rest.discrepancies}::int, ${rest.madeAt}::timestamptz, ${previousHash}, ${hash}
      WHERE NOT EXISTS (SELECT FROM certificate
        WHERE installation_id = ${installationId} AND export_job_id = ${exportJobId})`);
  }

  /** @returns whether the job has a certificate, and the time by the clock that postings are dated with; UTC */
  async find(
    tx: Tx,
    installationId: InstallationId,
    exportJobId: string,
  ): Promise<{ readonly isCertified: boolean; readonly now: Date }> {
    return tx.one(sql`
      SELECT clock_timestamp() AS now, EXISTS (SELECT FROM certificate
        WHERE installation_id = ${installationId} AND export_job_id = ${exportJobId}) AS "isCertified"`);
  }
}

/** @returns SHA-256 in hex of a certificate's canonical text */
export function hashOf(installationId: InstallationId, certificate: Omit<Certificate, 'hash'>): string {
  return sha256Hex(certificateText(installationId, certificate));
}
