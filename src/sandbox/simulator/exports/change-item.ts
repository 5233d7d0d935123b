import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { SimulatorConfig } from '../simulator-config.js';
import { ApiError, notFound } from '../wire/api-error.js';
import { ExportAccess } from './export-access.js';
import { readNewItems, type ItemCheck } from './export-item.js';
import { ExportItemRepository, type StoredItem } from './export-item.repository.js';

/** A person changes an expense; while it is being exported it is locked (P1.4, first row). */
@Injectable()
export class ChangeItem {
  constructor(
    private readonly exportAccess: ExportAccess,
    private readonly exportItemRepository: ExportItemRepository,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
    private readonly simulatorConfig: SimulatorConfig,
  ) {}

  /**
   * @param text the new content as JSON, a version 3 item; its id stays
   * @param check which content is accepted
   * @throws ApiError 409 while it is in a running job; 404, 400
   */
  async replace(itemId: string, text: string, check: ItemCheck): Promise<void> {
    await this.database.inTransaction('replace item', async (tx) => {
      const { id, companyId } = await this.lockItem(tx, itemId);
      const surroundings = { now: this.simulatorClock.now(), site: this.simulatorConfig.publicUrl };
      const [item] = readNewItems(`[${text}]`, companyId, surroundings, check);
      if (item !== undefined) {
        await this.exportItemRepository.replace(tx, { ...withId(item, id), id });
      }
    });
  }

  /** @throws ApiError 409 while it is in a running job, or when a finished job contains it; 404 */
  async remove(itemId: string): Promise<void> {
    await this.database.inTransaction('remove item', async (tx) => {
      const { id } = await this.lockItem(tx, itemId);
      if ((await this.exportItemRepository.useOf(tx, id)) === 'finished') {
        throw new ApiError(409, 'ENTRY_EXPORTED', 'The entry is part of a finished export.');
      }
      await this.exportItemRepository.remove(tx, id);
    });
  }

  private async lockItem(tx: Tx, itemId: string): Promise<StoredItem> {
    const [item] = await this.exportItemRepository.findByIds(tx, [itemId]);
    if (item === undefined) {
      throw notFound('ITEM_NOT_FOUND', 'There is no such item.');
    }
    await this.exportAccess.lockCompany(tx, item.companyId);
    if ((await this.exportItemRepository.useOf(tx, item.id)) === 'running') {
      throw new ApiError(409, 'ENTRY_LOCKED', 'The entry is being exported and cannot be changed.');
    }
    return item;
  }
}

/** The item's text under the id it had. */
function withId(item: StoredItem, id: string): StoredItem {
  return { ...item, body: item.body.replaceAll(item.id, id) };
}
