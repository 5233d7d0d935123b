import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { TagGroup } from './tag-group.js';

@Injectable()
export class TagGroupRepository {
  async add(tx: Tx, groups: readonly TagGroup[]): Promise<void> {
    await tx.execute(sql`
      INSERT INTO tag_group (id, company_id, name, code, archived, metadata, created_at, updated_at)
      SELECT fresh.* FROM jsonb_to_recordset(${JSON.stringify(groups)}::jsonb)
        AS fresh (id uuid, "companyId" uuid, name text, code text, archived boolean, metadata jsonb,
                  "createdAt" timestamptz, "updatedAt" timestamptz)`);
  }

  /**
   * Locks groups until the transaction ends, one after the other in the order of their ids: every change of tags locks
   * their group, so that its active tags are counted by one transaction at a time.
   */
  async lock(tx: Tx, ids: readonly string[]): Promise<void> {
    await tx.execute(sql`
      SELECT FROM tag_group WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`);
  }

  /** In the order of creation. */
  async findByIds(tx: Tx, ids: readonly string[]): Promise<readonly TagGroup[]> {
    return tx.rows<TagGroup>(sql`
      SELECT id, company_id AS "companyId", name, code, archived, metadata, created_at AS "createdAt",
             updated_at AS "updatedAt"
      FROM tag_group WHERE id = ANY(${ids}::uuid[]) ORDER BY position`);
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

  async change(tx: Tx, changed: TagGroup): Promise<void> {
    await tx.execute(sql`
      UPDATE tag_group
      SET name = ${changed.name}, code = ${changed.code}, archived = ${changed.archived},
          metadata = ${JSON.stringify(changed.metadata)}::jsonb, updated_at = ${changed.updatedAt}
      WHERE id = ${changed.id}`);
  }

  /** With its tags and dimensions. */
  async remove(tx: Tx, id: string): Promise<void> {
    await tx.execute(sql`DELETE FROM tag_group WHERE id = ${id}`);
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
