// Posts planned items; an entry that stands with other content is reversed first, where the policy says so.
import { Injectable } from '@nestjs/common';
import type { ErpFailure, PostingGroup } from '../../erp/erp-ledger.js';
import type { KnownPosting } from '../domain/plans/known-entry.js';
import type { PostWithReceipts } from '../items/collect-receipts.js';
import type { JobRun } from '../run/job-run.js';
import { knownPosting } from './known-entries.js';
import { SubmitPostingGroups } from './submit-posting-groups.js';
import type { PostingAttempt } from './posting-attempt.js';
import { ReversePostings } from './reverse-postings.js';

export interface PostingAttemptResult {
  /** Those with a definite outcome. */
  readonly posted: readonly PostingAttempt[];
  /** Why the others have none yet. */
  readonly failure: ErpFailure | undefined;
}

@Injectable()
export class PostReadyItems {
  constructor(
    private readonly reversePostings: ReversePostings,
    private readonly submitPostingGroups: SubmitPostingGroups,
  ) {}

  /**
   * An entry that only the ERP is found to have, with other content, is replaced in a second pass where the policy allows that.
   * @returns the items with a definite outcome; those that are missing have none yet
   * @throws LeaseLost; the signal's reason when it fires before anything is sent
   */
  async postOrReplace(run: JobRun, items: readonly PostWithReceipts[]): Promise<PostingAttemptResult> {
    const reposts = items.filter((item) => item.action === 'repost');
    const standing = new Map(reposts.map((item) => [item.accountingEntryId, item.posting]));
    const first = await this.reverseAndPost(run, items, standing);
    if (run.masterData.policies.conflicts === 'fail') {
      return first;
    }
    // Only the ERP knew these: they were posted outside the connector, or our record was lost.
    const found = conflicting(first.posted.filter(({ planned }) => !standing.has(planned.accountingEntryId)));
    if (found.size === 0) {
      return first;
    }
    const again = items.filter((item) => found.has(item.accountingEntryId));
    const second = await this.reverseAndPost(run, again, found);
    const settled = first.posted.filter(({ planned }) => !found.has(planned.accountingEntryId));
    return { posted: [...settled, ...second.posted], failure: first.failure ?? second.failure };
  }

  /** Reverses the standing entries, then posts all items but those whose entry could not be reversed. */
  private async reverseAndPost(
    run: JobRun,
    items: readonly PostWithReceipts[],
    standing: ReadonlyMap<string, KnownPosting>,
  ): Promise<PostingAttemptResult> {
    const {
      nextRevisions,
      notReversed,
      failure: reversalFailure,
    } = await this.reversePostings.reverseInErp(run, standing);
    const groups = items.flatMap((item) => {
      const { accountingEntryId: key } = item;
      const revision = standing.has(key) ? nextRevisions.get(key) : item.revision;
      return revision === undefined ? [] : [groupOf(run, item, revision)];
    });
    const { outcomes, replaced, reversals, failure } = await this.submitPostingGroups.submitAndLookUp(run, groups);
    const posted = items.flatMap((planned): readonly PostingAttempt[] => {
      const { accountingEntryId: key } = planned;
      const posting = standing.get(key);
      const reason = notReversed.get(key);
      if (posting !== undefined && reason !== undefined) {
        return [{ planned, outcome: { outcome: 'not-reversed', posting, reason }, replaced: undefined }];
      }
      const outcome = outcomes.get(key);
      const before = replaced.get(key) ?? posting?.externalId ?? planned.replaced;
      const reversal = reversals.get(key) ?? (posting === undefined ? planned.reversal : undefined);
      return outcome === undefined ? [] : [{ planned, outcome, replaced: before, reversal }];
    });
    return { posted, failure: reversalFailure ?? failure };
  }
}

/** By key, what the ERP was found to have with other content. */
function conflicting(posted: readonly PostingAttempt[]): ReadonlyMap<string, KnownPosting> {
  return new Map(
    posted.flatMap(({ planned, outcome }) =>
      outcome.outcome === 'conflict'
        ? [[planned.accountingEntryId, knownPosting(outcome.existing, outcome.existingContent)] as const]
        : [],
    ),
  );
}

function groupOf(run: JobRun, item: PostWithReceipts, revision: number): PostingGroup {
  const { job, lease, mappingVersion } = run;
  return {
    key: item.accountingEntryId,
    revision,
    contentDigest: item.contentDigest,
    entries: item.entries,
    documents: item.documents,
    trail: { installationId: job.installationId, exportJobId: job.id, mappingVersion, fence: lease.fence },
  };
}
