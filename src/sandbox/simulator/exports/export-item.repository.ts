import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';

export interface StoredItem {
  readonly id: string;
  readonly companyId: string;
  /** JSON text as it goes over the wire. */
  readonly body: string;
  /** Currency of the wallet when the item's type shows a contra account. */
  readonly contraCurrency: string | null;
  readonly takesCompanyContra: boolean;
}

@Injectable()
export class ExportItemRepository {
  /** @returns false when one of them was added meanwhile; the transaction has to be given up then */
  async add(tx: Tx, items: readonly StoredItem[], now: Date): Promise<boolean> {
    const column = <Key extends keyof StoredItem>(key: Key) => items.map((item) => item[key]);
    const added = await tx.execute(sql`
      INSERT INTO export_item (accounting_entry_id, company_id, contra_currency, takes_company_contra, body,
                               created_at)
      SELECT id, company_id, currency, takes, body, ${now}
      FROM unnest(${column('id')}::uuid[], ${column('companyId')}::uuid[], ${column('contraCurrency')}::text[],
                  ${column('takesCompanyContra')}::boolean[], ${column('body')}::text[])
        AS item (id, company_id, currency, takes, body)
      ON CONFLICT (accounting_entry_id) DO NOTHING`);
    return added === items.length;
  }

  async findByIds(tx: Tx, ids: readonly string[]): Promise<readonly StoredItem[]> {
    return tx.rows<StoredItem>(sql`
      SELECT accounting_entry_id AS id, company_id AS "companyId", body, contra_currency AS "contraCurrency",
             takes_company_contra AS "takesCompanyContra"
      FROM export_item WHERE accounting_entry_id = ANY(${ids}::uuid[])`);
  }

  async existingIds(tx: Tx, ids: readonly string[], companyId: string | undefined): Promise<ReadonlySet<string>> {
    const rows = await tx.rows<{ id: string }>(sql`
      SELECT accounting_entry_id AS id FROM export_item
      WHERE accounting_entry_id = ANY(${ids}::uuid[])
        AND (${companyId}::uuid IS NULL OR company_id = ${companyId})`);
    return new Set(rows.map(({ id }) => id));
  }

  /** Items that wait: not exported successfully and in no running job, oldest first. */
  async waitingIds(tx: Tx, companyId: string): Promise<readonly string[]> {
    const rows = await tx.rows<{ id: string }>(sql`
      SELECT accounting_entry_id AS id FROM export_item e
      WHERE company_id = ${companyId} AND NOT exported
        AND NOT EXISTS (
          SELECT FROM export_job_item i JOIN export_job j ON j.id = i.export_job_id
          WHERE i.accounting_entry_id = e.accounting_entry_id AND j.status IN ('pending', 'in_progress'))
      ORDER BY position`);
    return rows.map(({ id }) => id);
  }

  /** Distinct wallet currencies of items that show a contra account. */
  async contraCurrencies(tx: Tx, ids: readonly string[]): Promise<readonly string[]> {
    const rows = await tx.rows<{ currency: string }>(sql`
      SELECT DISTINCT contra_currency AS currency FROM export_item
      WHERE accounting_entry_id = ANY(${ids}::uuid[]) AND contra_currency IS NOT NULL`);
    return rows.map(({ currency }) => currency);
  }

  /** The jobs that contain an item: a running one, finished ones only, or none. */
  async useOf(tx: Tx, id: string): Promise<'running' | 'finished' | 'none'> {
    const { running, any } = await tx.one<{ running: boolean; any: boolean }>(sql`
      SELECT count(*) > 0 AS any, coalesce(bool_or(j.status IN ('pending', 'in_progress')), false) AS running
      FROM export_job_item i JOIN export_job j ON j.id = i.export_job_id
      WHERE i.accounting_entry_id = ${id}`);
    return running ? 'running' : any ? 'finished' : 'none';
  }

  async replace(tx: Tx, item: StoredItem): Promise<void> {
    await tx.execute(sql`
      UPDATE export_item
      SET body = ${item.body}, contra_currency = ${item.contraCurrency},
          takes_company_contra = ${item.takesCompanyContra}
      WHERE accounting_entry_id = ${item.id}`);
  }

  /** With the receipts behind it. */
  async remove(tx: Tx, id: string): Promise<void> {
    await tx.execute(sql`DELETE FROM item_file WHERE accounting_entry_id = ${id}`);
    await tx.execute(sql`DELETE FROM export_item WHERE accounting_entry_id = ${id}`);
  }
}
