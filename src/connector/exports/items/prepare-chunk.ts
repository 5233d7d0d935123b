// Prepares a chunk of items for posting: load what is known of them → plan (pure) → vendors and receipts.
import { Injectable } from '@nestjs/common';
import { sha256Hex } from '../../../foundation/crypto/sha256.js';
import { AppLogger } from '../../../foundation/logging/app-logger.js';
import { Bug } from '../../../kernel/faults.js';
import { message } from '../../../kernel/message.js';
import { contentsOf } from '../../bookkeeping/item/content-of.js';
import { reasonOf } from '../domain/item-failure.js';
import { leaveBookedByHand } from '../domain/plans/booked-by-hand.js';
import { enforcePreview } from '../domain/plans/enforce-preview.js';
import type { KnownEntry } from '../domain/plans/known-entry.js';
import { failedItem, planChunk, putAside, type ChunkItem, type PlannedItem } from '../domain/plans/plan-chunk.js';
import type { JobRun } from '../run/job-run.js';
import { LoadKnownEntries, type StandingCheck } from '../posting/load-known-entries.js';
import { itemToPutAside, mayBeLookedUp } from './careful-steps.js';
import { CollectReceipts, NOTHING, type ReceiptCollectionResult } from './collect-receipts.js';
import { CreateMissingVendors, type NotCreated } from './create-missing-vendors.js';

/** The plan of each item, and those that are ready to be posted. */
export interface PreparedChunk {
  readonly items: readonly ChunkItem[];
  readonly planned: readonly PlannedItem[];
  readonly receipts: ReceiptCollectionResult;
  /** The plan uses ERP master data that was read for another job and may be outdated. */
  readonly usesReusedMasterData: boolean;
}

@Injectable()
export class PrepareChunk {
  constructor(
    private readonly loadKnownEntries: LoadKnownEntries,
    private readonly createMissingVendors: CreateMissingVendors,
    private readonly collectReceipts: CollectReceipts,
    private readonly appLogger: AppLogger,
  ) {}

  /**
   * @param items each once, without a result yet
   * @throws ErpUnavailable when the ERP does not respond
   */
  async prepare(run: JobRun, items: readonly ChunkItem[]): Promise<PreparedChunk> {
    const aside = itemToPutAside(items, run.lease);
    if (aside !== undefined) {
      return this.prepareToPutAside(run, aside.accountingEntryId);
    }
    const known = await this.loadKnownEntries.loadOrLookUp(
      run.job,
      run.lease,
      items.map((entry) => entry.accountingEntryId),
      { standing: standingCheck(run, items) },
    );
    const usesReusedMasterData = run.masterData.usesReusedMasterData;
    const plan = await this.planWithCurrentMasterData(run, items, known);
    const planned = await this.collectReceipts.addMissingReceiptWarnings(run, items, plan);
    this.logFaults(run, planned);
    const toPost = planned.filter((item) => item.action === 'post' || item.action === 'repost');
    const receipts = await this.collectReceipts.collectFor(run, items, toPost, known);
    return { items, planned, receipts, usesReusedMasterData };
  }

  /** The content of an item that ends each worker is not looked at again; what the books have of it is still looked up. */
  private async prepareToPutAside({ job, lease }: JobRun, accountingEntryId: string): Promise<PreparedChunk> {
    const fields = { exportJobId: job.id, accountingEntryId, deaths: lease.suspectDeaths };
    this.appLogger.of('exports').error(fields, 'export_item.put_aside');
    const known = mayBeLookedUp(lease)
      ? await this.loadKnownEntries.loadOrLookUp(job, lease, [accountingEntryId], { isLast: true })
      : await this.loadKnownEntries.loadFromRecord(job, [accountingEntryId]);
    return {
      items: [{ accountingEntryId, unreadable: 'put aside' }],
      planned: [putAside(accountingEntryId, known.get(accountingEntryId))],
      receipts: NOTHING,
      usesReusedMasterData: false,
    };
  }

