import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import { toStoredText } from '../../kernel/message.js';
import { missingReceiptWarning, type FailedReceipt } from './domain/receipt-failure.js';
import { ReceiptRepository, type ReceiptScope } from './receipt.repository.js';
import type { ReceiptsRequest } from './store-item-receipts.js';

/** Records and reads the receipts that entries were posted without. */
@Injectable()
export class MissingReceipts {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly receiptRepository: ReceiptRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Records the files that entries are posted without, for a report of their results by a later run.
   * @param failed by accounting entry; an empty list removes what was recorded before
   */
  async record(
    request: Pick<ReceiptsRequest, 'installationId' | 'erpCompanyId' | 'write'>,
    failed: ReadonlyMap<string, readonly FailedReceipt[]>,
  ): Promise<void> {
    const problems = [...failed].flatMap(([accountingEntryId, receipts]) =>
      receipts.map((receipt) => ({
        accountingEntryId,
        file: receipt.file,
        problem: toStoredText(missingReceiptWarning(receipt)),
      })),
    );
    await request.write((tx) =>
      this.receiptRepository.replaceProblems(tx, request, [...failed.keys()], problems, this.clock.now()),
    );
  }

  /** @returns by accounting entry, the warning about each file it was posted without */
  async load(scope: ReceiptScope, ids: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    return this.tenantDatabase.readOnce('find missing receipts', scope.installationId, (tx) =>
      this.receiptRepository.findProblems(tx, scope, ids),
    );
  }
}
