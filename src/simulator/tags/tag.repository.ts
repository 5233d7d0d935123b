import { Injectable } from '@nestjs/common';
import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { KeyWindow, WindowedKey } from '../paging/key-window.js';
import type { Tag, TagSearch } from './tag.js';

/** Two tags of a group never have the same code, archived ones included. */
export const TAG_KEY = 'tag_group_id_code_uq';

@Injectable()
export class TagRepository {
  /** Adds the tags whose code is free in their group. @returns ids of the added ones */
  async addNew(tx: Tx, tags: readonly Tag[]): Promise<ReadonlySet<string>> {
    const rows = await tx.rows<{ id: string }>(sql`
      INSERT INTO tag (id, company_id, group_id, name, code, archived, created_at, updated_at)
      SELECT fresh.* FROM jsonb_to_recordset(${JSON.stringify(tags)}::jsonb)
        AS fresh (id uuid, "companyId" uuid, "groupId" uuid, name text, code text, archived boolean,
                  "createdAt" timestamptz, "updatedAt" timestamptz)
      ON CONFLICT (group_id, code) DO NOTHING
      RETURNING id`);
    return new Set(rows.map(({ id }) => id));
  }

  async findByIds(tx: Tx, ids: readonly string[]): Promise<readonly Tag[]> {
    return tx.rows<Tag>(sql`
      SELECT id, company_id AS "companyId", group_id AS "groupId", name, code, archived,
             created_at AS "createdAt", updated_at AS "updatedAt"
      FROM tag WHERE id = ANY(${ids}::uuid[]) ORDER BY position`);
  }

  async keys(tx: Tx, search: TagSearch, window: KeyWindow): Promise<readonly WindowedKey[]> {
    const { companyIds, groupIds, tagIds, archived, text } = search;
    return tx.rows<WindowedKey>(sql`
      WITH matching AS (
        SELECT id, position,
               CASE WHEN ${window.isSorted} THEN jsonb_build_object(
                 'name', name, 'code', code, 'createdAt', created_at, 'updatedAt', updated_at) END AS "sortValues"
        FROM tag
        WHERE company_id = ANY(${companyIds}::uuid[])
          AND (cardinality(${groupIds}::uuid[]) = 0 OR group_id = ANY(${groupIds}::uuid[]))
          AND (cardinality(${tagIds}::uuid[]) = 0 OR id = ANY(${tagIds}::uuid[]))
          AND (${archived}::boolean IS NULL OR archived = ${archived})
          AND (${text} = '' OR strpos(lower(name), lower(${text})) > 0))
      SELECT shown.*, counted.*
      FROM (SELECT count(*)::integer AS total,
                   greatest(0, ${window.shift} + count(*) FILTER (WHERE position < ${window.below}))::integer AS "from"
            FROM matching) AS counted
      LEFT JOIN LATERAL (
        SELECT * FROM matching WHERE position < ${window.upTo}
        ORDER BY position OFFSET counted."from" LIMIT ${window.limit}) AS shown ON true
      ORDER BY shown.position`);
  }

  async countActive(tx: Tx, groupId: string): Promise<number> {
    const { count } = await tx.one<{ count: number }>(sql`
      SELECT count(*)::integer AS count FROM tag WHERE group_id = ${groupId} AND NOT archived`);
    return count;
  }

  async change(tx: Tx, changed: Tag): Promise<void> {
    await tx.execute(sql`
      UPDATE tag
      SET name = ${changed.name}, code = ${changed.code}, archived = ${changed.archived},
          updated_at = ${changed.updatedAt}
      WHERE id = ${changed.id}`);
  }

  async setArchived(tx: Tx, ids: readonly string[], archived: boolean, now: Date): Promise<void> {
    await tx.execute(sql`
      UPDATE tag SET archived = ${archived}, updated_at = ${now} WHERE id = ANY(${ids}::uuid[])`);
  }

  async remove(tx: Tx, ids: readonly string[]): Promise<void> {
    await tx.execute(sql`DELETE FROM tag WHERE id = ANY(${ids}::uuid[])`);
  }
}
