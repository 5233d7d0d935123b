// One chunk of items: load → plan (pure) → receipts → intents → ERP → outcomes and report, in that order and restartable anywhere.
import { Injectable } from '@nestjs/common';
import { sha256Hex } from '../../../foundation/crypto/sha256.js';
import { AppLogger } from '../../../foundation/logging/app-logger.js';
import { Bug } from '../../../kernel/faults.js';
import { toAccountingEntryId } from '../../../kernel/ids.js';
import { ErpUnavailable } from '../../erp/erp-ledger.js';
import { contentsOf } from '../../bookkeeping/item/content-of.js';
import type { ItemResult } from '../stores/export-item.repository.js';
import { enforcePreview } from '../domain/plans/enforce-preview.js';
import type { KnownEntry } from '../domain/plans/known-entry.js';
import { failedItem, planChunk, type ChunkItem, type PlannedItem } from '../domain/plans/plan-chunk.js';
import { CollectReceipts } from './collect-receipts.js';
import { CreateMissingVendors } from './create-missing-vendors.js';
import type { JobRun } from '../run/job-run.js';
import { LoadKnownEntries, type StandingCheck } from '../posting/load-known-entries.js';
import { PostReadyItems } from '../posting/post-ready-items.js';
import { intentOutcomeOf, resultOf } from '../posting/posting-attempt.js';
import { RecordResults } from '../reporting/record-results.js';

@Injectable()
export class ExportChunk {
  constructor(
    private readonly loadKnownEntries: LoadKnownEntries,
    private readonly createMissingVendors: CreateMissingVendors,
    private readonly collectReceipts: CollectReceipts,
    private readonly postReadyItems: PostReadyItems,
    private readonly recordResults: RecordResults,
    private readonly appLogger: AppLogger,
  ) {}

  /**
   * @param items each once, without a result yet
   * @returns the items that have no result yet: the ERP may not show yet what it has of them, or a receipt is tried again
   * @throws ErpUnavailable when the ERP does not respond; what is known by then is recorded
   */
  async planAndPost(run: JobRun, items: readonly ChunkItem[]): Promise<readonly string[]> {
    const known = await this.loadKnownEntries.loadOrLookUp(
      run.job,
      run.lease,
      items.map((entry) => entry.accountingEntryId),
      standingCheck(run, items),
    );
    const plan = enforcePreview(await this.planWithVendors(run, items, known), run.expected, sha256Hex);
    const planned = await this.collectReceipts.addMissingReceiptWarnings(run, items, plan);
    this.logFaults(run, planned);
    const toPost = planned.filter((item) => item.action === 'post' || item.action === 'repost');
    const { ready, failed, failure: noReceipts } = await this.collectReceipts.collectFor(run, items, toPost, known);
    const { posted, failure = noReceipts } = await this.postReadyItems.postOrReplace(run, ready);
    const { conflicts } = run.masterData.policies;
    const results = [...planned.flatMap(decidedResult), ...failed, ...posted.map((item) => resultOf(item, conflicts))];
    await this.recordResults.record(
      run.job,
      run.lease,
      results,
      posted.map(intentOutcomeOf).filter((outcome) => outcome !== undefined),
      items,
    );
    if (failure !== undefined) {
      throw new ErpUnavailable(failure);
    }
    const ended = new Set<string>(results.map(({ accountingEntryId }) => accountingEntryId));
    return items.map(({ accountingEntryId }) => accountingEntryId).filter((id) => !ended.has(id));
  }

  private logFaults(run: JobRun, planned: readonly PlannedItem[]): void {
    for (const item of planned) {
      if (item.action === 'fail' && item.fault !== undefined) {
        const { accountingEntryId, fault } = item;
        const fields = { exportJobId: run.job.id, accountingEntryId, err: fault };
        this.appLogger.of('exports').error(fields, 'export_item.planning_failed');
      }
    }
  }

  /** Plans, and where the plan needs vendors in the ERP first, creates them and plans those items again. */
  private async planWithVendors(
    run: JobRun,
    items: readonly ChunkItem[],
    known: ReadonlyMap<string, KnownEntry>,
  ): Promise<readonly PlannedItem[]> {
    rememberVendors(run, items, known);
    const first = planChunk(items, known, await run.masterData.contextFor(items), sha256Hex);
    const missing = first.filter((item) => item.action === 'create-vendor');
    if (missing.length === 0) {
      return first;
    }
    const refused = await this.createMissingVendors.createInErp(
      run,
      missing.map((item) => item.vendor),
    );
    const again = new Set(missing.map((item) => item.accountingEntryId));
    const rest = items.filter((entry) => again.has(entry.accountingEntryId));
    const second = planChunk(rest, known, await run.masterData.contextFor(rest), sha256Hex).map((item) =>
      withoutVendor(item, refused),
    );
    return [...first.filter((item) => !again.has(item.accountingEntryId)), ...second];
  }
}

/** A changed entry that is reversed and posted anew needs no question: its reversal tells. */
function standingCheck({ masterData }: JobRun, items: readonly ChunkItem[]): StandingCheck {
  const { reversedInErp, conflicts } = masterData.policies;
  const byId = new Map(
    items.flatMap((entry) => ('item' in entry ? [[entry.accountingEntryId, entry.item] as const] : [])),
  );
  return {
    reversedInErp,
    isAsked: ({ accountingEntryId, contentDigest }) => {
      const item = byId.get(accountingEntryId);
      const isSame = item !== undefined && contentsOf(item).some((text) => sha256Hex(text) === contentDigest);
      return isSame || conflicts === 'fail';
    },
  };
}

/**
 * What was planned for an entry names its vendor, which may be one that the connector itself has created: the ERP's list
 * shows it under a number that the item does not know.
 */
function rememberVendors(run: JobRun, items: readonly ChunkItem[], known: ReadonlyMap<string, KnownEntry>): void {
  for (const entry of items) {
    const vendorCode = known.get(entry.accountingEntryId)?.vendorCode;
    if ('item' in entry && entry.item.vendor && vendorCode !== undefined) {
      run.masterData.rememberVendor(entry.item.vendor.id, vendorCode);
    }
  }
}

/** A vendor that is still missing was refused by the ERP, with its reason. */
function withoutVendor(item: PlannedItem, refused: ReadonlyMap<string, string>): PlannedItem {
  if (item.action !== 'create-vendor') {
    return item;
  }
  const reason = refused.get(item.vendor.id);
  if (reason === undefined) {
    throw new Bug(`vendor ${item.vendor.id} is neither created nor refused`);
  }
  const failureReason = `Vendor "${item.vendor.name}" could not be created in the accounting system: ${reason}. Create it there, then export again.`;
  const issues = [{ kind: 'vendor-refused', reference: item.vendor.id, name: item.vendor.name } as const];
  const failure = { failureType: 'vendor_unknown', failureReason, issues };
  return failedItem(item.accountingEntryId, failure, item.posting);
}

/** Of the items that need no new post. */
function decidedResult(item: PlannedItem): readonly ItemResult[] {
  const accountingEntryId = toAccountingEntryId(item.accountingEntryId);
  switch (item.action) {
    case 'fail': {
      const { failureType, failureReason, issues } = item;
      return [{ accountingEntryId, state: 'failed', failureType, failureReason, issues }];
    }
    case 'report-existing': {
      const { externalId, externalUrl } = item.posting;
      const { warnings } = item;
      return [{ accountingEntryId, state: 'successful', externalId, externalUrl, warnings }];
    }
    case 'post':
    case 'repost':
    case 'create-vendor':
      return [];
  }
}
