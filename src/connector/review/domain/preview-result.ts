// Pure: what one item would become, and how that differs from what is in the books.
import { message, toStoredText, type Message } from '../../../kernel/message.js';
import { englishText } from '../../messages/texts.js';
import { issueKey } from '../../bookkeeping/item/issues.js';
import type { PostingPlan } from '../../bookkeeping/item/posting-plan.js';
import { reversedInErp } from '../../exports/domain/conflict-text.js';
import type { ReversalInErp } from '../../exports/domain/plans/known-entry.js';
import { REVERSED } from '../../exports/domain/plans/plan-chunk.js';
import { diffPlans, planAsJson, type PlanDifference } from '../../exports/domain/plans/plan-diff.js';

/**
 * What an export would do with the item now. `report-existing`: in the books with the same content, only reported; `refuse-change`: in
 * the books with other content, and the policy is not to touch it.
 */
export const PREVIEW_ACTIONS = [
  'post',
  'report-existing',
  'reverse-and-repost',
  'refuse-change',
  'create-vendor-and-post',
  'fail',
] as const;
export type PreviewAction = (typeof PREVIEW_ACTIONS)[number];
/** What a commit carries out; the others are left as they are. */
export const COMMITTED_ACTIONS: readonly PreviewAction[] = ['post', 'reverse-and-repost'];

export interface PreviewResult {
  readonly action: PreviewAction;
  /** Planned entries, as they are written down: amounts in minor units, as texts. */
  readonly entries: readonly unknown[];
  readonly warnings: readonly string[];
  readonly issues: readonly {
    readonly failureType: string;
    /** In English. */
    readonly message: string;
    /** The same for readers of other languages; absent in what was kept before there was one. */
    readonly reason?: Message | undefined;
    readonly issueKey: string;
  }[];
  readonly inBooks: InBooks;
  /** Against what is in the books; empty where nothing is, or where its lines are not known. */
  readonly differences: readonly PlanDifference[];
}

export interface InBooks {
  /** `not-looked-up`: the accounting system cannot be searched, or did not respond. */
  readonly state: 'nothing' | 'standing' | 'not-looked-up';
  readonly externalId: string | null;
  readonly externalUrl: string | null;
  /** False: it stands there with lines that the connector has no record of. */
  readonly linesKnown: boolean;
}

/** What stands in the books of an entry. */
export interface StandingEntry {
  readonly externalId: string;
  readonly externalUrl: string;
  readonly contentDigest: string;
  /** Undefined where its lines are not known. */
  readonly plan: readonly unknown[] | undefined;
}

const NOTHING: InBooks = { state: 'nothing', externalId: null, externalUrl: null, linesKnown: true };

/**
 * @param contentDigests by which the content of the item is recognized
 * @param standing 'not-looked-up' where the ERP could not be searched
 * @param conflicts the policy about changed entries
 */
export function previewResult(
  plan: PostingPlan,
  contentDigests: readonly string[],
  standing: StandingEntry | undefined | 'not-looked-up',
  conflicts: 'fail' | 'reverse-and-repost',
): PreviewResult {
  const entries = plan.outcome === 'post' ? planAsJson(plan.entries) : [];
  const known = standing === 'not-looked-up' ? undefined : standing;
  return {
    action: actionOf(plan, contentDigests, known, conflicts),
    entries,
    warnings: plan.outcome === 'post' ? plan.warnings.map((warning) => toStoredText(warning.reason)) : [],
    issues:
      plan.outcome === 'fail'
        ? plan.problems.map(({ type, message: english, reason, issue }) => ({
            failureType: type,
            message: english,
            reason,
            issueKey: issueKey(issue),
          }))
        : [],
    inBooks: standing === 'not-looked-up' ? { ...NOTHING, state: 'not-looked-up' } : inBooksOf(known),
    differences: known?.plan === undefined || plan.outcome !== 'post' ? [] : diffPlans(known.plan, entries),
  };
}

/** Of what came in a form that cannot be read. */
export function unreadableResult(problem: string): PreviewResult {
  const reason = message('reason.preview.unreadable', { problem });
  const issues = [
    { failureType: 'validation_failure', message: englishText(reason), reason, issueKey: 'unreadable:entry' },
  ];
  return { action: 'fail', entries: [], warnings: [], issues, inBooks: NOTHING, differences: [] };
}

/** Of what was reversed in the ERP since it was posted, where the policy is to leave it so (B9.1). */
export function reversedResult(reversal: ReversalInErp): PreviewResult {
  const failureType = 'accounting_system_validation_failure';
  const { failureReason, messages = [] } = reversedInErp(reversal);
  const issues = [{ failureType, message: failureReason, reason: messages[0], issueKey: issueKey(REVERSED) }];
  return { action: 'fail', entries: [], warnings: [], issues, inBooks: NOTHING, differences: [] };
}

function inBooksOf(standing: StandingEntry | undefined): InBooks {
  if (standing === undefined) return NOTHING;
  const { externalId, externalUrl, plan } = standing;
  return { state: 'standing', externalId, externalUrl, linesKnown: plan !== undefined };
}

function actionOf(
  plan: PostingPlan,
  contentDigests: readonly string[],
  standing: StandingEntry | undefined,
  conflicts: 'fail' | 'reverse-and-repost',
): PreviewAction {
  if (standing !== undefined && contentDigests.includes(standing.contentDigest)) return 'report-existing';
  if (standing !== undefined && conflicts === 'fail') return 'refuse-change';
  switch (plan.outcome) {
    case 'fail':
      return 'fail';
    case 'needs-vendor':
      return 'create-vendor-and-post';
    case 'post':
      return standing === undefined ? 'post' : 'reverse-and-repost';
  }
}
