import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { TagDimension, TagDimensionValue } from './tag-dimension.js';

@Injectable()
export class TagDimensionRepository {
  /** In display order within their group. */
  async ofGroups(tx: Tx, groupIds: readonly string[]): Promise<readonly TagDimension[]> {
    return tx.rows<TagDimension>(sql`
      SELECT id, group_id AS "groupId", name, code, visible, display_order AS "displayOrder",
             created_at AS "createdAt", updated_at AS "updatedAt"
      FROM tag_dimension WHERE group_id = ANY(${groupIds}::uuid[]) ORDER BY group_id, display_order, id`);
  }

  async add(tx: Tx, fresh: TagDimension): Promise<void> {
    await tx.execute(sql`
      INSERT INTO tag_dimension (id, group_id, name, code, visible, display_order, created_at, updated_at)
      VALUES (${fresh.id}, ${fresh.groupId}, ${fresh.name}, ${fresh.code}, ${fresh.visible},
              ${fresh.displayOrder}, ${fresh.createdAt}, ${fresh.updatedAt})`);
  }

  async change(tx: Tx, changed: TagDimension): Promise<void> {
    await tx.execute(sql`
      UPDATE tag_dimension
      SET name = ${changed.name}, code = ${changed.code}, visible = ${changed.visible},
          display_order = ${changed.displayOrder}, updated_at = ${changed.updatedAt}
      WHERE id = ${changed.id}`);
  }

  /** With its values. */
  async remove(tx: Tx, id: string): Promise<void> {
    await tx.execute(sql`DELETE FROM tag_dimension WHERE id = ${id}`);
  }

  /** Values of these tags, in display order of their dimensions. */
  async valuesOf(tx: Tx, tagIds: readonly string[]): Promise<readonly TagDimensionValue[]> {
    return tx.rows<TagDimensionValue>(sql`
      SELECT v.group_id AS "groupId", v.tag_id AS "tagId", v.dimension_id AS "dimensionId", v.value,
             v.created_at AS "createdAt", v.updated_at AS "updatedAt"
      FROM tag_dimension_value v JOIN tag_dimension d ON d.id = v.dimension_id
      WHERE v.tag_id = ANY(${tagIds}::uuid[])
      ORDER BY v.tag_id, d.display_order, d.id`);
  }

  /** Adds values, or replaces those that are there. */
  async putValues(tx: Tx, values: readonly TagDimensionValue[]): Promise<void> {
    await tx.execute(sql`
      INSERT INTO tag_dimension_value (group_id, tag_id, dimension_id, value, created_at, updated_at)
      SELECT fresh.* FROM jsonb_to_recordset(${JSON.stringify(values)}::jsonb)
        AS fresh ("groupId" uuid, "tagId" uuid, "dimensionId" uuid, value text, "createdAt" timestamptz,
                  "updatedAt" timestamptz)
      ON CONFLICT (tag_id, dimension_id) DO UPDATE
        SET value = excluded.value, updated_at = excluded.updated_at`);
  }

  async removeValue(tx: Tx, tagId: string, dimensionId: string): Promise<void> {
    await tx.execute(sql`
      DELETE FROM tag_dimension_value WHERE tag_id = ${tagId} AND dimension_id = ${dimensionId}`);
  }
}
