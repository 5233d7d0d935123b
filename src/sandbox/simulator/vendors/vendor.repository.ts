import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import { ResourceRepository } from '../resources/resource.repository.js';
import type { SortColumns } from '../paging/keyset.js';
import type { PagedList } from '../paging/read-page.js';
import type { Vendor, VendorSearch } from './vendor.js';

/** Two vendors of a company never have the same `externalId`. */
export const VENDOR_KEY = 'vendor_company_id_external_id_uq';

/** What vendors can be sorted by; each key has its index. */
export const VENDOR_COLUMNS: SortColumns = {
  id: { kind: 'uuid', expression: sql`id` },
  name: { kind: 'text', expression: sql`name` },
  code: { kind: 'nullable-text', expression: sql`code` },
  externalId: { kind: 'nullable-text', expression: sql`external_id` },
  createdAt: { kind: 'instant', expression: sql`created_at` },
  updatedAt: { kind: 'instant', expression: sql`updated_at` },
};

@Injectable()
export class VendorRepository extends ResourceRepository<Vendor> {
  constructor() {
    super({
      name: 'vendor',
      columns: {
        state: 'text',
        name: 'text',
        defaultCurrency: 'text',
        country: 'text',
        code: 'text',
        externalId: 'text',
        registrationNumber: 'text',
        taxRegistrationNumber: 'text',
        accountingSystem: 'text',
      },
      key: '(company_id, external_id) WHERE external_id IS NOT NULL',
    });
  }

  /** The list of what a search finds. */
  listOf(companyId: string, search: VendorSearch): PagedList<Vendor> {
    const { ids, codes, externalIds, countries, states, taxRegistrationNumbers, accountingSystems, name } = search;
    const list = sql`
      FROM vendor
      WHERE company_id = ${companyId}
        AND (cardinality(${ids}::uuid[]) = 0 OR id = ANY(${ids}::uuid[]))
        AND (cardinality(${codes}::text[]) = 0 OR code = ANY(${codes}::text[]))
        AND (cardinality(${externalIds}::text[]) = 0 OR external_id = ANY(${externalIds}::text[]))
        AND (cardinality(${countries}::text[]) = 0 OR country = ANY(${countries}::text[]))
        AND (cardinality(${states}::text[]) = 0 OR state = ANY(${states}::text[]))
        AND (cardinality(${taxRegistrationNumbers}::text[]) = 0
             OR tax_registration_number = ANY(${taxRegistrationNumbers}::text[]))
        AND (cardinality(${accountingSystems}::text[]) = 0 OR accounting_system = ANY(${accountingSystems}::text[]))
        AND (${name}::text IS NULL OR name = ${name})`;
    return { list, columns: VENDOR_COLUMNS, rows: (tx, ids) => this.findByIds(tx, ids) };
  }
}
