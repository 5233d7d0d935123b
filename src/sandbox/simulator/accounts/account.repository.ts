import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { SortColumns } from '../paging/keyset.js';
import type { PagedList } from '../paging/read-page.js';
import type { Account, AccountSearch } from './account.js';

/** What accounts can be sorted by; each key has its index. */
export const ACCOUNT_COLUMNS: SortColumns = {
  id: { kind: 'uuid', expression: sql`id` },
  externalId: { kind: 'text', expression: sql`external_id` },
  code: { kind: 'nullable-text', expression: sql`code` },
  name: { kind: 'text', expression: sql`name` },
};

@Injectable()
export class AccountRepository {
  /** Adds the accounts whose `externalId` is free in their company. @returns ids of the added ones */
  async addNew(tx: Tx, accounts: readonly Account[]): Promise<ReadonlySet<string>> {
    const rows = await tx.rows<{ id: string }>(sql`
      INSERT INTO account (id, company_id, external_id, name, code, archived, tax_code_external_id,
                           accounting_system, metadata, created_at, updated_at)
      SELECT fresh.* FROM jsonb_to_recordset(${JSON.stringify(accounts)}::jsonb)
        AS fresh (id uuid, "companyId" uuid, "externalId" text, name text, code text, archived boolean,
                  "taxCodeExternalId" text, "accountingSystem" text, metadata jsonb, "createdAt" timestamptz,
                  "updatedAt" timestamptz)
      ON CONFLICT (company_id, external_id) DO NOTHING
      RETURNING id`);
    return new Set(rows.map(({ id }) => id));
  }

  async findByExternalId(tx: Tx, companyId: string, externalId: string): Promise<Account | undefined> {
    const row = await tx.maybeOne<{ id: string }>(sql`
      SELECT id FROM account WHERE company_id = ${companyId} AND external_id = ${externalId}`);
    const [account] = row === undefined ? [] : await this.findByIds(tx, [row.id]);
    return account;
  }

  /** Locked, for a change may follow. */
  async findForUpdate(tx: Tx, companyIds: readonly string[], id: string): Promise<Account | undefined> {
    await tx.execute(sql`
      SELECT FROM account WHERE id = ${id} AND company_id = ANY(${companyIds}::uuid[]) FOR UPDATE`);
    const [account] = await this.findByIds(tx, [id]);
    return account !== undefined && companyIds.includes(account.companyId) ? account : undefined;
  }

  async findByIds(tx: Tx, ids: readonly string[]): Promise<readonly Account[]> {
    return tx.rows<Account>(sql`
      SELECT id, company_id AS "companyId", external_id AS "externalId", name, code, archived,
             tax_code_external_id AS "taxCodeExternalId", accounting_system AS "accountingSystem", metadata,
             created_at AS "createdAt", updated_at AS "updatedAt"
      FROM account WHERE id = ANY(${ids}::uuid[])`);
  }

  /** The list of what a search finds. */
  listOf(search: AccountSearch): PagedList<Account> {
    const codes = [...(search.codes ?? []), ...(search.code == null ? [] : [search.code])];
    const ids = (search.ids ?? []).filter((id) => id !== null);
    const list = sql`
      FROM account
      WHERE company_id = ${search.companyId}
        AND (${search.archived}::boolean IS NULL OR archived = ${search.archived})
        AND (cardinality(${codes}::text[]) = 0 OR code = ANY(${codes}::text[]))
        AND (${search.externalId}::text IS NULL OR external_id = ${search.externalId})
        AND (cardinality(${ids}::uuid[]) = 0 OR id = ANY(${ids}::uuid[]))
        AND (${search.name}::text IS NULL OR name = ${search.name})
        AND NOT (${search.excludeIfAssignedToContraAccount} AND EXISTS (
          SELECT FROM company c, jsonb_each(c.contra_accounts) AS wallet (currency, shown)
          WHERE c.id = company_id AND (shown ->> 'id' = account.id::text OR shown ->> 'identifier' = external_id)))`;
    return { list, columns: ACCOUNT_COLUMNS, rows: (tx, ids) => this.findByIds(tx, ids) };
  }

  async change(tx: Tx, changed: Account): Promise<void> {
    await tx.execute(sql`
      UPDATE account
      SET name = ${changed.name}, code = ${changed.code}, archived = ${changed.archived},
          tax_code_external_id = ${changed.taxCodeExternalId},
          metadata = ${changed.metadata === null ? null : JSON.stringify(changed.metadata)}::jsonb,
          updated_at = ${changed.updatedAt}
      WHERE id = ${changed.id}`);
  }

  async remove(tx: Tx, id: string): Promise<void> {
    await tx.execute(sql`DELETE FROM account WHERE id = ${id}`);
  }

  /** Whether an accounting entry of the company names the account. */
  async isLinked(tx: Tx, { companyId, id }: Account): Promise<boolean> {
    const { linked } = await tx.one<{ linked: boolean }>(sql`
      SELECT EXISTS (
        SELECT FROM export_item WHERE company_id = ${companyId} AND strpos(body, ${`"${id}"`}) > 0) AS linked`);
    return linked;
  }
}
