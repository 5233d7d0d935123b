import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { ResourceRepository } from '../resources/resource.repository.js';
import type { SortColumns } from '../paging/keyset.js';
import type { PagedList } from '../paging/read-page.js';
import { companyFilter } from '../companies/company-filter.js';
import type { Tag, TagSearch } from './tag.js';

/** Two tags of a group never have the same code, archived ones included. */
export const TAG_KEY = 'tag_group_id_code_uq';

/** What tags can be sorted by; each key has its index. */
export const TAG_COLUMNS: SortColumns = {
  id: { kind: 'uuid', expression: sql`id` },
  name: { kind: 'nullable-text', expression: sql`name` },
  code: { kind: 'text', expression: sql`code` },
  createdAt: { kind: 'instant', expression: sql`created_at` },
  updatedAt: { kind: 'instant', expression: sql`updated_at` },
};

@Injectable()
export class TagRepository extends ResourceRepository<Tag> {
  constructor() {
    super({
      name: 'tag',
      columns: { groupId: 'uuid', name: 'text', code: 'text', archived: 'boolean' },
      key: '(group_id, code)',
    });
  }

  /** The list of what a search finds. */
  listOf(search: TagSearch): PagedList<Tag> {
    const { companyIds, groupIds, tagIds, archived, text } = search;
    const list = sql`
      FROM tag
      WHERE ${companyFilter(companyIds)}
        AND (cardinality(${groupIds}::uuid[]) = 0 OR group_id = ANY(${groupIds}::uuid[]))
        AND (cardinality(${tagIds}::uuid[]) = 0 OR id = ANY(${tagIds}::uuid[]))
        AND (${archived}::boolean IS NULL OR archived = ${archived})
        AND (${text} = '' OR strpos(lower(name), lower(${text})) > 0)`;
    return { list, columns: TAG_COLUMNS, rows: (tx, ids) => this.findByIds(tx, ids) };
  }

  async countActive(tx: Tx, groupId: string): Promise<number> {
    const { count } = await tx.one<{ count: number }>(sql`
      SELECT count(*)::integer AS count FROM tag WHERE group_id = ${groupId} AND NOT archived`);
    return count;
  }

  async setArchived(tx: Tx, ids: readonly string[], archived: boolean, now: Date): Promise<void> {
    await tx.execute(sql`
      UPDATE tag SET archived = ${archived}, updated_at = ${now} WHERE id = ANY(${ids}::uuid[])`);
  }
}
