import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';

/** A receipt behind an export item, without its bytes. */
export interface ItemFile {
  readonly id: string;
  readonly itemId: string;
  readonly name: string;
  readonly mediaType: string;
  /** What the item says, in bytes. */
  readonly announcedSize: number;
  /** What is served, in bytes. */
  readonly size: number;
  /** Bytes after which the connection breaks; null: it does not. */
  readonly breakAfter: number | null;
  readonly addressKey: string;
}

export interface ServedFile extends ItemFile {
  /** Null: generated while it is served. */
  readonly content: Buffer | null;
}

interface FileRow extends Omit<ServedFile, 'announcedSize' | 'size' | 'breakAfter'> {
  readonly announcedSize: bigint;
  readonly size: bigint;
  readonly breakAfter: bigint | null;
}

@Injectable()
export class ItemFileRepository {
  /** Adds files behind those that an item has. */
  async add(tx: Tx, files: readonly ServedFile[]): Promise<void> {
    for (const file of files) {
      await tx.execute(sql`
        INSERT INTO item_file (id, accounting_entry_id, position, name, media_type, announced_size, size, content, break_after,
          address_key)
        SELECT ${file.id}, ${file.itemId}, 1 + coalesce(max(position), 0), ${file.name}, ${file.mediaType},
          ${file.announcedSize}, ${file.size}, ${file.content}, ${file.breakAfter}, ${file.addressKey}
        FROM item_file WHERE accounting_entry_id = ${file.itemId}`);
    }
  }

  /** @returns by item, its files in their order */
  async findByItems(tx: Tx, itemIds: readonly string[]): Promise<ReadonlyMap<string, readonly ItemFile[]>> {
    const rows = await tx.rows<FileRow>(sql`
      SELECT id, accounting_entry_id AS "itemId", name, media_type AS "mediaType", announced_size AS "announcedSize", size,
        NULL AS content, break_after AS "breakAfter", address_key AS "addressKey"
      FROM item_file WHERE accounting_entry_id = ANY(${itemIds}::uuid[]) ORDER BY position`);
    return Map.groupBy(rows.map(fileOf), ({ itemId }) => itemId);
  }

  async find(tx: Tx, id: string): Promise<ServedFile | undefined> {
    const row = await tx.maybeOne<FileRow>(sql`
      SELECT id, accounting_entry_id AS "itemId", name, media_type AS "mediaType", announced_size AS "announcedSize", size,
        content, break_after AS "breakAfter", address_key AS "addressKey"
      FROM item_file WHERE id = ${id}`);
    return row && fileOf(row);
  }
}

function fileOf(row: FileRow): ServedFile {
  return {
    ...row,
    announcedSize: Number(row.announcedSize),
    size: Number(row.size),
    breakAfter: row.breakAfter === null ? null : Number(row.breakAfter),
  };
}
