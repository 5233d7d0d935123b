import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { ErpCompanyId, InstallationId } from '../../kernel/ids.js';
import type { ReceiptFile } from './domain/receipt-file.js';

/** The installation of the receipts, and the ERP company that they are stored in. */
export interface ReceiptScope {
  readonly installationId: InstallationId;
  readonly erpCompanyId: ErpCompanyId;
}

/** A file of an accounting entry, and its outcome. */
export interface KnownReceipt {
  readonly accountingEntryId: string;
  readonly file: ReceiptFile;
}

@Injectable()
export class ReceiptRepository {
  /**
   * @param since receipts stored earlier are left out, since the ERP may have deleted them
   * @returns ids in the ERP, by `receiptKey`
   */
  async findStored(
    tx: Tx,
    scope: ReceiptScope,
    ids: readonly string[],
    since: Date,
  ): Promise<ReadonlyMap<string, string>> {
    const rows = await tx.rows<{ key: string; documentId: string }>(sql`
      SELECT concat_ws(' ', accounting_entry_id, position, media_type, announced_bytes) AS key, document_id AS "documentId"
      FROM receipt WHERE installation_id = ${scope.installationId} AND erp_company_id = ${scope.erpCompanyId}
        AND accounting_entry_id = ANY(${ids}::uuid[]) AND document_id IS NOT NULL AND stored_at >= ${since}`);
    return new Map(rows.map(({ key, documentId }) => [key, documentId]));
  }

  /** @returns by accounting entry, the texts about the files it was posted without, in their order */
  async findProblems(
    tx: Tx,
    scope: ReceiptScope,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const rows = await tx.rows<{ id: string; problems: readonly string[] }>(sql`
      SELECT accounting_entry_id AS id, array_agg(problem ORDER BY position) AS problems FROM receipt
      WHERE installation_id = ${scope.installationId} AND erp_company_id = ${scope.erpCompanyId}
        AND accounting_entry_id = ANY(${ids}::uuid[]) AND problem IS NOT NULL
      GROUP BY accounting_entry_id`);
    return new Map(rows.map(({ id, problems }) => [id, problems]));
  }

  async recordStored(tx: Tx, scope: ReceiptScope, receipt: KnownReceipt, documentId: string, at: Date): Promise<void> {
    await this.record(tx, scope, [{ ...receipt, documentId, problem: null }], at);
  }

  /**
   * Replaces the earlier records of these entries' files.
   * @param ids of all these entries
   * @param receipts each with its current text for bookkeepers
   */
  async replaceProblems(
    tx: Tx,
    scope: ReceiptScope,
    ids: readonly string[],
    receipts: readonly (KnownReceipt & { readonly problem: string })[],
    at: Date,
  ): Promise<void> {
    await tx.execute(sql`
      DELETE FROM receipt WHERE installation_id = ${scope.installationId} AND erp_company_id = ${scope.erpCompanyId}
        AND accounting_entry_id = ANY(${ids}::uuid[]) AND problem IS NOT NULL`);
    const rows = receipts.map((receipt) => ({ ...receipt, documentId: null }));
    await this.record(tx, scope, rows, at);
  }

  private async record(
    tx: Tx,
    { installationId, erpCompanyId }: ReceiptScope,
    receipts: readonly (KnownReceipt & {
      readonly documentId: string | null;
      readonly problem: string | null;
    })[],
    at: Date,
  ): Promise<void> {
    await tx.execute(sql`
      INSERT INTO receipt (installation_id, erp_company_id, accounting_entry_id, position, media_type, announced_bytes,
        document_id, problem, stored_at)
      SELECT ${installationId}, ${erpCompanyId}, new.id, new.position, new.media_type, new.bytes, new.document_id, new.problem, ${at}
      FROM unnest(${receipts.map((receipt) => receipt.accountingEntryId)}::uuid[],
        ${receipts.map(({ file }) => file.position)}::int[], ${receipts.map(({ file }) => file.mediaType ?? '')}::text[],
        ${receipts.map(({ file }) => file.announcedBytes ?? -1)}::bigint[],
        ${receipts.map((receipt) => receipt.documentId)}::text[], ${receipts.map((receipt) => receipt.problem)}::text[]
      ) AS new (id, position, media_type, bytes, document_id, problem)
      ON CONFLICT (installation_id, erp_company_id, accounting_entry_id, position, media_type, announced_bytes)
      DO UPDATE SET document_id = EXCLUDED.document_id, problem = EXCLUDED.problem, stored_at = EXCLUDED.stored_at`);
  }
}

/** Identifies a file, whose address changes with every fetch. */
export function receiptKey({ accountingEntryId, file }: KnownReceipt): string {
  const { position, mediaType = '', announcedBytes = -1 } = file;
  return [accountingEntryId, position, mediaType, announcedBytes].join(' ');
}
