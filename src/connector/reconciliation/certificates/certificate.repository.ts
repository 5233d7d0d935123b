import { Injectable } from '@nestjs/common';
import { sha256Hex } from '../../../foundation/crypto/sha256.js';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { type InstallationId } from '../../../kernel/ids.js';
import {
  certificateText,
  type Certificate,
  type CertifiedFacts,
  type CertifiedItems,
  type CertifiedSource,
} from '../domain/certificate.js';

export interface NewCertificate extends CertifiedFacts {
  readonly exportJobId: string;
  readonly companyId: string;
  readonly discrepancies: number;
  readonly madeAt: Date;
}

interface CertificateRow {
  readonly sequence: bigint;
  readonly job_id: string;
  readonly company_id: string;
  readonly erp_company_id: string | null;
  readonly job_state: string;
  readonly mapping_version: number | null;
  readonly items: CertifiedItems;
  readonly planned: CertifiedSource;
  readonly erp: CertifiedSource | null;
  readonly discrepancies: number;
  readonly made_at: Date;
  readonly previous_hash: string | null;
  readonly hash: string;
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

  /** In the order of the chain. */
  async list(
    tx: Tx,
    installationId: InstallationId,
    after: bigint | undefined,
    limit: number,
  ): Promise<readonly Certificate[]> {
    const rows = await tx.rows<CertificateRow>(sql`
      SELECT sequence, export_job_id AS job_id, company_id, erp_company_id, job_state, mapping_version, items, planned, erp,
        discrepancies, made_at, previous_hash, hash
      FROM certificate WHERE installation_id = ${installationId} AND sequence > ${after ?? 0n}
      ORDER BY sequence LIMIT ${limit}`);
    return rows.map(toCertificate);
  }

  async findByJob(tx: Tx, installationId: InstallationId, jobId: string): Promise<Certificate | undefined> {
    const row = await tx.maybeOne<CertificateRow>(sql`
      SELECT sequence, export_job_id AS job_id, company_id, erp_company_id, job_state, mapping_version, items, planned, erp,
        discrepancies, made_at, previous_hash, hash
      FROM certificate WHERE installation_id = ${installationId} AND export_job_id = ${jobId}`);
    return row && toCertificate(row);
  }

  /** Jobs whose own comparison has completed without a certificate; at most `limit`. */
  async findJobsWithoutCertificate(tx: Tx, installationId: InstallationId, limit: number): Promise<readonly string[]> {
    const rows = await tx.rows<{ id: string }>(sql`
      SELECT export_job_id AS id FROM reconciliation_run run
      WHERE installation_id = ${installationId} AND reason = 'job' AND state = 'completed'
        AND NOT EXISTS (SELECT FROM certificate WHERE certificate.installation_id = run.installation_id
          AND certificate.export_job_id = run.export_job_id)
      ORDER BY position LIMIT ${limit}`);
    return rows.map(({ id }) => id);
  }
}

/** @returns SHA-256 in hex of a certificate's canonical text */
export function hashOf(installationId: InstallationId, certificate: Omit<Certificate, 'hash'>): string {
  return sha256Hex(certificateText(installationId, certificate));
}

function toCertificate(row: CertificateRow): Certificate {
  return {
    sequence: row.sequence,
    exportJobId: row.job_id,
    companyId: row.company_id,
    erpCompanyId: row.erp_company_id,
    jobState: row.job_state,
    mappingVersion: row.mapping_version,
    items: row.items,
    planned: row.planned,
    erp: row.erp,
    discrepancies: row.discrepancies,
    madeAt: row.made_at,
    previousHash: row.previous_hash,
    hash: row.hash,
  };
}
