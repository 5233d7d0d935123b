import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { ResourceRepository } from '../resources/resource.repository.js';
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
export class TaxCodeRepository extends ResourceRepository<TaxCode> {
  constructor() {
    super({
      name: 'tax_code',
      columns: {
        name: 'text',
        code: 'text',
        rate: 'numeric',
        type: 'text',
        archived: 'boolean',
        ingoingTaxAccount: 'text',
        outgoingTaxAccount: 'text',
        accountingIntegrationSystem: 'text',
      },
    });
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
}