  /** An item that fails by master data of another job is planned again by master data that is read now. */
  private async planWithCurrentMasterData(
    run: JobRun,
    items: readonly ChunkItem[],
    known: ReadonlyMap<string, KnownEntry>,
  ): Promise<readonly PlannedItem[]> {
    const plan = async () => enforcePreview(await this.planWithVendors(run, items, known), run.expected, sha256Hex);
    const planned = await plan();
    // Nothing is reversed for a new entry that outdated master data lets through and the ERP then refuses.
    const needsValid = planned.some(({ action }) => action === 'fail' || action === 'repost');
    return needsValid && run.masterData.expireReusedMasterData() ? plan() : planned;
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

  /**
   * Plans; where vendors are missing in the ERP, creates them and plans those items again. One that waits for its vendor stays
   * `create-vendor`, and has no result.
   */
  private async planWithVendors(
    run: JobRun,
    items: readonly ChunkItem[],
    known: ReadonlyMap<string, KnownEntry>,
  ): Promise<readonly PlannedItem[]> {
    rememberVendors(run, items, known);
    const plan = async (some: readonly ChunkItem[]) => {
      const planned = planChunk(some, known, await run.masterData.contextFor(some), sha256Hex);
      return leaveBookedByHand(planned, known, run.bookedByHand);
    };
    let first = await plan(items);
    // The vendor may have been created in the ERP since the list was read.
    if (first.some(({ action }) => action === 'create-vendor') && run.masterData.expireReusedMasterData()) {
      first = await plan(items);
    }
    const missing = first.filter((item) => item.action === 'create-vendor');
    if (missing.length === 0) {
      return first;
    }
    const notCreated = await this.createMissingVendors.createInErp(
      run,
      missing.map((item) => item.vendor),
    );
    const again = new Set(missing.map((item) => item.accountingEntryId));
    const rest = items.filter((entry) => again.has(entry.accountingEntryId));
    const second = (await plan(rest)).map((item) => withoutVendor(item, notCreated));
    return [...first.filter((item) => !again.has(item.accountingEntryId)), ...second];
  }
}

/** A changed entry that will be reversed anyway needs no look-up: the response to the reversal shows whether it stands. */
function standingCheck({ masterData }: JobRun, items: readonly ChunkItem[]): StandingCheck {
  const { reversedInErp, conflicts } = masterData.policies;
  const byId = new Map(
    items.flatMap((entry) => ('item' in entry ? [[entry.accountingEntryId, entry.item] as const] : [])),
  );
  return {
    reversedInErp,
    applies: ({ accountingEntryId, contentDigest }) => {
      const item = byId.get(accountingEntryId);
      const isSame = item !== undefined && contentsOf(item).some((text) => sha256Hex(text) === contentDigest);
      return isSame || conflicts === 'fail';
    },
  };
}

/**
 * A vendor that the connector created has a number in the ERP that the item does not name; the earlier plan of the entry
 * does.
 */
function rememberVendors(run: JobRun, items: readonly ChunkItem[], known: ReadonlyMap<string, KnownEntry>): void {
  for (const entry of items) {
    const vendorCode = known.get(entry.accountingEntryId)?.vendorCode;
    if ('item' in entry && entry.item.vendor && vendorCode !== undefined) {
      run.masterData.rememberVendor(entry.item.vendor.id, vendorCode);
    }
  }
}

/** A vendor that is still missing was refused by the ERP, with its reason, or is tried again later. */
function withoutVendor(item: PlannedItem, { refused, failing }: NotCreated): PlannedItem {
  if (item.action !== 'create-vendor' || failing.has(item.vendor.id)) {
    return item;
  }
  const reason = refused.get(item.vendor.id);
  if (reason === undefined) {
    throw new Bug(`vendor ${item.vendor.id} is neither created nor refused`);
  }
  const refusal = reasonOf(message('reason.vendor.refused', { name: item.vendor.name, text: reason }));
  const issues = [{ kind: 'vendor-refused', reference: item.vendor.id, name: item.vendor.name } as const];
  const failure = { failureType: 'vendor_unknown', ...refusal, issues };
  return failedItem(item.accountingEntryId, failure, item.posting);
}
