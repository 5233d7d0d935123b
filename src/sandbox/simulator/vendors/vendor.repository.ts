import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
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
export class VendorRepository {
  /** Adds the vendors whose `externalId` is free in their company. @returns ids of the added ones */
  async addNew(tx: Tx, vendors: readonly Vendor[]): Promise<ReadonlySet<string>> {
    const rows = await tx.rows<{ id: string }>(sql`
      INSERT INTO vendor (id, company_id, state, name, default_currency, country, code, external_id,
                          registration_number, tax_registration_number, accounting_system, created_at, updated_at)
      SELECT fresh.* FROM jsonb_to_recordset(${JSON.stringify(vendors)}::jsonb)
        AS fresh (id uuid, "companyId" uuid, state text, name text, "defaultCurrency" text, country text,
                  code text, "externalId" text, "registrationNumber" text, "taxRegistrationNumber" text,
                  "accountingSystem" text, "createdAt" timestamptz, "updatedAt" timestamptz)
      ON CONFLICT (company_id, external_id) WHERE external_id IS NOT NULL DO NOTHING
      RETURNING id`);
    return new Set(rows.map(({ id }) => id));
  }

  /** Locked, for a change may follow. */
  async findForUpdate(tx: Tx, companyIds: readonly string[], id: string): Promise<Vendor | undefined> {
    await tx.execute(sql`
      SELECT FROM vendor WHERE id = ${id} AND company_id = ANY(${companyIds}::uuid[]) FOR UPDATE`);
    const [vendor] = await this.findByIds(tx, [id]);
    return vendor !== undefined && companyIds.includes(vendor.companyId) ? vendor : undefined;
  }

  async findByIds(tx: Tx, ids: readonly string[]): Promise<readonly Vendor[]> {
    return tx.rows<Vendor>(sql`
      SELECT id, company_id AS "companyId", state, name, default_currency AS "defaultCurrency", country, code,
             external_id AS "externalId", registration_number AS "registrationNumber",
             tax_registration_number AS "taxRegistrationNumber", accounting_system AS "accountingSystem",
             created_at AS "createdAt", updated_at AS "updatedAt"
      FROM vendor WHERE id = ANY(${ids}::uuid[])`);
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

  async change(tx: Tx, changed: Vendor): Promise<void> {
    await tx.execute(sql`
      UPDATE vendor
      SET state = ${changed.state}, name = ${changed.name}, default_currency = ${changed.defaultCurrency},
          country = ${changed.country}, code = ${changed.code}, external_id = ${changed.externalId},
          registration_number = ${changed.registrationNumber},
          tax_registration_number = ${changed.taxRegistrationNumber}, updated_at = ${changed.updatedAt}
      WHERE id = ${changed.id}`);
  }
}
