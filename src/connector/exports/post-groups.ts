// Intent before effect: what may be posted is written down first, then sent, and an unknown outcome is looked up by key.
import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { toAccountingEntryId } from '../../kernel/ids.js';
import {
  ErpLedger,
  ErpUnavailable,
  type ErpFailure,
  type PostedGroup,
  type PostingGroup,
  type PostOutcome,
} from '../erp/erp-ledger.js';
import type { JobRun } from './job-run.js';
import { knownPosting } from './known-postings.js';
import { ExportStores } from './export-stores.js';

export interface PostedChunk {
  /** Sure outcomes, by key. */
  readonly outcomes: ReadonlyMap<string, SureOutcome>;
  /** By key, the id in the ERP of an entry that turned out to be reversed, so that the next revision was posted. */
  readonly replaced: ReadonlyMap<string, string>;
  /** Why some groups have none yet. */
  readonly failure: ErpFailure | undefined;
}

export type SureOutcome = Exclude<PostOutcome, { readonly outcome: 'unknown' | 'not-sent' }>;

const ROUNDS = 3;
const FIRST_WAIT_MS = 400;

/** What is known of the groups so far, by key. */
class Progress {
  readonly outcomes = new Map<string, SureOutcome>();
  readonly replaced = new Map<string, string>();
  /** Found in the ERP, but reversed there: nothing of it is in the books. */
  readonly reversed = new Map<string, PostedGroup>();

  take(group: PostingGroup, outcome: SureOutcome): void {
    const existing = existingOf(outcome);
    if (existing?.reversed === true) {
      this.reversed.set(group.key, existing);
    } else {
      this.outcomes.set(group.key, outcome);
    }
  }

  /** Whether it is not known if the group is in the books. */
  isDoubtful({ key }: PostingGroup): boolean {
    return !this.outcomes.has(key) && !this.reversed.has(key);
  }
}

@Injectable()
export class PostGroups {
  constructor(
    private readonly stores: ExportStores,
    private readonly erp: ErpLedger,
    private readonly clock: Clock,
  ) {}

  async run(run: JobRun, groups: readonly PostingGroup[]): Promise<PostedChunk> {
    const progress = new Progress();
    const { outcomes, replaced } = progress;
    let failure: ErpFailure | undefined;
    let open = groups;
    for (let round = 1; open.length > 0 && round <= ROUNDS; round += 1) {
      failure = await this.send(run, open, progress);
      const doubtful = open.filter((group) => progress.isDoubtful(group));
      let unanswered: ErpFailure | undefined;
      if (doubtful.length > 0) {
        await this.clock.sleep(FIRST_WAIT_MS * 2 ** round, run.signal);
        unanswered = await this.lookUp(run, doubtful, progress);
      }
      open = await this.nextRevisions(
        run,
        open.filter((group) => !outcomes.has(group.key)),
        progress,
      );
      if (unanswered !== undefined) {
        // Without an answer a second post could be a double one; the next run asks again first.
        return { outcomes, replaced, failure: unanswered };
      }
    }
    return { outcomes, replaced, failure: open.length > 0 ? (failure ?? REVERSED_EACH_TIME) : undefined };
  }

  private async send(
    run: JobRun,
    groups: readonly PostingGroup[],
    progress: Progress,
  ): Promise<ErpFailure | undefined> {
    run.signal.throwIfAborted();
    await this.stores.fenced('write intents', run.lease, async (tx) => {
      await this.stores.intents.send(tx, run.job, run.erpCompanyId, run.lease, groups, this.clock.now());
    });
    const answers = await this.erp.post(run.erpCompanyId, groups);
    let failure: ErpFailure | undefined;
    const uncertain: string[] = [];
    groups.forEach((group, index) => {
      const answer = answers[index];
      if (answer === undefined || answer.outcome === 'unknown') {
        uncertain.push(group.key);
        failure = answer?.failure ?? {
          kind: 'server-error',
          message: 'the accounting system answered for fewer entries than it was sent',
        };
      } else if (answer.outcome === 'not-sent') {
        failure = answer.failure;
      } else {
        progress.take(group, answer);
      }
    });
    await this.markUncertain(run, uncertain);
    return failure;
  }

  private async markUncertain(run: JobRun, keys: readonly string[]): Promise<void> {
    if (keys.length === 0) {
      return;
    }
    const outcomes = keys.map((key) => ({
      accountingEntryId: toAccountingEntryId(key),
      state: 'uncertain' as const,
    }));
    await this.stores.fenced('mark uncertain', run.lease, async (tx) => {
      await this.stores.intents.record(tx, run.job, run.erpCompanyId, outcomes, this.clock.now());
    });
  }

  /** Asks the ERP which of the groups it has after all. Without an answer they all stay open: nothing is assumed. */
  private async lookUp(
    run: JobRun,
    groups: readonly PostingGroup[],
    progress: Progress,
  ): Promise<ErpFailure | undefined> {
    try {
      const found = await this.erp.findPosted(
        run.erpCompanyId,
        groups.map((group) => group.key),
      );
      for (const group of groups) {
        const posted = found.get(group.key);
        // An older revision is the one that was reversed before this one was sent.
        if (posted !== undefined && posted.revision >= group.revision) {
          progress.take(
            group,
            posted.contentDigest === group.contentDigest
              ? { outcome: 'existed', posted }
              : { outcome: 'conflict', existing: posted, existingContent: [] },
          );
        }
      }
      return undefined;
    } catch (error) {
      if (error instanceof ErpUnavailable) {
        return error.failure;
      }
      throw error;
    }
  }

  /** A group that the ERP has, but reversed, is posted as the revision after it. */
  private async nextRevisions(
    run: JobRun,
    open: readonly PostingGroup[],
    { reversed, replaced }: Progress,
  ): Promise<readonly PostingGroup[]> {
    if (reversed.size === 0) {
      return open;
    }
    const found = new Map([...reversed].map(([key, group]) => [key, knownPosting(group)]));
    const revisions = await this.stores.fenced('record reversed groups', run.lease, (tx) =>
      this.stores.intents.reverse(tx, run.job, run.erpCompanyId, found, this.clock.now()),
    );
    for (const [key, { externalId }] of found) {
      replaced.set(key, externalId);
    }
    reversed.clear();
    return open.map((group) => ({ ...group, revision: revisions.get(group.key) ?? group.revision }));
  }
}

const REVERSED_EACH_TIME: ErpFailure = {
  kind: 'server-error',
  message: 'the accounting system has reversed the entry each time it was posted',
};

function existingOf(outcome: SureOutcome): PostedGroup | undefined {
  switch (outcome.outcome) {
    case 'created':
    case 'existed':
      return outcome.posted;
    case 'conflict':
      return outcome.existing;
    case 'refused':
      return undefined;
  }
}
