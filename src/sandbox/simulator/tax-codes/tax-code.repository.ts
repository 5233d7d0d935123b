import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { SortColumns } from '../paging/keyset.js';
import type { PagedList } from '../paging/read-page.js';
import { companyFilter } from '../companies/company-filter.js';
import type { TaxCode, TaxCodeSearch } from './tax-code.js';

/** What tax codes can be sorted by; each key has its index. */
export const TAX_CODE_COLUMNS: SortColumns = {
  id: { kind: 'uuid', expression: sql`id` },
  name: { kind: 'text', expression: sql`name` },
  code: { kind: 'nullable-text', expression: sql`code` },
  createdAt: { kind: 'instant', expression: sql`created_at` },
  updatedAt: { kind: 'instant', expression: sql`updated_at` },
};

@Injectable()
export class TaxCodeRepository {
  async add(tx: Tx, taxCodes: readonly TaxCode[]): Promise<void> {
    await tx.execute(sql`
      INSERT INTO tax_code (id, company_id, name, code, rate, type, archived, ingoing_tax_account,
                            outgoing_tax_account, accounting_integration_system, created_at, updated_at)
      SELECT fresh.* FROM jsonb_to_recordset(${JSON.stringify(taxCodes)}::jsonb)
        AS fresh (id uuid, "companyId" uuid, name text, code text, rate numeric, type text, archived boolean,
                  "ingoingTaxAccount" text, "outgoingTaxAccount" text, "accountingIntegrationSystem" text,
                  "createdAt" timestamptz, "updatedAt" timestamptz)`);
  }

  /** Locked, for a change may follow. */
  async findForUpdate(tx: Tx, companyIds: readonly string[], id: string): Promise<TaxCode | undefined> {
    await tx.execute(sql`
      SELECT FROM tax_code WHERE id = ${id} AND company_id = ANY(${companyIds}::uuid[]) FOR UPDATE`);
    const [taxCode] = await this.findByIds(tx, [id]);
    return taxCode !== undefined && companyIds.includes(taxCode.companyId) ? taxCode : undefined;
  }

  async findByIds(tx: Tx, ids: readonly string[]): Promise<readonly TaxCode[]> {
    return tx.rows<TaxCode>(sql`
      SELECT id, company_id AS "companyId", name, code, rate::text AS rate, type, archived,
             ingoing_tax_account AS "ingoingTaxAccount", outgoing_tax_account AS "outgoingTaxAccount",
             accounting_integration_system AS "accountingIntegrationSystem", created_at AS "createdAt",
             updated_at AS "updatedAt"
      FROM tax_code WHERE id = ANY(${ids}::uuid[])`);
  }

  /** The list of what a search finds. */
  listOf(companyIds: readonly string[], search: TaxCodeSearch): PagedList<TaxCode> {
    const ids = search.taxCodeIds ?? [];
    const list = sql`
      FROM tax_code
      WHERE ${companyFilter(companyIds)}
        AND (${search.archived}::boolean IS NULL OR archived = ${search.archived})
        AND (${search.code}::text IS NULL OR code = ${search.code})
        AND (cardinality(${ids}::uuid[]) = 0 OR id = ANY(${ids}::uuid[]))
        AND (${search.type}::text IS NULL OR type = ${search.type})`;
    return { list, columns: TAX_CODE_COLUMNS, rows: (tx, ids) => this.findByIds(tx, ids) };
  }

  async hasCode(tx: Tx, companyId: string, code: string): Promise<boolean> {
    const { known } = await tx.one<{ known: boolean }>(sql`
      SELECT EXISTS (SELECT FROM tax_code WHERE company_id = ${companyId} AND code = ${code}) AS known`);
    return known;
  }

  async change(tx: Tx, changed: TaxCode): Promise<void> {
    await tx.execute(sql`
      UPDATE tax_code
      SET name = ${changed.name}, code = ${changed.code}, rate = ${changed.rate}::numeric, type = ${changed.type},
          archived = ${changed.archived}, ingoing_tax_account = ${changed.ingoingTaxAccount},
          outgoing_tax_account = ${changed.outgoingTaxAccount}, updated_at = ${changed.updatedAt}
      WHERE id = ${changed.id}`);
  }

  async remove(tx: Tx, id: string): Promise<void> {
    await tx.execute(sql`DELETE FROM tax_code WHERE id = ${id}`);
  }
}
