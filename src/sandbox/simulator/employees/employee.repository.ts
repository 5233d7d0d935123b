import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { uuidResponseField } from '../wire/response-schemas.js';
import type { SortColumns } from '../paging/keyset.js';
import type { PagedList } from '../paging/read-page.js';
import { companyFilter } from '../companies/company-filter.js';

export interface Employee {
  readonly id: string;
  readonly companyId: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** Id in the accounting system. */
  readonly code: string | null;
  readonly jobTitle: string | null;
  readonly phone: string | null;
}

/** What employees can be sorted by; each key has its index. */
export const EMPLOYEE_COLUMNS: SortColumns = {
  id: { kind: 'uuid', expression: sql`id` },
  email: { kind: 'text', expression: sql`email` },
  firstName: { kind: 'text', expression: sql`first_name` },
  lastName: { kind: 'text', expression: sql`last_name` },
  code: { kind: 'nullable-text', expression: sql`code` },
};

@Injectable()
export class EmployeeRepository {
  async add(tx: Tx, employees: readonly Employee[], now: Date): Promise<void> {
    await tx.execute(sql`
      INSERT INTO employee (id, company_id, email, first_name, last_name, code, job_title, phone, created_at)
      SELECT fresh.*, ${now}::timestamptz FROM jsonb_to_recordset(${JSON.stringify(employees)}::jsonb)
        AS fresh (id uuid, "companyId" uuid, email text, "firstName" text, "lastName" text, code text,
                  "jobTitle" text, phone text)`);
  }

  async findByIds(tx: Tx, ids: readonly string[]): Promise<readonly Employee[]> {
    return tx.rows<Employee>(sql`
      SELECT id, company_id AS "companyId", email, first_name AS "firstName", last_name AS "lastName", code,
             job_title AS "jobTitle", phone
      FROM employee WHERE id = ANY(${ids}::uuid[])`);
  }

  /** The first ones of all companies, oldest first. */
  async findFirst(tx: Tx, limit: number): Promise<readonly Employee[]> {
    return tx.rows<Employee>(sql`
      SELECT id, company_id AS "companyId", email, first_name AS "firstName", last_name AS "lastName", code,
             job_title AS "jobTitle", phone
      FROM employee ORDER BY position LIMIT ${limit}`);
  }

  /** The list of a company's people, or of those with an address or a code. */
  listOf(
    companyIds: readonly string[],
    filter: { readonly email: string | undefined; readonly code: string | undefined },
  ): PagedList<Employee> {
    const list = sql`
      FROM employee
      WHERE ${companyFilter(companyIds)}
        AND (${filter.email}::text IS NULL OR lower(email) = lower(${filter.email}))
        AND (${filter.code}::text IS NULL OR code = ${filter.code})`;
    return { list, columns: EMPLOYEE_COLUMNS, rows: (tx, ids) => this.findByIds(tx, ids) };
  }
}

export const employeeResponseSchema = z.object({
  id: uuidResponseField,
  companyId: uuidResponseField,
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  code: z.string().optional(),
  jobTitle: z.string().optional(),
  phone: z.string().optional(),
});

/** Employee of P8; what is not known is left out. */
export function employeeWire(employee: Employee): object {
  const { id, companyId, email, firstName, lastName, code, jobTitle, phone } = employee;
  const known = Object.entries({ code, jobTitle, phone }).filter(([, value]) => value !== null);
  return { id, companyId, email, firstName, lastName, ...Object.fromEntries(known) };
}
