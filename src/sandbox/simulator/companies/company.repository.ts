import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { SortColumns } from '../paging/keyset.js';
import type { PagedList } from '../paging/read-page.js';

/** The account behind a wallet, shown as `contraAccount` (P1.8). */
export interface ContraAccount {
  readonly id: string;
  readonly name: string;
  readonly code: string | null;
  readonly identifier: string | null;
}

export interface Company {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly registrationNumber: string | null;
  /** IANA name. */
  readonly timeZone: string;
  readonly address: Readonly<Record<string, string>>;
  readonly multiCurrency: boolean;
  /** By ISO 4217 code. */
  readonly contraAccounts: Readonly<Record<string, ContraAccount>>;
}

/** What companies can be sorted by. */
export const COMPANY_COLUMNS: SortColumns = {
  id: { kind: 'uuid', expression: sql`id` },
  name: { kind: 'text', expression: sql`name` },
  registrationNumber: { kind: 'nullable-text', expression: sql`registration_number` },
};

@Injectable()
export class CompanyRepository {
  async add(tx: Tx, companies: readonly Company[], now: Date): Promise<void> {
    await tx.execute(sql`
      INSERT INTO company (id, organization_id, name, registration_number, time_zone, address, multi_currency,
                           contra_accounts, created_at)
      SELECT fresh.*, ${now}::timestamptz FROM jsonb_to_recordset(${JSON.stringify(companies)}::jsonb)
        AS fresh (id uuid, "organizationId" uuid, name text, "registrationNumber" text, "timeZone" text,
                  address jsonb, "multiCurrency" boolean, "contraAccounts" jsonb)`);
  }

  /** @returns false when there is no such company */
  async changeBookkeeping(tx: Tx, change: Pick<Company, 'id' | 'multiCurrency' | 'contraAccounts'>): Promise<boolean> {
    const touched = await tx.execute(sql`
      UPDATE company
      SET multi_currency = ${change.multiCurrency},
          contra_accounts = ${JSON.stringify(change.contraAccounts)}::jsonb
      WHERE id = ${change.id}`);
    return touched === 1;
  }

  /** Takes the company until the transaction ends, so that two exports of it follow each other. */
  async lock(tx: Tx, id: string): Promise<void> {
    await tx.execute(sql`SELECT FROM company WHERE id = ${id} FOR UPDATE`);
  }

  /**
   * Lets changes of a company's reference data follow each other. Unlike `lock` it does not block inserts of rows that refer
   * to the company.
   */
  async serialize(tx: Tx, id: string): Promise<void> {
    await tx.execute(sql`SELECT FROM company WHERE id = ${id} FOR NO KEY UPDATE`);
  }

  /** Those of the companies that belong to the organization. */
  async idsOfOrganization(tx: Tx, ids: readonly string[], organizationId: string): Promise<readonly string[]> {
    const rows = await tx.rows<{ id: string }>(sql`
      SELECT id FROM company
      WHERE id = ANY(${ids}::uuid[]) AND organization_id = ${organizationId} ORDER BY position`);
    return rows.map(({ id }) => id);
  }

  /** The list of these companies. */
  listOf(ids: readonly string[]): PagedList<Company> {
    const list = sql`
      FROM company WHERE id = ANY(${ids}::uuid[])`;
    return { list, columns: COMPANY_COLUMNS, rows: (tx, ids) => this.findByIds(tx, ids) };
  }

  async findByIds(tx: Tx, ids: readonly string[]): Promise<readonly Company[]> {
    return tx.rows<Company>(sql`
      SELECT id, organization_id AS "organizationId", name, registration_number AS "registrationNumber",
             time_zone AS "timeZone", address, multi_currency AS "multiCurrency",
             contra_accounts AS "contraAccounts"
      FROM company WHERE id = ANY(${ids}::uuid[])`);
  }

  async findAll(tx: Tx): Promise<readonly Company[]> {
    const rows = await tx.rows<{ id: string }>(sql`SELECT id FROM company ORDER BY position`);
    const order = rows.map(({ id }) => id);
    const companies = await this.findByIds(tx, order);
    return [...companies].sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
  }
}
