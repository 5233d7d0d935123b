// Records results, and the reports to the platform about them, in one fenced transaction.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { Clock } from '../../../kernel/clock.js';
import type { ExportItem } from '../../bookkeeping/item/export-item.js';
import { ITEM_UPDATE_LIMIT, type ReportedItem } from '../../platform/platform-api.js';
import { FailedEntryRepository } from '../issues/failed-entry.repository.js';
import type { CompanyLease } from '../stores/company-lease.repository.js';
import type { ExportJob } from '../domain/export-job.js';
import { factsOf, toStoredItem } from '../domain/plans/stored-item.js';
import type { ChunkItem } from '../domain/plans/plan-chunk.js';
import { ExportItemRepository, type ItemResult, type RecordedResult } from '../stores/export-item.repository.js';
import { countItems } from '../exports.metrics.js';
import type { IntentOutcome } from '../stores/posting-intent.js';
import { PostingIntentRepository } from '../stores/posting-intent.repository.js';
import { fenced } from '../stores/fenced.js';
import { OutboxRepository } from './outbox.repository.js';
import { failedResult, successfulResult } from './wire-result.js';

@Injectable()
export class RecordResults {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly exportItemRepository: ExportItemRepository,
    private readonly postingIntentRepository: PostingIntentRepository,
    private readonly outboxRepository: OutboxRepository,
    private readonly failedEntryRepository: FailedEntryRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * @param intents outcomes of the posting intents behind the results
   * @param items the items of the results, as far as their data is known
   * @throws LeaseLost before anything is written
   */
  async record(
    job: ExportJob,
    lease: CompanyLease,
    results: readonly ItemResult[],
    intents: readonly IntentOutcome[] = [],
    items: readonly ChunkItem[] = [],
  ): Promise<void> {
    if (results.length === 0 && intents.length === 0) {
      return;
    }
    const reported = await fenced(this.tenantDatabase, 'record results', lease, async (tx) => {
      const at = this.clock.now();
      if (job.erpCompanyId !== undefined) {
        this.postingIntentRepository.recordOutcomes(tx, job, job.erpCompanyId, intents);
      }
      const messageOf = (index: number) => Math.floor(index / ITEM_UPDATE_LIMIT);
      const recorded = await this.exportItemRepository.record(tx, job, results, itemsOf(results, items), messageOf, at);
      this.recordIssues(tx, job, results, recorded, items, at);
      this.outboxRepository.addItems(tx, job, messagesOf(recorded), at);
      return recorded;
    });
    countItems(reported);
  }

  private recordIssues(
    tx: Tx,
    job: ExportJob,
    results: readonly ItemResult[],
    recorded: readonly RecordedResult[],
    items: readonly ChunkItem[],
    at: Date,
  ): void {
    const ids = new Set(recorded.map(({ accountingEntryId }) => accountingEntryId));
    const facts = new Map(
      readableAmong(items, ids).map(({ accountingEntryId, item }) => [accountingEntryId, factsOf(item)]),
    );
    const newResults = results.filter(
      (result) => ids.has(result.accountingEntryId) && !(result.state === 'failed' && result.isBookedByHand === true),
    );
    this.failedEntryRepository.recordResults(tx, job, newResults, facts, at);
  }
}

/** The items of the results, as they are stored. */
function itemsOf(results: readonly ItemResult[], items: readonly ChunkItem[]): ReadonlyMap<string, ExportItem> {
  const ids = new Set<string>(results.map(({ accountingEntryId }) => accountingEntryId));
  return new Map(
    readableAmong(items, ids).map(({ accountingEntryId, item }) => [accountingEntryId, toStoredItem(item)]),
  );
}

function readableAmong(items: readonly ChunkItem[], ids: ReadonlySet<string>) {
  return items.flatMap((entry) => ('item' in entry && ids.has(entry.accountingEntryId) ? [entry] : []));
}

/** @returns the results in each outbox message, by its number */
function messagesOf(recorded: readonly RecordedResult[]): ReadonlyMap<number, readonly ReportedItem[]> {
  const messages = Map.groupBy(recorded, ({ reportedIn }) => reportedIn);
  return new Map([...messages].map(([seq, items]) => [seq, items.map(toReport)]));
}

function toReport(item: RecordedResult): ReportedItem {
  const { accountingEntryId } = item;
  return item.state === 'failed'
    ? failedResult(accountingEntryId, item.failureType, item.failureReason)
    : successfulResult(accountingEntryId, item.externalId, item.externalUrl, item.at);
}
