import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../foundation/database/transaction.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { SimulatorConfig } from '../simulator-config.js';
import { signedPath } from './file-address.js';
import { ItemFileRepository } from './item-file.repository.js';

/** What items say of their files: addresses are made anew with every fetch. */
@Injectable()
export class ItemFiles {
  constructor(
    private readonly itemFileRepository: ItemFileRepository,
    private readonly simulatorClock: SimulatorClock,
    private readonly simulatorConfig: SimulatorConfig,
  ) {}

  /**
   * @param itemIds in any order
   * @returns what puts an item's files into its JSON text, and leaves the text of one without files as it is
   */
  async of(tx: Tx, itemIds: readonly string[]): Promise<(itemId: string, text: string) => string> {
    const found = await this.itemFileRepository.findByItems(tx, itemIds);
    const now = this.simulatorClock.now();
    return (itemId, text) => {
      const files = found.get(itemId)?.map((file) => ({
        url: `${this.simulatorConfig.publicUrl}${signedPath(file, now)}`,
        type: file.mediaType,
        size: file.announcedSize,
      }));
      return files === undefined ? text : withFiles(text, JSON.stringify(files));
    };
  }
}

/** In the place where the item says that it has none, or at its end. Inside a text no quote stands without a backslash. */
function withFiles(item: string, files: string): string {
  return item.includes(NONE)
    ? item.replace(NONE, () => `"files":${files}`)
    : `${item.slice(0, -1)},"files":${files}}`;
}

const NONE = '"files":null';
