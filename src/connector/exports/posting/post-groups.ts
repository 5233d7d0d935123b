// Intent before effect: what may be posted is written down first, then sent, and an unknown outcome is looked up by key.
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import {
  ErpLedger,
  ErpUnavailable,
  type ErpFailure,
  type PostedGroup,
  type PostingGroup,
  type PostOutcome,
} from '../../erp/erp-ledger.js';
import { afterUnknown, showsWhatIsAged } from '../domain/after-unknown.js';
import { countPostings } from '../exports.metrics.js';
import type { JobRun } from '../run/job-run.js';
import { knownPosting } from './known-postings.js';
import { ExportStores } from '../stores/export-stores.js';

export interface PostedChunk {
  /** By key. */
  readonly outcomes: ReadonlyMap<string, SureOutcome | LeftToAPerson>;
  /** By key, the id in the ERP of an entry that turned out to be reversed, so that the next revision was posted. */
  readonly replaced: ReadonlyMap<string, string>;
  /**
   * Why some groups have no outcome yet, or why no more should be sent for now. Undefined while an ERP that answers does
   * not show yet what it may have (level E1): these groups wait without keeping others from going on.
   */
  readonly failure: ErpFailure | undefined;
}

export type SureOutcome = Exclude<PostOutcome, { readonly outcome: 'unknown' | 'not-sent' }>;

/** It may be in the books, and the ERP cannot be asked (level E0). */
export interface LeftToAPerson {
  readonly outcome: 'left-to-a-person';
}

const ROUNDS = 3;
const FIRST_WAIT_MS = 400;
/** Longest pause an ERP may ask for within a run. */
const LONGEST_WAIT_MS = 10_000;

/** What is known of the groups so far, by key. */
class Progress {
  readonly outcomes = new Map<string, SureOutcome | LeftToAPerson>();
  readonly replaced = new Map<string, string>();
  /** Found in the ERP, but reversed there: nothing of it is in the books. */
  readonly reversed = new Map<string, PostedGroup>();
  /** They may be in the books, so they are not sent. */
  readonly doubtful = new Set<string>();
  /** The ERP has said for sure what became of a group. */
  isAnswered = false;
  /** Why the last calls left something open. */
  failure: ErpFailure | undefined;

  take(group: PostingGroup, outcome: SureOutcome): void {
    const existing = existingOf(outcome);
    this.doubtful.delete(group.key);
    if (existing?.reversed === true) {
      this.reversed.set(group.key, existing);
    } else {
      this.outcomes.set(group.key, outcome);
    }
  }

  doubt({ key }: PostingGroup): void {
    this.doubtful.add(key);
  }

  leaveToAPerson(): void {
    for (const key of this.doubtful) {
      this.outcomes.set(key, { outcome: 'left-to-a-person' });
    }
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
    const { outcomes, replaced, doubtful } = progress;
    let open = groups;
    for (let round = 1; open.length > 0 && round <= ROUNDS; round += 1) {
      await this.send(
        run,
        open.filter(({ key }) => !doubtful.has(key)),
        progress,
      );
      if (this.erp.capability.level === 'E0') {
        progress.leaveToAPerson();
      }
      open = open.filter(({ key }) => !outcomes.has(key));
      const unanswered = open.length > 0 ? await this.lookAgain(run, open, round, progress) : undefined;
      open = await this.nextRevisions(
        run,
        open.filter(({ key }) => !outcomes.has(key)),
        progress,
      );
      if (unanswered !== undefined) {
        // Without an answer a second post could be a double one; the next run asks again first.
        return { outcomes, replaced, failure: unanswered };
      }
    }
    return { outcomes, replaced, failure: failureOf(open, progress) };
  }

  /** @returns why the ERP could not be asked, or that there is no time to ask it */
  private async lookAgain(
    run: JobRun,
    open: readonly PostingGroup[],
    round: number,
    progress: Progress,
  ): Promise<ErpFailure | undefined> {
    if (open.every(({ key }) => progress.reversed.has(key))) {
      return undefined;
    }
    const askedMs = progress.failure?.retryAfterMs ?? 0;
    if (askedMs > LONGEST_WAIT_MS) {
      // The job pauses for that long; nothing is asked before.
      return progress.failure;
    }
    try {
      await this.clock.sleep(Math.max(FIRST_WAIT_MS * 2 ** round, askedMs), run.signal);
    } catch {
      // The worker stops. What it knows by now must not be lost: at E0 nobody could ask for it again.
      return STOPPING;
    }
    const doubtful = open.filter(({ key }) => progress.doubtful.has(key));
    return doubtful.length > 0 ? this.lookUp(run, doubtful, progress) : undefined;
  }

