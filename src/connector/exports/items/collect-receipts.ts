// Stores receipts in the ERP before the entries are posted, so that an item that fails because of a receipt has no entry in
// the books.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { toAccountingEntryId } from '../../../kernel/ids.js';
import { toStoredText } from '../../../kernel/message.js';
import { ErpUnavailable, type DocumentReference, type ErpFailure } from '../../erp/erp-ledger.js';
import { PlatformApi } from '../../platform/platform-api.js';
import { failedItemMessage, missingReceiptWarning, type FailedReceipt } from '../../receipts/domain/receipt-failure.js';
import { receiptFilesOf, type ReceiptFile } from '../../receipts/domain/receipt-file.js';
import { MissingReceipts } from '../../receipts/missing-receipts.js';
import { StoreItemReceipts, type ItemReceipts, type ReceiptsRequest } from '../../receipts/store-item-receipts.js';
import { mayPost, urgentBefore } from '../domain/deadline.js';
import { describeFailure } from '../domain/describe-failure.js';
import { reasonOf } from '../domain/item-failure.js';
import type { KnownEntry } from '../domain/plans/known-entry.js';
import type { ChunkItem, PlannedItem, PlannedPost } from '../domain/plans/plan-chunk.js';
import type { ItemResult } from '../stores/export-item.repository.js';
import type { JobRun } from '../run/job-run.js';
import { fenced } from '../stores/fenced.js';

/** An item to post, with its documents in the ERP. */
export type PostWithReceipts = PlannedPost & { readonly documents: readonly DocumentReference[] };

export interface ReceiptCollectionResult {
  readonly ready: readonly PostWithReceipts[];
  /** Items that fail because of their receipts. */
  readonly failed: readonly ItemResult[];
  /** Set when the ERP could not be used; then nothing is ready. */
  readonly failure: ErpFailure | undefined;
}

export const NOTHING: ReceiptCollectionResult = { ready: [], failed: [], failure: undefined };

@Injectable()
export class CollectReceipts {
  constructor(
    private readonly storeItemReceipts: StoreItemReceipts,
    private readonly missingReceipts: MissingReceipts,
    private readonly tenantDatabase: TenantDatabase,
    private readonly platformApi: PlatformApi,
  ) {}

  /**
   * @param items with the files of what is to be posted
   * @param known what is known of their entries
   * @returns no items when the time for posting is over by then; without items whose receipt is tried again by the next run
   * @throws the signal's reason
   */
  async collectFor(
    run: JobRun,
    items: readonly ChunkItem[],
    posts: readonly PlannedPost[],
    known: ReadonlyMap<string, KnownEntry>,
  ): Promise<ReceiptCollectionResult> {
    const files = filesOf(items, posts);
    if (files.size === 0) {
      return { ...NOTHING, ready: posts.map((item) => ({ ...item, documents: [] })) };
    }
    try {
      return await this.storeFiles(run, posts, files, known);
    } catch (error) {
      if (error instanceof ErpUnavailable) {
        return { ...NOTHING, failure: error.failure };
      }
      throw error;
    }
  }

  /** Repeats the warnings of items that an earlier run has posted without some of their receipts. */
  async addMissingReceiptWarnings(
    run: JobRun,
    items: readonly ChunkItem[],
    planned: readonly PlannedItem[],
  ): Promise<readonly PlannedItem[]> {
    const existing = planned.filter((item) => item.action === 'report-existing');
    const ids = [...filesOf(items, existing).keys()];
    if (ids.length === 0) {
      return planned;
    }
    const missing = await this.missingReceipts.load(scopeOf(run), ids);
    return planned.map((item) =>
      item.action === 'report-existing'
        ? { ...item, warnings: [...item.warnings, ...(missing.get(item.accountingEntryId) ?? [])] }
        : item,
    );
  }

  private async storeFiles(
    run: JobRun,
    posts: readonly PlannedPost[],
    files: ReadonlyMap<string, readonly ReceiptFile[]>,
    known: ReadonlyMap<string, KnownEntry>,
  ): Promise<ReceiptCollectionResult> {
    const hasTime = () => mayPost(run.job, this.platformApi.platformNow());
    const request: ReceiptsRequest = {
      ...scopeOf(run),
      erp: run.erp,
      items: [...files].map(([accountingEntryId, some]) => ({ accountingEntryId, files: some })),
      hasTime,
      signal: run.signal,
      write: (work) => fenced(this.tenantDatabase, 'remember receipts', run.lease, work),
    };
    const receipts = await this.storeItemReceipts.storeAll(request);
    if (!hasTime()) {
      return NOTHING;
    }
    const waiting = this.waitingItems(run, receipts);
    const mayMiss = run.masterData.policies.receipts === 'post-without';
    if (mayMiss) {
      await this.missingReceipts.record(
        request,
        new Map([...receipts].filter(([id]) => !waiting.has(id)).map(([id, { failed }]) => [id, failed])),
      );
    }
    const ready: PostWithReceipts[] = [];
    const failedItems: ItemResult[] = [];
    for (const item of posts.filter(({ accountingEntryId }) => !waiting.has(accountingEntryId))) {
      const id = item.accountingEntryId;
      const { documents, failed } = receipts.get(id) ?? { documents: [], failed: [] };
      const [first, ...others] = failed;
      if (first === undefined) {
        ready.push({ ...item, documents });
      } else if (mayMiss) {
        const warnings = [...item.warnings, ...failed.map((receipt) => toStoredText(missingReceiptWarning(receipt)))];
        ready.push({ ...item, documents, warnings });
      } else {
        failedItems.push(failedResult(id, [first, ...others], known.get(id) ?? {}));
      }
    }
    return { ready, failed: failedItems, failure: undefined };
  }

  /**
   * Items whose receipt a later attempt may get: unless the job's end is near they get no result now, and the next run fetches the
   * file's address again.
   */
  private waitingItems({ job }: JobRun, receipts: ReadonlyMap<string, ItemReceipts>): ReadonlySet<string> {
    if (job.expiresAt < urgentBefore(this.platformApi.platformNow())) {
      return new Set();
    }
    const waiting = [...receipts].filter(([, { failed }]) => failed.some(({ isTransient }) => isTransient === true));
    return new Set(waiting.map(([id]) => id));
  }
}

function scopeOf({ job, erpCompanyId }: JobRun) {
  return { installationId: job.installationId, erpCompanyId };
}

/** @returns by accounting entry, the files of the wanted items that have any */
function filesOf(
  items: readonly ChunkItem[],
  wanted: readonly { readonly accountingEntryId: string }[],
): ReadonlyMap<string, readonly ReceiptFile[]> {
  const ids = new Set(wanted.map(({ accountingEntryId }) => accountingEntryId));
  return new Map(
    items.flatMap((entry) => {
      const files = 'item' in entry && ids.has(entry.accountingEntryId) ? receiptFilesOf(entry.item) : [];
      return files.length === 0 ? [] : [[entry.accountingEntryId, files] as const];
    }),
  );
}

function failedResult(
  id: string,
  failed: readonly [FailedReceipt, ...FailedReceipt[]],
  known: Partial<KnownEntry>,
): ItemResult {
  const { failureType } = failed[0].failure;
  const issues = [{ kind: 'receipt', reference: failureType } as const];
  const failure = { failureType, ...reasonOf(failedItemMessage(failed)), issues };
  return { accountingEntryId: toAccountingEntryId(id), state: 'failed', ...describeFailure(id, known, failure) };
}
