import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { ItemFileRepository, type ServedFile } from '../files/item-file.repository.js';
import { ApiError, notFound } from '../wire/api-error.js';
import { ExportItemRepository, type StoredItem } from './export-item.repository.js';

/** Adds receipts to an item. */
@Injectable()
export class AddItemFiles {
  constructor(
    private readonly exportItemRepository: ExportItemRepository,
    private readonly itemFileRepository: ItemFileRepository,
    private readonly database: Database,
  ) {}

  /** @throws ApiError 404 for an unknown item; 409 when the item was added with files in its own text */
  async addFiles(itemId: string, files: readonly ServedFile[]): Promise<void> {
    await this.database.inTransaction('add files', async (tx) => {
      const [item] = await this.exportItemRepository.findByIds(tx, [itemId]);
      if (item === undefined) {
        throw notFound('ITEM_NOT_FOUND', 'There is no such item.');
      }
      if (hasOwnFiles(item)) {
        throw new ApiError(409, 'ITEM_HAS_FILES', 'The item was added with files of its own, which it keeps.');
      }
      await this.itemFileRepository.add(tx, files);
    });
  }
}

function hasOwnFiles({ body }: StoredItem): boolean {
  const item: unknown = JSON.parse(body);
  return typeof item === 'object' && item !== null && (Reflect.get(item, 'files') ?? null) !== null;
}
