// Pure: decides the action for each item of a chunk, given what is known of its entry.
import { listed, message, toStoredText, type Message } from '../../../../kernel/message.js';
import { parseCurrency } from '../../../../kernel/currency.js';
import { parseDecimal } from '../../../../kernel/decimal.js';
import { formatHundredths, formatMinor, minorFromHundredths } from '../../../../kernel/money.js';
import type { BookkeepingContext } from '../../../bookkeeping/item/bookkeeping-context.js';
import type { Issue } from '../../../bookkeeping/item/issues.js';
import { contentOf, contentsOf } from '../../../bookkeeping/item/content-of.js';
import { ownDayOf } from '../../../bookkeeping/item/item-dates.js';
import { textOf, type ExportItem, type ItemVendor } from '../../../bookkeeping/item/export-item.js';
import type { PostingPlan, PlannedEntry } from '../../../bookkeeping/item/posting-plan.js';
import { planItem } from '../../../bookkeeping/item/plan-item.js';
import { reasonOf, type ItemFailure, type Reason } from '../item-failure.js';
import { conflictReason, lostInErp, reversedInErp, UNDO_OR_CHANGE_POLICY } from '../conflict-text.js';
import { describeFailure, NOT_CONFIRMED } from '../describe-failure.js';
import { linesOf, type EntryLines, type KnownEntry, type KnownPosting, type ReversalInErp } from './known-entry.js';

interface ReadableItem {
  readonly accountingEntryId: string;
  readonly item: ExportItem;
}

/** An item as it came from the platform: readable, or with the reason why not. */
export type ChunkItem = ReadableItem | { readonly accountingEntryId: string; readonly unreadable: string };

interface PlannedContent {
  readonly revision: number;
  readonly contentDigest: string;
  readonly entries: readonly PlannedEntry[];
  readonly warnings: readonly string[];
  /** Id in the ERP of the entry that it replaces. */
  readonly replaced: string | undefined;
  /** How that one was reversed, if not by the connector. */
  readonly reversal?: ReversalInErp | undefined;
}

export type PlannedItem = { readonly accountingEntryId: string } & (
  | ({ readonly action: 'post' } & PlannedContent)
  /** In the ERP with other content, which is reversed there before this is posted. */
  | ({ readonly action: 'repost'; readonly posting: KnownPosting } & PlannedContent)
  /** In the ERP with the same content: only to be reported (I1). */
  | {
      readonly action: 'report-existing';
      readonly posting: KnownPosting;
      readonly warnings: readonly string[];
    }
  /** `posting`: what stands in the ERP with other content. */
  | {
      readonly action: 'create-vendor';
      readonly vendor: ItemVendor;
      readonly posting: KnownPosting | undefined;
    }
  | ({
      readonly action: 'fail';
      /** An exception of the planner: a bug of the connector, to be logged. */
      readonly fault?: unknown;
      /** A person has booked it by hand: its issue stays as they left it. */
      readonly isBookedByHand?: boolean;
    } & ItemFailure)
);

type PlannedFailure = Extract<PlannedItem, { readonly action: 'fail' }>;

export type PlannedPost = Extract<PlannedItem, { readonly action: 'post' | 'repost' }>;

const NOTHING_KNOWN: KnownEntry = {
  posting: undefined,
  ownContent: false,
  foundNow: false,
  nextRevision: 1,
  replaced: undefined,
  inDoubt: undefined,
};

/**
 * @param known by accounting entry. An entry that the ERP may not show yet is planned as if it were absent, and held back from
 *   posting until that is certain. Every other entry in doubt fails.
 * @param digest hash of a text, in hex
 */
export function planChunk(
  items: readonly ChunkItem[],
  known: ReadonlyMap<string, KnownEntry>,
  context: BookkeepingContext,
  digest: (text: string) => string,
): readonly PlannedItem[] {
  return items.map((entry) => {
    const before = known.get(entry.accountingEntryId) ?? NOTHING_KNOWN;
    switch (before.inDoubt) {
      case undefined:
        return planEntry(entry, before, context, digest);
      case 'not-shown-yet':
        return withheldWhileInDoubt(planEntry(entry, before, context, digest), before);
      case 'post':
      case 'reversal':
      case 'needs-manual-review':
        return failedAs(entry.accountingEntryId, before, NOT_LOOKED_UP);
    }
  });
}

