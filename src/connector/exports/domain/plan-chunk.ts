// Pure: what shall happen with each item of a chunk, given what is already known of it.
import type { BookkeepingContext } from '../../bookkeeping/bookkeeping-context.js';
import { contentOf } from '../../bookkeeping/content-of.js';
import type { ExportItem, ItemVendor } from '../../bookkeeping/export-item.js';
import type { PlannedEntry } from '../../bookkeeping/item-plan.js';
import { planItem } from '../../bookkeeping/plan-item.js';

/** An item as it came from the platform: readable, or with the reason why not. */
export type ChunkItem =
  | { readonly accountingEntryId: string; readonly item: ExportItem }
  | { readonly accountingEntryId: string; readonly unreadable: string };

/** An accounting entry that the ERP has already, from this job or an earlier one. */
export interface KnownPosting {
  readonly contentDigest: string;
  readonly externalId: string;
  readonly externalUrl: string;
}

export type PlannedItem = { readonly accountingEntryId: string } & (
  | {
      readonly action: 'post';
      readonly contentDigest: string;
      readonly entries: readonly PlannedEntry[];
      readonly warnings: readonly string[];
    }
  /** In the ERP with the same content: only to be reported (invariant I1). */
  | { readonly action: 'report-existing'; readonly posting: KnownPosting }
  | { readonly action: 'create-vendor'; readonly vendor: ItemVendor }
  | { readonly action: 'fail'; readonly failureType: string; readonly failureReason: string }
);

/**
 * @param known what the ERP has, by accounting entry
 * @param digest hash of a text, in hex
 */
export function planChunk(
  items: readonly ChunkItem[],
  known: ReadonlyMap<string, KnownPosting>,
  context: BookkeepingContext,
  digest: (text: string) => string,
): readonly PlannedItem[] {
  return items.map((entry) => planOne(entry, known.get(entry.accountingEntryId), context, digest));
}

function planOne(
  entry: ChunkItem,
  posting: KnownPosting | undefined,
  context: BookkeepingContext,
  digest: (text: string) => string,
): PlannedItem {
  const { accountingEntryId } = entry;
  if ('unreadable' in entry) {
    const failureReason = `The platform sent this entry in a form that cannot be read (${entry.unreadable}). Please contact support.`;
    return { accountingEntryId, action: 'fail', failureType: 'validation_failure', failureReason };
  }
  const contentDigest = digest(contentOf(entry.item));
  if (posting !== undefined) {
    return posting.contentDigest === contentDigest
      ? { accountingEntryId, action: 'report-existing', posting }
      : {
          accountingEntryId,
          action: 'fail',
          failureType: 'validation_failure',
          failureReason: conflictText(posting.externalId),
        };
  }
  const plan = planItem(entry.item, context);
  switch (plan.outcome) {
    case 'post': {
      const warnings = plan.warnings.map((warning) => warning.message);
      return { accountingEntryId, action: 'post', contentDigest, entries: plan.entries, warnings };
    }
    case 'needs-vendor':
      return { accountingEntryId, action: 'create-vendor', vendor: plan.vendor };
    case 'fail':
      return {
        accountingEntryId,
        action: 'fail',
        failureType: plan.failureType,
        failureReason: plan.message,
      };
  }
}

/** @param externalId of the entry that stands in the books under the same accounting entry */
export function conflictText(externalId: string): string {
  return (
    `This entry is in the books already (${externalId}) with other content: amounts, accounts, tax, tags or vendor were ` +
    'changed after it was exported. Reverse that entry in the accounting system, or undo the change, before exporting again.'
  );
}
