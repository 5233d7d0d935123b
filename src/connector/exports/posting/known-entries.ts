// What is known of accounting entries: from our record, corrected by what a look-up in the ERP shows.
import { toStoredText } from '../../../kernel/message.js';
import type { BookkeepingPolicies } from '../../bookkeeping/item/bookkeeping-context.js';
import type { InspectedEntry } from '../../erp/erp-books.js';
import { ErpUnavailable, type EntryContent, type PostingGuarantee, type PostedGroup } from '../../erp/erp-ledger.js';
import { replacedWarning } from '../domain/conflict-text.js';
import type { ExportJob } from '../domain/export-job.js';
import { findingOf, isCertainlyShown } from '../domain/look-up-finding.js';
import { mainEntryOf, reversalIn, type KnownEntry, type KnownPosting } from '../domain/plans/known-entry.js';
import type { ErpPosting, PostingIntent } from '../stores/posting-intent.js';

export interface LookUp {
  readonly intents: readonly PostingIntent[];
  readonly accepted: AcceptedOutcomes;
  readonly isLast: boolean;
  readonly groups: ReadonlyMap<string, PostedGroup>;
  readonly foreignContent: ReadonlyMap<string, readonly InspectedEntry[]>;
  readonly reversedInErp: BookkeepingPolicies['reversedInErp'];
}

/**
 * Compares each intent with what the ERP shows, and sorts the changes that our record needs.
 * @throws ErpUnavailable when the ERP may not show a reversal yet
 */
export function compareWithErp(
  { intents, accepted, isLast, groups, foreignContent, reversedInErp }: LookUp,
  job: ExportJob,
  guarantee: PostingGuarantee,
) {
  const found = new Map<string, KnownEntry>();
  const standing = new Map<string, ErpPosting>();
  const reversed = new Map<string, KnownPosting>();
  const shownRevisions = new Map<string, number>();
  const absent: string[] = [];
  const notShownYet: string[] = [];
  for (const intent of intents) {
    const { accountingEntryId, revision } = intent;
    const group = groups.get(accountingEntryId);
    const isEarlier = isOfEarlierJob(intent, job, guarantee);
    const isRefused = accepted.get(accountingEntryId) === 'refused';
    const finding = findingOf(intent, group, { isEarlier, isRefused, isLast }, guarantee);
    if (finding === 'reversal-not-shown-yet') {
      throw new ErpUnavailable(REVERSAL_NOT_SHOWN_YET);
    }
    if (finding === 'lost') {
      found.set(accountingEntryId, { ...entryFromRecord(intent, job, guarantee), lost: intent.externalId });
      continue;
    }
    if (group === undefined || finding === 'absent' || finding === 'not-shown-yet') {
      const mayBeShownLater = finding === 'not-shown-yet';
      const inDoubt = mayBeShownLater ? finding : undefined;
      found.set(accountingEntryId, { ...entryFromRecord(intent, job, guarantee), inDoubt });
      if (mayBeShownLater) {
        notShownYet.push(accountingEntryId);
      } else {
        absent.push(accountingEntryId);
      }
      continue;
    }
    shownRevisions.set(accountingEntryId, revision);
    const entries = foreignContent.get(accountingEntryId);
    const reversal = isEarlier && group.reversed ? reversalIn(group) : undefined;
    found.set(accountingEntryId, { ...entryFromErp(intent, job, group, entries), reversal });
    if (reversal !== undefined && reversedInErp === 'fail') {
      continue;
    }
    if (group.reversed) {
      reversed.set(accountingEntryId, knownPosting(group));
    } else {
      standing.set(accountingEntryId, { ...knownPosting(group), entries });
    }
  }
  return { found, standing, reversed, shownRevisions, absent, notShownYet };
}

/** By key, the outcome of groups that the ERP first accepted and decided later. */
export type AcceptedOutcomes = ReadonlyMap<string, PostedGroup | 'refused'>;

const REVERSAL_NOT_SHOWN_YET = {
  kind: 'timeout',
  message: 'the accounting system may not show yet what was reversed',
} as const;

/** Whether an earlier job posted it, long enough ago for a search to show it: a re-export checks that it still stands. */
export function isOfEarlierJob(intent: PostingIntent, job: ExportJob, guarantee: PostingGuarantee): boolean {
  return intent.exportJobId !== job.id && isCertainlyShown(intent, guarantee);
}

/** What our record alone says of an entry; an intent without an outcome is in doubt. */
export function entryFromRecord(intent: PostingIntent, job: ExportJob, { level }: PostingGuarantee): KnownEntry {
  const {
    revision,
    contentDigest,
    content,
    externalId,
    externalUrl = '',
    replaced,
    sinceReversalMs,
    vendorCode,
  } = intent;
  const nothing = { posting: undefined, ownContent: false, foundNow: false, replaced, inDoubt: undefined, vendorCode };
  switch (intent.state) {
    case 'sent':
    case 'uncertain':
      return {
        ...nothing,
        nextRevision: revision,
        inDoubt: level === 'none' ? 'needs-manual-review' : 'post',
      };
    case 'rejected':
      return { ...nothing, nextRevision: revision };
    case 'posted':
      return {
        ...nothing,
        posting: { contentDigest, externalId: externalId ?? '', externalUrl, content, warnings: [] },
        // A reversal is sent because the item's content has changed; it may also have changed since an earlier job posted it.
        ownContent: sinceReversalMs === undefined && intent.exportJobId === job.id,
        nextRevision: revision + 1,
        inDoubt: sinceReversalMs === undefined ? undefined : 'reversal',
      };
    case 'reversed':
      return {
        ...nothing,
        nextRevision: revision + 1,
        replaced: intent.missingInErp ? undefined : externalId,
      };
  }
}

/**
 * The entry as the ERP has it, for an intent whose outcome was in doubt.
 * @param entries what the ERP shows where the content is not the one we sent
 */
function entryFromErp(
  intent: PostingIntent,
  job: ExportJob,
  group: PostedGroup,
  entries: readonly EntryContent[] | undefined,
): KnownEntry {
  const { revision, content, replaced, state } = intent;
  const found = knownPosting(group);
  const nextRevision = revision + 1;
  if (group.reversed) {
    const reversed = { posting: undefined, ownContent: false, foundNow: false, inDoubt: undefined };
    return { ...reversed, nextRevision, replaced: found.externalId };
  }
  const isOurs = group.contentDigest === intent.contentDigest;
  const foundNow = isOurs && state !== 'posted' && state !== 'reversed';
  const replacing = foundNow && replaced !== undefined ? [toStoredText(replacedWarning(replaced))] : [];
  return {
    posting: {
      ...found,
      content: isOurs ? content : (entries ?? []),
      warnings: foundNow ? [...replacing, ...found.warnings] : [],
    },
    ownContent: foundNow && intent.exportJobId === job.id,
    foundNow,
    nextRevision,
    replaced,
    inDoubt: undefined,
  };
}

/** @param content its lines, as far as the ERP has shown them */
export function knownPosting(group: PostedGroup, content: readonly EntryContent[] = []): KnownPosting {
  const main = mainEntryOf(group);
  return {
    contentDigest: group.contentDigest,
    externalId: main?.id ?? group.key,
    externalUrl: main?.url ?? '',
    content,
    warnings: group.warnings,
  };
}
