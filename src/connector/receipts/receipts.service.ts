import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import { missingReceiptText, type FailedReceipt } from './domain/receipt-failure.js';
import { ReceiptRepository, type ReceiptScope } from './receipt.repository.js';
import { StoreReceipts, type ItemReceipts, type ReceiptsRequest } from './store-receipts.js';

/** What other rooms may ask about receipts. */
@Injectable()
export class ReceiptsService {
  constructor(
    private readonly database: TenantDatabase,
    private readonly receipts: ReceiptRepository,
    private readonly storeReceipts: StoreReceipts,
    private readonly clock: Clock,
  ) {}

  /** Brings the files of items into the ERP, before the items are posted; see `StoreReceipts`. */
  async store(request: ReceiptsRequest): Promise<ReadonlyMap<string, ItemReceipts>> {
    return this.storeReceipts.run(request);
  }

  /**
   * Keeps which files the entries are posted without, so that it is not forgotten when their result is told later.
   * @param failed by accounting entry; an entry of which nothing is missing any more comes with none
   */
  async rememberMissing(
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
      this.receipts.replaceProblems(tx, request, [...failed.keys()], problems, this.clock.now()),
    );
  }

  /** @returns by accounting entry, what was to be said of the files it was posted without */
  async recallMissing(
    scope: ReceiptScope,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    return this.database.inInstallation('find missing receipts', scope.installationId, (tx) =>
      this.receipts.findProblems(tx, scope, ids),
    );
  }
}