  private async send(run: JobRun, groups: readonly PostingGroup[], progress: Progress): Promise<void> {
    if (groups.length === 0) {
      return;
    }
    progress.failure = undefined;
    run.signal.throwIfAborted();
    const sendable = await this.stores.fenced('write intents', run.lease, (tx) =>
      this.stores.intents.send(tx, run.job, run.erpCompanyId, run.lease, groups, this.clock.now()),
    );
    for (const group of groups.filter(({ key }) => !sendable.has(key))) {
      progress.doubt(group);
    }
    const sent = groups.filter(({ key }) => sendable.has(key));
    const answers = sent.length > 0 ? await this.erp.post(run.erpCompanyId, sent) : [];
    countPostings(answers);
    const uncertain: string[] = [];
    const notSent: string[] = [];
    sent.forEach((group, index) => {
      const answer = answers[index] ?? { outcome: 'unknown', failure: TOO_FEW_ANSWERS };
      if (answer.outcome === 'unknown') {
        progress.doubt(group);
        progress.failure = answer.failure;
        uncertain.push(group.key);
      } else if (answer.outcome === 'not-sent') {
        progress.failure = answer.failure;
        // Where a look-up tells at once it is asked all the same; elsewhere this answer is the better one.
        if (showsWhatIsAged(this.erp.capability, 0)) {
          progress.doubt(group);
        } else {
          notSent.push(group.key);
        }
      } else {
        progress.isAnswered = true;
        progress.take(group, answer);
      }
    });
    await this.tell(run, { uncertain, rejected: notSent });
  }

  private async tell(
    run: JobRun,
    keys: { readonly uncertain?: readonly string[]; readonly rejected: readonly string[] },
  ): Promise<void> {
    const { uncertain = [], rejected } = keys;
    if (uncertain.length === 0 && rejected.length === 0) {
      return;
    }
    await this.stores.fenced('tell what became of intents', run.lease, async (tx) => {
      await this.stores.intents.tell(tx, run.job, run.erpCompanyId, uncertain, 'uncertain');
      await this.stores.intents.tell(tx, run.job, run.erpCompanyId, rejected, 'rejected');
    });
  }

  /** Asks the ERP which of the groups it has after all. Without an answer they all stay open: nothing is assumed. */
  private async lookUp(
    run: JobRun,
    groups: readonly PostingGroup[],
    progress: Progress,
  ): Promise<ErpFailure | undefined> {
    const keys = groups.map(({ key }) => key);
    const intents = await this.stores.open('load intents', run.job.installationId, (tx) =>
      this.stores.intents.find(tx, run.job, run.erpCompanyId, keys),
    );
    const surelyShown = new Set<string>(
      [...intents.values()]
        .filter(({ age }) => afterUnknown(this.erp.capability, age) !== 'look-up-until')
        .map((intent) => intent.accountingEntryId),
    );
    const found = await this.tryFind(run, keys);
    if ('kind' in found) {
      return found;
    }
    const absent: string[] = [];
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
      } else if (surelyShown.has(group.key)) {
        progress.doubtful.delete(group.key);
        absent.push(group.key);
      }
    }
    await this.tell(run, { rejected: absent });
    return undefined;
  }

  private async tryFind(
    run: JobRun,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, PostedGroup> | ErpFailure> {
    try {
      return await this.erp.findPosted(run.erpCompanyId, keys);
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

/**
 * An ERP that has answered nothing is left alone for a while: whatever else it is sent would be unknown too.
 * @param open groups without an outcome
 */
function failureOf(
  open: readonly PostingGroup[],
  { doubtful, isAnswered, failure }: Progress,
): ErpFailure | undefined {
  if (open.some(({ key }) => !doubtful.has(key))) {
    return failure ?? REVERSED_EACH_TIME;
  }
  return doubtful.size > 0 && !isAnswered ? failure : undefined;
}

const STOPPING: ErpFailure = { kind: 'timeout', message: 'the worker stops before the outcome is known' };

const TOO_FEW_ANSWERS: ErpFailure = {
  kind: 'server-error',
  message: 'the accounting system answered for fewer entries than it was sent',
};

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