const NOT_LOOKED_UP: ItemFailure = {
  failureType: 'accounting_system_timeout',
  ...reasonOf(message('reason.not-looked-up')),
};

/** Keeps a plan to post; a failure or a missing vendor must not imply that the entry is not in the books. */
function withheldWhileInDoubt(planned: PlannedItem, before: KnownEntry): PlannedItem {
  const { accountingEntryId } = planned;
  switch (planned.action) {
    case 'fail':
      return failedAs(accountingEntryId, before, planned);
    case 'create-vendor': {
      const { name, code, externalId } = planned.vendor;
      const reference = textOf(code) ?? textOf(externalId) ?? name;
      const issues = [{ kind: 'vendor', reference, name } as const];
      const reason = reasonOf(message('reason.vendor.not-there', { name }));
      const failure = { failureType: 'vendor_unknown', ...reason, issues };
      return failedAs(accountingEntryId, before, failure);
    }
    case 'post':
    case 'repost':
    case 'report-existing':
      return planned;
  }
}

function failedAs(accountingEntryId: string, before: KnownEntry, failure: ItemFailure): PlannedItem {
  return { accountingEntryId, action: 'fail', ...describeFailure(accountingEntryId, before, failure) };
}

/**
 * An item whose content must not be looked at again (H18). What this job has posted of it counts as exported.
 * @param known what the books have or may have of it
 */
export function putAside(accountingEntryId: string, known: KnownEntry = NOTHING_KNOWN): PlannedItem {
  const { posting, ownContent, inDoubt } = known;
  if (posting !== undefined && ownContent) {
    return { accountingEntryId, action: 'report-existing', posting, warnings: posting.warnings };
  }
  const failureType = inDoubt === undefined ? 'unexpected_failure' : NOT_CONFIRMED;
  return failedAs(accountingEntryId, known, { failureType, ...reasonOf(message('reason.put-aside')) });
}

/** @param posting an entry of the item that stands nevertheless; the reason then mentions it */
export function failedItem(
  accountingEntryId: string,
  failure: ItemFailure,
  posting: KnownPosting | undefined,
): PlannedFailure {
  return { accountingEntryId, action: 'fail', ...describeFailure(accountingEntryId, { posting }, failure) };
}

/** A bug of the connector fails only the item that it occurs with. */
function planEntry(
  entry: ChunkItem,
  before: KnownEntry,
  context: BookkeepingContext,
  digest: (text: string) => string,
): PlannedItem {
  try {
    return planAnyEntry(entry, before, context, digest);
  } catch (fault) {
    const failure = { failureType: 'unexpected_failure', ...reasonOf(message('reason.internal-error')) };
    return { ...failedItem(entry.accountingEntryId, failure, before.posting), fault };
  }
}

function planAnyEntry(
  entry: ChunkItem,
  before: KnownEntry,
  context: BookkeepingContext,
  digest: (text: string) => string,
): PlannedItem {
  if ('unreadable' in entry) {
    const reason = reasonOf(message('reason.unreadable', { problem: entry.unreadable }));
    const issues = [{ kind: 'unreadable', reference: 'entry' } as const];
    const failure = { failureType: 'validation_failure', ...reason, issues };
    return failedItem(entry.accountingEntryId, failure, before.posting);
  }
  return planReadable(entry, before, context, digest);
}

