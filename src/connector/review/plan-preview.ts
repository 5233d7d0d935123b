import { Injectable } from '@nestjs/common';
import type { ErpCompanyId, ExportJobId, InstallationId } from '../../kernel/ids.js';
import type { ExportItem } from '../bookkeeping/item/export-item.js';
import type { ReversalInErp } from '../exports/domain/plans/known-entry.js';
import type { ChunkItem } from '../exports/domain/plans/plan-chunk.js';
import { toStoredItem } from '../exports/domain/plans/stored-item.js';
import { isFinal } from '../exports/domain/state-transitions.js';
import { PlanWithoutEffect, type DryPlan } from '../exports/items/plan-without-effect.js';
import { SentEntryReader } from '../exports/reporting/sent-entry.reader.js';
import { ExportJobReader } from '../exports/stores/export-job.reader.js';
import type { MappingVersion } from '../mapping/domain/mapping.js';
import { previewResult, reversedResult, unreadableResult, type StandingEntry } from './domain/preview-result.js';
import { LookUpPostedEntries } from './look-up-posted-entries.js';
import type { Preview, PreviewEntry } from './preview.repository.js';

/** A job of any state, or items as the platform would send them. */
export type PreviewSubject =
  | { readonly jobId: ExportJobId; readonly skip: number; readonly limit: number }
  | { readonly items: readonly ExportItem[] };

export interface PreviewItems {
  readonly source: Preview['source'];
  readonly jobId: ExportJobId | null;
  readonly items: readonly ChunkItem[];
  readonly more: boolean;
}

export interface PlannedPreview {
  readonly entry: PreviewEntry;
  /** The part of the preview's digest. */
  readonly digested: readonly unknown[];
}

/** Loads the items of a preview and plans them, without effect. */
@Injectable()
export class PlanPreview {
  constructor(
    private readonly exportJobReader: ExportJobReader,
    private readonly sentEntryReader: SentEntryReader,
    private readonly planWithoutEffect: PlanWithoutEffect,
    private readonly lookUpPostedEntries: LookUpPostedEntries,
  ) {}

  /**
   * @returns undefined when there is no such job
   * @throws what a request to the platform throws
   */
  async loadItems(installationId: InstallationId, subject: PreviewSubject): Promise<PreviewItems | undefined> {
    if ('items' in subject) {
      const items = subject.items.map((item) => ({ accountingEntryId: item.accountingEntryId, item }));
      return { source: 'provided', jobId: null, items, more: false };
    }
    const { jobId, skip, limit } = subject;
    const job = await this.exportJobReader.job(installationId, jobId);
    if (job === undefined) {
      return undefined;
    }
    const isOpen = !isFinal(job.state);
    const { source, items } = await this.sentEntryReader.itemsOfJob(installationId, jobId, isOpen, skip, limit + 1);
    return { source, jobId, items: items.slice(0, limit), more: items.length > limit };
  }

  /**
   * @returns in the order of the items; undefined when the ERP company does not exist
   * @throws ErpUnavailable
   */
  async plan(
    installationId: InstallationId,
    erpCompanyId: ErpCompanyId,
    mapping: MappingVersion,
    items: readonly ChunkItem[],
  ): Promise<readonly PlannedPreview[] | undefined> {
    const plans = await this.planWithoutEffect.plan(installationId, erpCompanyId, mapping, items);
    const ids = items.map(({ accountingEntryId }) => accountingEntryId);
    const posted = plans && (await this.lookUpPostedEntries.lookUp(installationId, erpCompanyId, ids));
    const { policies } = mapping.settings;
    return plans?.map((dry, index) => {
      const { accountingEntryId } = dry.entry;
      const known = posted === 'not-looked-up' ? posted : posted?.standing.get(accountingEntryId);
      const reversal =
        posted === 'not-looked-up' || policies.reversedInErp === 'repost'
          ? undefined
          : posted?.reversals.get(accountingEntryId);
      return {
        entry: entryOf(dry, index + 1, reversal ?? known, policies.conflicts),
        digested: [accountingEntryId, dry.contentDigests[0] ?? null, dry.planDigest ?? null],
      };
    });
  }
}

function entryOf(
  { entry, plan, contentDigests, planDigest }: DryPlan,
  position: number,
  found: StandingEntry | ReversalInErp | undefined | 'not-looked-up',
  conflicts: 'fail' | 'reverse-and-repost',
): PreviewEntry {
  const { accountingEntryId } = entry;
  const isReversal = typeof found === 'object' && 'by' in found;
  const result =
    plan === undefined
      ? unreadableResult('unreadable' in entry ? entry.unreadable : '')
      : isReversal
        ? reversedResult(found)
        : previewResult(plan, contentDigests, found, conflicts);
  const item = 'item' in entry ? toStoredItem(entry.item) : null;
  return { position, accountingEntryId, item, planDigest: planDigest ?? null, result };
}
