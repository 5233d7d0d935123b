import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { ResourceRepository } from '../resources/resource.repository.js';
import type { TagGroup } from './tag-group.js';

@Injectable()
export class TagGroupRepository extends ResourceRepository<TagGroup> {
  constructor() {
    super({
      name: 'tag_group',
      columns: { name: 'text', code: 'text', archived: 'boolean', metadata: 'jsonb' },
    });
  }

  /**
   * Locks groups until the transaction ends, one after the other in the order of their ids: every change of tags locks
   * their group, so that its active tags are counted by one transaction at a time.
   */
  async lock(tx: Tx, ids: readonly string[]): Promise<void> {
    await tx.execute(sql`
      SELECT FROM tag_group WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`);
  }

  /** @param ids only these, archived ones included; none means all */
  async idsOf(
    tx: Tx,
    companyIds: readonly string[],
    filter: { readonly includeArchived: boolean; readonly ids: readonly string[] },
  ): Promise<readonly string[]> {
    const rows = await tx.rows<{ id: string }>(sql`
      SELECT id FROM tag_group
      WHERE company_id = ANY(${companyIds}::uuid[])
        AND CASE WHEN cardinality(${filter.ids}::uuid[]) > 0 THEN id = ANY(${filter.ids}::uuid[])
                 ELSE ${filter.includeArchived} OR NOT archived END`);
    return rows.map(({ id }) => id);
  }

  async countActive(tx: Tx, companyId: string): Promise<number> {
    const { count } = await tx.one<{ count: number }>(sql`
      SELECT count(*)::integer AS count FROM tag_group WHERE company_id = ${companyId} AND NOT archived`);
    return count;
  }

  /** Number of tags by group, archived ones included; a group without tags is missing. */
  async tagCounts(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await tx.rows<{ id: string; count: number }>(sql`
      SELECT group_id AS id, count(*)::integer AS count FROM tag
      WHERE group_id = ANY(${ids}::uuid[]) GROUP BY group_id`);
    return new Map(rows.map(({ id, count }) => [id, count]));
  }

  /** Accounting entries per tag; a tag that no entry carries is missing. */
  async usage(tx: Tx, group: TagGroup): Promise<readonly { readonly id: string; readonly count: number }[]> {
    return tx.rows(sql`
      SELECT t.id, count(DISTINCT e.accounting_entry_id)::integer AS count
      FROM export_item e,
           jsonb_path_query(e.body::jsonb, '$.accountingEntryLines[*].tags[*].id') AS named (id),
           tag t
      WHERE e.company_id = ${group.companyId} AND strpos(e.body, '"tags"') > 0
        AND t.group_id = ${group.id} AND t.id::text = lower(named.id #>> '{}')
      GROUP BY t.id, t.position
      ORDER BY t.position`);
  }
}
