// Journal entries as files, for ERPs that read files: batches are closed, listed and downloaded by people.
import { Injectable } from '@nestjs/common';
import type { InstallationId } from '../../kernel/ids.js';
import type { ErpBatch, ErpBatches, ErpBatchesClosed, ErpBatchReceipts } from '../erp/kit/erp-batches.js';
import { StoredErpConnections } from './stored-erp-connections.js';

/** The connected ERP takes entries over its interface, or none is connected. */
export class NoBatches extends Error {
  override readonly name = 'NoBatches';
}

@Injectable()
export class HandOutBatches {
  constructor(private readonly storedErpConnections: StoredErpConnections) {}

  /** @throws NoBatches, ErpUnavailable */
  async close(installationId: InstallationId): Promise<ErpBatchesClosed> {
    return (await this.batchesOf(installationId)).close();
  }

  /**
   * Oldest first.
   * @param after number of the last batch of the page before; 0 for the first page
   * @throws NoBatches, ErpUnavailable
   */
  async list(installationId: InstallationId, after: number, limit: number): Promise<readonly ErpBatch[]> {
    return (await this.batchesOf(installationId)).list(after, limit);
  }

  /** @throws NoBatches, ErpUnavailable */
  async read(installationId: InstallationId, number: number): ReturnType<ErpBatches['read']> {
    return (await this.batchesOf(installationId)).read(number);
  }

  /**
   * The receipts behind the entries of a batch.
   * @returns undefined when there is no such batch, or when receipts are no part of them
   * @throws NoBatches, ErpUnavailable
   */
  async receipts(installationId: InstallationId, number: number): Promise<ErpBatchReceipts | undefined> {
    return (await this.batchesOf(installationId)).receipts?.(number);
  }

  private async batchesOf(installationId: InstallationId): Promise<ErpBatches> {
    const batches = await this.storedErpConnections.openBatches(installationId);
    if (batches === undefined) {
      throw new NoBatches('the connected accounting system takes no files');
    }
    return batches;
  }
}
