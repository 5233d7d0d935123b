import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { SimulatorConfig } from '../simulator-config.js';
import { ApiError, notFound } from '../wire/api-error.js';
import { isValid, signedPath } from './file-address.js';
import { ItemFileRepository, type ServedFile } from './item-file.repository.js';

/** The files of items. Every fetch of an item creates new addresses of its files. */
@Injectable()
export class ItemFiles {
  constructor(
    private readonly itemFileRepository: ItemFileRepository,
    private readonly simulatorClock: SimulatorClock,
    private readonly simulatorConfig: SimulatorConfig,
    private readonly database: Database,
  ) {}

  /**
   * The file behind an address that `of` created.
   * @throws ApiError 404 for an unknown file; 403 for an address that has expired or was changed
   */
  async find(id: string, expires: string, signature: string): Promise<ServedFile> {
    const file = await this.database.inTransaction('find file', (tx) => this.itemFileRepository.find(tx, id));
    if (file === undefined) {
      throw notFound('FILE_NOT_FOUND', 'There is no such file.');
    }
    if (!isValid(file, expires, signature, this.simulatorClock.now())) {
      throw new ApiError(403, 'FILE_ADDRESS_INVALID', 'The address has expired or was not made by us.');
    }
    return file;
  }

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

/** Replaces `"files":null`, or appends. Inside a JSON text every quote has a backslash, so no value of an item matches. */
function withFiles(item: string, files: string): string {
  return item.includes(NONE) ? item.replace(NONE, () => `"files":${files}`) : `${item.slice(0, -1)},"files":${files}}`;
}

const NONE = '"files":null';
