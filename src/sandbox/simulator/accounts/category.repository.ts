import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';

/** What employees choose for an expense; a bookkeeper assigns an account to it. The interface itself shows no categories. */
export interface Category {
  readonly id: string;
  readonly name: string;
  /** Of the same company; null: none is assigned. */
  readonly accountId: string | null;
}

@Injectable()
export class CategoryRepository {
  /** @returns the ids of those that were added: the others name an account that is not the company's */
  async add(tx: Tx, companyId: string, categories: readonly Category[]): Promise<ReadonlySet<string>> {
    const rows = await tx.rows<{ id: string }>(sql`
      INSERT INTO category (id, company_id, name, account_id)
      SELECT fresh.id, ${companyId}, fresh.name, account.id
      FROM jsonb_to_recordset(${JSON.stringify(categories)}::jsonb) AS fresh (id uuid, name text, "accountId" uuid)
        LEFT JOIN account ON account.company_id = ${companyId} AND account.id = fresh."accountId"
      WHERE fresh."accountId" IS NULL OR account.id IS NOT NULL
      RETURNING id`);
    return new Set(rows.map(({ id }) => id));
  }

  /** In the order in which they were added, at most `limit`. */
  async list(tx: Tx, companyId: string, limit: number): Promise<readonly Category[]> {
    return tx.rows<Category>(sql`
      SELECT id, name, account_id AS "accountId" FROM category WHERE company_id = ${companyId} ORDER BY position LIMIT ${limit}`);
  }
}