function planReadable(
  { accountingEntryId, item }: ReadableItem,
  before: KnownEntry,
  context: BookkeepingContext,
  digest: (text: string) => string,
): PlannedItem {
  const { posting, reversal, lost } = before;
  if (reversal !== undefined && context.policies.reversedInErp === 'fail') {
    return failedInErp(accountingEntryId, reversedInErp(reversal), REVERSED);
  }
  if (lost !== undefined) {
    return failedInErp(accountingEntryId, lostInErp(lost), LOST);
  }
  const contentDigest = digest(contentOf(item));
  if (posting !== undefined && contentsOf(item).some((text) => digest(text) === posting.contentDigest)) {
    // An entry that an earlier run posted and did not report gets the warnings of its plan.
    const own = before.foundNow ? warningsOf(planItem(item, context)) : [];
    const warnings = [...own, ...posting.warnings];
    return { accountingEntryId, action: 'report-existing', posting, warnings };
  }
  const plan = planItem(item, context);
  if (posting !== undefined && context.policies.conflicts === 'fail') {
    const reason = conflictReason(posting, requestOf(item, plan, context), UNDO_OR_CHANGE_POLICY);
    return { accountingEntryId, action: 'fail', failureType: 'validation_failure', ...reason, issues: [CHANGED] };
  }
  switch (plan.outcome) {
    case 'post': {
      const { entries } = plan;
      const content = { revision: before.nextRevision, contentDigest, entries, warnings: warningsOf(plan) };
      return posting === undefined
        ? { accountingEntryId, action: 'post', ...content, replaced: before.replaced, reversal }
        : { accountingEntryId, action: 'repost', posting, ...content, replaced: posting.externalId };
    }
    case 'needs-vendor':
      return { accountingEntryId, action: 'create-vendor', vendor: plan.vendor, posting };
    case 'fail':
      return failedItem(accountingEntryId, failureOf(plan), posting);
  }
}

/** Posted before with other content. */
export const CHANGED: Issue = { kind: 'changed', reference: 'entry' };

/** Reversed in the ERP since it was posted, and the policy is not to post it again. */
export const REVERSED: Issue = { kind: 'refused', reference: 'reversed in the accounting system' };
const LOST: Issue = { kind: 'refused', reference: 'lost in the accounting system' };

function failedInErp(accountingEntryId: string, reason: Reason, issue: Issue): PlannedFailure {
  const failureType = 'accounting_system_validation_failure';
  return { accountingEntryId, action: 'fail', failureType, ...reason, issues: [issue] };
}

/** The failure of a plan, with the issues to resolve. */
export function failureOf(plan: Extract<PostingPlan, { readonly outcome: 'fail' }>): ItemFailure {
  const { failureType, message: failureReason, problems } = plan;
  const messages = problems.map(({ reason }) => reason);
  return { failureType, failureReason, messages, issues: problems.map(({ issue }) => issue) };
}

function warningsOf(plan: PostingPlan): readonly string[] {
  return plan.outcome === 'post' ? plan.warnings.map(({ reason }) => toStoredText(reason)) : [];
}

/** The content of the export: lines, or a text where it cannot be booked. */
function requestOf(
  item: ExportItem,
  plan: PostingPlan,
  { timeZone }: BookkeepingContext,
): readonly EntryLines[] | Message {
  switch (plan.outcome) {
    case 'post':
      return linesOf(plan.entries);
    case 'needs-vendor':
      return message('reason.changed.of-new-vendor', { item: itemMessage(item, timeZone), name: plan.vendor.name });
    case 'fail':
      return message('reason.changed.not-bookable', {
        item: itemMessage(item, timeZone),
        why: listed(
          plan.problems.map(({ reason }) => reason),
          ' ',
        ),
      });
  }
}

/** "card_purchase of 125.00 EUR on 2026-02-10", its day where the company is; an unreadable amount stays as the platform sent it. */
function itemMessage({ type, date, amount }: ExportItem, timeZone: string): Message {
  const { currency, value } = amount.inWalletCurrency;
  const code = parseCurrency(currency);
  const hundredths = parseDecimal(value);
  const minor = code && minorFromHundredths(value, code);
  const unconverted = hundredths === undefined ? value : formatHundredths(hundredths);
  const text = code === undefined || minor === undefined ? unconverted : formatMinor(minor, code);
  return message('reason.changed.item', {
    type,
    amount: text,
    currency,
    day: ownDayOf(date, timeZone) ?? date.slice(0, 10),
  });
}
