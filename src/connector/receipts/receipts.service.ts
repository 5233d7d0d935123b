import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import { missingReceiptText, type FailedReceipt } from './domain/receipt-failure.js';
import { ReceiptRepository, type ReceiptScope } from './receipt.repository.js';
import { StoreItemReceipts, type ItemReceipts, type ReceiptsRequest } from './store-item-receipts.js';

/** What other rooms may ask about receipts. */
@Injectable()
export class ReceiptsService {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly receiptRepository: ReceiptRepository,
    private readonly storeItemReceipts: StoreItemReceipts,
    private readonly clock: Clock,
  ) {}

  /** Brings the files of items into the ERP, before the items are posted; see `StoreItemReceipts`. */
  async store(request: ReceiptsRequest): Promise<ReadonlyMap<string, ItemReceipts>> {
    return this.storeItemReceipts.storeAll(request);
  }

  /**
   * Keeps which files the entries are posted without, so that it is not forgotten when their result is told later.
   * @param failed by accounting entry; an entry of which nothing is missing any more comes with none
   */
  async recordMissing(
    request: Pick<ReceiptsRequest, 'installationId' | 'erpCompanyId' | 'write'>,
    failed: ReadonlyMap<string, readonly FailedReceipt[]>,
  ): Promise<void> {
    const problems = [...failed].flatMap(([accountingEntryId, receipts]) =>
      receipts.map((receipt) => ({
        accountingEntryId,
        file: receipt.file,
        problem: missingReceiptText(receipt),
      })),
    );
    await request.write((tx) =>
      this.receiptRepository.replaceProblems(tx, request, [...failed.keys()], problems, this.clock.now()),
    );
  }

  /** @returns by accounting entry, what was to be said of the files it was posted without */
  async loadMissing(
    scope: ReceiptScope,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    return this.tenantDatabase.inInstallation('find missing receipts', scope.installationId, (tx) =>
      this.receiptRepository.findProblems(tx, scope, ids),
    );
  }
}
