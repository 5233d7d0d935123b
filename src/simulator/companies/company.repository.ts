import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { ListKey } from '../paging/page.js';

/** The account behind a wallet, shown as `contraAccount` (wire-facts §1.8). */
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

export interface Employee {
  readonly id: string;
  readonly companyId: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly code: string | null;
}

@Injectable()
export class CompanyRepository {
  async add(tx: Tx, company: Company, now: Date): Promise<void> {
    await tx.execute(sql`
      INSERT INTO company (id, organization_id, name, registration_number, time_zone, address, multi_currency,
                           contra_accounts, created_at)
      VALUES (${company.id}, ${company.organizationId}, ${company.name}, ${company.registrationNumber},
              ${company.timeZone}, ${JSON.stringify(company.address)}::jsonb, ${company.multiCurrency},
              ${JSON.stringify(company.contraAccounts)}::jsonb, ${now})`);
  }

  /** @returns false when there is no such company */
  async changeBookkeeping(
    tx: Tx,
    change: Pick<Company, 'id' | 'multiCurrency' | 'contraAccounts'>,
  ): Promise<boolean> {
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

  async addEmployee(tx: Tx, employee: Employee, now: Date): Promise<void> {
    await tx.execute(sql`
      INSERT INTO employee (id, company_id, email, first_name, last_name, code, created_at)
      VALUES (${employee.id}, ${employee.companyId}, ${employee.email}, ${employee.firstName},
              ${employee.lastName}, ${employee.code}, ${now})`);
  }

  async keys(
    tx: Tx,
    ids: readonly string[],
    organizationId: string | undefined,
  ): Promise<readonly ListKey[]> {
    return tx.rows<ListKey>(sql`
      SELECT id, position FROM company
      WHERE id = ANY(${ids}::uuid[]) AND (${organizationId}::uuid IS NULL OR organization_id = ${organizationId})
      ORDER BY position`);
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
