// Posts what was planned; what stands in the books with other content is reversed first, where the policy says so.
import { Injectable } from '@nestjs/common';
import type { ErpFailure, PostingGroup } from '../../erp/erp-ledger.js';
import type { KnownPosting } from '../domain/plans/known-entry.js';
import type { ReadyPost } from '../items/collect-receipts.js';
import type { JobRun } from '../run/job-run.js';
import { knownPosting } from './known-postings.js';
import { PostGroups } from './post-groups.js';
import type { PostedItem } from './posted-item.js';
import { ReversePostings } from './reverse-postings.js';

export interface PostedItems {
  /** Those with a sure outcome. */
  readonly posted: readonly PostedItem[];
  /** Why the others have none yet. */
  readonly failure: ErpFailure | undefined;
}

@Injectable()
export class PostItems {
  constructor(
    private readonly reversal: ReversePostings,
    private readonly posting: PostGroups,
  ) {}

  async run(run: JobRun, items: readonly ReadyPost[]): Promise<PostedItems> {
    const reposts = items.filter((item) => item.action === 'repost');
    const standing = new Map(reposts.map((item) => [item.accountingEntryId, item.posting]));
    const first = await this.replace(run, items, standing);
    if (run.books.policies.conflicts === 'fail') {
      return first;
    }
    // Of these our record knew nothing, and only the ERP could tell.
    const found = conflicting(first.posted.filter(({ planned }) => !standing.has(planned.accountingEntryId)));
    if (found.size === 0) {
      return first;
    }
    const again = items.filter((item) => found.has(item.accountingEntryId));
    const second = await this.replace(run, again, found);
    const settled = first.posted.filter(({ planned }) => !found.has(planned.accountingEntryId));
    return { posted: [...settled, ...second.posted], failure: first.failure ?? second.failure };
  }

  /** Reverses what stands and posts all but what could not be reversed. */
  private async replace(
    run: JobRun,
    items: readonly ReadyPost[],
    standing: ReadonlyMap<string, KnownPosting>,
  ): Promise<PostedItems> {
    const { nextRevisions, notReversed, failure: unanswered } = await this.reversal.run(run, standing);
    const groups = items.flatMap((item) => {
      const { accountingEntryId: key } = item;
      const revision = standing.has(key) ? nextRevisions.get(key) : item.revision;
      return revision === undefined ? [] : [groupOf(run, item, revision)];
    });
    const { outcomes, replaced, failure } = await this.posting.run(run, groups);
    const posted = items.flatMap((planned): readonly PostedItem[] => {
      const { accountingEntryId: key } = planned;
      const posting = standing.get(key);
      const why = notReversed.get(key);
      if (posting !== undefined && why !== undefined) {
        return [{ planned, outcome: { outcome: 'not-reversed', posting, why }, replaced: undefined }];
      }
      const outcome = outcomes.get(key);
      const before = replaced.get(key) ?? posting?.externalId ?? planned.replaced;
      return outcome === undefined ? [] : [{ planned, outcome, replaced: before }];
    });
    return { posted, failure: unanswered ?? failure };
  }
}

/** What the ERP was found to have under the keys of these items, with other content. */
function conflicting(posted: readonly PostedItem[]): ReadonlyMap<string, KnownPosting> {
  return new Map(
    posted.flatMap(({ planned, outcome }) =>
      outcome.outcome === 'conflict'
        ? [[planned.accountingEntryId, knownPosting(outcome.existing, outcome.existingContent)] as const]
        : [],
    ),
  );
}

function groupOf(run: JobRun, item: ReadyPost, revision: number): PostingGroup {
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
