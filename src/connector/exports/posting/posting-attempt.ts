import { message, toStoredText, type Message } from '../../../kernel/message.js';
import { toAccountingEntryId } from '../../../kernel/ids.js';
import type { BookkeepingPolicies } from '../../bookkeeping/item/bookkeeping-context.js';
import type { PostedGroup } from '../../erp/erp-ledger.js';
import type { Issue } from '../../bookkeeping/item/issues.js';
import { reasonOf, type Reason } from '../domain/item-failure.js';
import {
  afterReversal,
  conflictReason,
  EXPORT_AGAIN,
  manualReview,
  replacedWarning,
  repostedWarning,
  reversedInErp,
  UNDO_OR_CHANGE_POLICY,
} from '../domain/conflict-text.js';
import { NOT_CONFIRMED, UNCONFIRMED } from '../domain/describe-failure.js';
import {
  linesOf,
  mainEntryOf,
  reversalIn,
  type KnownPosting,
  type ReversalInErp,
} from '../domain/plans/known-entry.js';
import { CHANGED, REVERSED, type PlannedPost } from '../domain/plans/plan-chunk.js';
import type { ItemResult } from '../stores/export-item.repository.js';
import type { DefiniteOutcome, NeedsManualReview } from '../domain/send-outcome.js';
import type { IntentOutcome } from '../stores/posting-intent.js';
import { knownPosting } from './known-entries.js';
import type { NotReversedReason } from './reverse-postings.js';

/** A planned item and the outcome of posting it. */
export interface PostingAttempt {
  readonly planned: PlannedPost;
  readonly outcome: DefiniteOutcome<PostedGroup> | NeedsManualReview | NotReversedOutcome;
  /** Id in the ERP of the entry before, which is reversed. */
  readonly replaced: string | undefined;
  /** How that one was reversed, if not by the connector. */
  readonly reversal?: ReversalInErp | undefined;
}

/** The entry with other content stands as it was. */
export interface NotReversedOutcome {
  readonly outcome: 'not-reversed';
  readonly posting: KnownPosting;
  readonly reason: NotReversedReason;
}

/** The item's result, in the words the platform and the bookkeeper get. */
export function resultOf(
  { planned, outcome, replaced, reversal }: PostingAttempt,
  conflicts: BookkeepingPolicies['conflicts'],
): ItemResult {
  const accountingEntryId = toAccountingEntryId(planned.accountingEntryId);
  const failed = (failureType: string, reason: Reason, issue: Issue): ItemResult => ({
    accountingEntryId,
    state: 'failed',
    failureType,
    ...reason,
    issues: [issue],
  });
  const lines = linesOf(planned.entries);
  switch (outcome.outcome) {
    case 'created':
    case 'existed': {
      const { externalId, externalUrl, warnings: ofErp } = knownPosting(outcome.posted);
      const newEntry = mainEntryOf(outcome.posted)?.number ?? externalId;
      const replacement = replacementWarning(replaced, reversal, newEntry);
      const warnings = [...replacement.map(toStoredText), ...planned.warnings, ...ofErp];
      return { accountingEntryId, state: 'successful', externalId, externalUrl, warnings };
    }
    case 'refused':
    case 'fails-alone': {
      const reason = reasonOf(refusalMessage(outcome));
      const issue = { kind: 'refused', reference: outcome.message } as const;
      const type = 'accounting_system_validation_failure';
      return failed(type, replaced === undefined ? reason : afterReversal(replaced, reason), issue);
    }
    case 'reversed-in-erp':
      return failed('accounting_system_validation_failure', reversedInErp(reversalIn(outcome.existing)), REVERSED);
    case 'conflict': {
      const posting = knownPosting(outcome.existing, outcome.existingContent);
      const advice = conflicts === 'fail' ? UNDO_OR_CHANGE_POLICY : EXPORT_AGAIN;
      return failed('validation_failure', conflictReason(posting, lines, advice), CHANGED);
    }
    case 'not-reversed':
      return failed(
        'accounting_system_validation_failure',
        conflictReason(outcome.posting, lines, adviceOn(outcome.reason)),
        CHANGED,
      );
    case 'needs-manual-review':
      return failed(NOT_CONFIRMED, manualReview(accountingEntryId), UNCONFIRMED);
  }
}

function refusalMessage({
  outcome,
  message: text,
}: Extract<PostingAttempt['outcome'], { readonly outcome: 'refused' | 'fails-alone' }>): Message {
  return outcome === 'refused' ? message('reason.refused', { text }) : message('reason.fails-alone', { text });
}

function replacementWarning(
  replaced: string | undefined,
  reversal: ReversalInErp | undefined,
  newEntry: string,
): readonly Message[] {
  if (reversal !== undefined) {
    return [repostedWarning(reversal, newEntry)];
  }
  return replaced === undefined ? [] : [replacedWarning(replaced)];
}

/** @returns undefined when the attempt says nothing about the posting intent */
export function intentOutcomeOf({ planned, outcome }: PostingAttempt): IntentOutcome | undefined {
  const accountingEntryId = toAccountingEntryId(planned.accountingEntryId);
  switch (outcome.outcome) {
    case 'created':
    case 'existed': {
      const { externalId, externalUrl } = knownPosting(outcome.posted);
      return { accountingEntryId, state: 'posted', externalId, externalUrl };
    }
    case 'refused':
    case 'conflict':
    case 'reversed-in-erp':
      return { accountingEntryId, state: 'rejected' };
    case 'fails-alone':
    case 'not-reversed':
    case 'needs-manual-review':
      return undefined;
  }
}

function adviceOn(notReversed: NotReversedReason): Message {
  switch (notReversed.reason) {
    case 'absent':
      return message('reason.changed.not-there');
    case 'not-searchable':
      return message('reason.changed.not-reversible');
    case 'refused':
      return message('reason.changed.not-reversed', { text: notReversed.message });
  }
}
