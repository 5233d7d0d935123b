import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { ResourceRepository } from '../resources/resource.repository.js';
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
export class AccountRepository extends ResourceRepository<Account> {
  constructor() {
    super({
      name: 'account',
      columns: {
        externalId: 'text',
        name: 'text',
        code: 'text',
        archived: 'boolean',
        taxCodeExternalId: 'text',
        accountingSystem: 'text',
        metadata: 'jsonb',
      },
      key: '(company_id, external_id)',
    });
  }

  async findByExternalId(tx: Tx, companyId: string, externalId: string): Promise<Account | undefined> {
    const row = await tx.maybeOne<{ id: string }>(sql`
      SELECT id FROM account WHERE company_id = ${companyId} AND external_id = ${externalId}`);
    const [account] = row === undefined ? [] : await this.findByIds(tx, [row.id]);
    return account;
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
        AND NOT (${search.excludeIfAssignedToCategory === true} AND EXISTS (
          SELECT FROM category WHERE account_id = account.id))
        AND NOT (${search.excludeIfAssignedToContraAccount === true} AND EXISTS (
          SELECT FROM company c, jsonb_each(c.contra_accounts) AS wallet (currency, shown)
          WHERE c.id = company_id AND (shown ->> 'id' = account.id::text OR shown ->> 'identifier' = external_id)))`;
    return { list, columns: ACCOUNT_COLUMNS, rows: (tx, ids) => this.findByIds(tx, ids) };
  }

  /** Whether an accounting entry of the company names the account. */
  async isLinked(tx: Tx, { companyId, id }: Account): Promise<boolean> {
    const { linked } = await tx.one<{ linked: boolean }>(sql`
      SELECT EXISTS (
        SELECT FROM export_item WHERE company_id = ${companyId} AND strpos(body, ${`"${id}"`}) > 0) AS linked`);
    return linked;
  }
}
