// Stores the receipts of many items, some at a time; a receipt that the ERP has is not sent again.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { Tx } from '../../foundation/database/transaction.js';
import { Clock } from '../../kernel/clock.js';
import type { ConnectedErp } from '../erp/connected-erp.js';
import { UNATTACHED_DOCUMENT_DAYS, type DocumentReference } from '../erp/erp-ledger.js';
import { tooMany, type FailedReceipt } from './domain/receipt-failure.js';
import { fileNameOf, type ReceiptFile } from './domain/receipt-file.js';
import { receiptKey, ReceiptRepository, type KnownReceipt, type ReceiptScope } from './receipt.repository.js';
import { StoreReceipt } from './store-receipt.js';

export interface ReceiptsRequest extends ReceiptScope {
  readonly erp: ConnectedErp;
  readonly items: readonly ItemReceiptFiles[];
  /** Whether another write to the ERP may begin. */
  readonly hasTime: () => boolean;
  /** Ends downloads at once, with its reason. */
  readonly signal: AbortSignal;
  /** Runs work in a transaction of the company's owner. */
  readonly write: (work: (tx: Tx) => Promise<void>) => Promise<void>;
}

export interface ItemReceiptFiles {
  readonly accountingEntryId: string;
  readonly files: readonly ReceiptFile[];
}

/** The receipts of an item: those stored in the ERP and those that failed, both in the item's order. */
export interface ItemReceipts {
  readonly documents: readonly DocumentReference[];
  readonly failed: readonly FailedReceipt[];
}

const MAX_CONCURRENT = 4;
/** Documents of a posting group. */
const MAX_DOCUMENTS = 100;
/** Half of the time for which an ERP keeps documents without an entry: the other half is left to post the entry. */
const DOCUMENT_REUSE_MS = (UNATTACHED_DOCUMENT_DAYS / 2) * 86_400_000;

@Injectable()
export class StoreItemReceipts {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly receiptRepository: ReceiptRepository,
    private readonly storeReceipt: StoreReceipt,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns by accounting entry; an item is missing when the time was over before all of its files were tried
   * @throws ErpUnavailable; the signal's reason; receipts stored by then are recorded
   */
  async storeAll(request: ReceiptsRequest): Promise<ReadonlyMap<string, ItemReceipts>> {
    const all = request.items.flatMap(({ accountingEntryId, files }) =>
      files.map((file) => ({ accountingEntryId, file })),
    );
    const stored = new Map(await this.loadStored(request));
    const failures = new Map<string, FailedReceipt>();
    const missing = all.filter((receipt) => !stored.has(receiptKey(receipt)));
    await forEachLimited(missing, request.signal, async (receipt, signal) => {
      const { file } = receipt;
      const key = receiptKey(receipt);
      if (file.position > MAX_DOCUMENTS) {
        failures.set(key, { file, failure: tooMany(MAX_DOCUMENTS) });
        return;
      }
      const result = await this.storeReceipt.storeWithRetries(request.erp, file, request.hasTime, signal);
      if (result !== undefined && 'documentId' in result) {
        await this.recordStored(request, receipt, result.documentId);
        stored.set(key, result.documentId);
      } else if (result !== undefined) {
        failures.set(key, { file, ...result });
      }
    });
    return new Map(request.items.flatMap((item) => receiptsOf(item, stored, failures)));
  }

  private async loadStored(request: ReceiptsRequest): Promise<ReadonlyMap<string, string>> {
    const ids = request.items.map(({ accountingEntryId }) => accountingEntryId);
    const since = new Date(this.clock.now().getTime() - DOCUMENT_REUSE_MS);
    return this.tenantDatabase.readOnce('find receipts', request.installationId, (tx) =>
      this.receiptRepository.findStored(tx, request, ids, since),
    );
  }

  /** Recorded at once, so that a later run does not send it again. */
  private async recordStored(request: ReceiptsRequest, receipt: KnownReceipt, documentId: string): Promise<void> {
    await request.write((tx) =>
      this.receiptRepository.recordStored(tx, request, receipt, documentId, this.clock.now()),
    );
  }
}

/** Processes a few elements at the same time; after the first error, which is thrown, none is started. */
async function forEachLimited<T>(
  elements: readonly T[],
  signal: AbortSignal,
  work: (element: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const queue = elements.values();
  const workOff = async () => {
    for (const element of queue) {
      if (failed.signal.aborted) {
        return;
      }
      await work(element, either);
    }
  };
  const workers = Array.from({ length: MAX_CONCURRENT }, () =>
    workOff().catch((error: unknown) => {
      failed.abort(error);
    }),
  );
  await Promise.all(workers);
  failed.signal.throwIfAborted();
}

/** @returns nothing when not all of its files have a result */
function receiptsOf(
  { accountingEntryId, files }: ItemReceiptFiles,
  stored: ReadonlyMap<string, string>,
  failures: ReadonlyMap<string, FailedReceipt>,
): readonly (readonly [string, ItemReceipts])[] {
  const documents: DocumentReference[] = [];
  const failed: FailedReceipt[] = [];
  for (const file of files) {
    const key = receiptKey({ accountingEntryId, file });
    const documentId = stored.get(key);
    const failure = failures.get(key);
    if (documentId !== undefined) {
      documents.push({ documentId, fileName: fileNameOf(file) });
    } else if (failure !== undefined) {
      failed.push(failure);
    } else {
      return [];
    }
  }
  return [[accountingEntryId, { documents, failed }]];
}
