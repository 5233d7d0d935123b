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
import { decideAfterUnknown, isLookUpConclusive } from '../domain/unknown-outcome.js';
import { countPostings } from '../exports.metrics.js';
import type { JobRun } from '../run/job-run.js';
import { knownPosting } from './load-known-entries.js';
import { ExportStores } from '../stores/export-stores.js';

export interface SubmissionResult {
  /** By key. */
  readonly outcomes: ReadonlyMap<string, DefiniteOutcome | NeedsManualReview>;
  /** By key, the id in the ERP of an entry that turned out to be reversed, so that the next revision was posted. */
  readonly replaced: ReadonlyMap<string, string>;
  /**
   * Why some groups have no outcome yet, or why no more should be sent for now. Undefined while an ERP that answers does
   * not show yet what it may have (level `searchable-reference`): these groups wait without keeping others from going on.
   */
  readonly failure: ErpFailure | undefined;
}

export type DefiniteOutcome = Exclude<PostOutcome, { readonly outcome: 'unknown' | 'not-sent' }>;

/** It may be in the books, and the ERP cannot be asked (level `none`). */
export interface NeedsManualReview {
  readonly outcome: 'needs-manual-review';
}

const ROUNDS = 3;
const FIRST_WAIT_MS = 400;
/** Longest pause an ERP may ask for within a run. */
const MAX_WAIT_MS = 10_000;

/** What is known of the groups so far, by key. */
class SubmissionProgress {
  readonly outcomes = new Map<string, DefiniteOutcome | NeedsManualReview>();
  readonly replaced = new Map<string, string>();
  /** Found in the ERP, but reversed there: nothing of it is in the books. */
  readonly reversed = new Map<string, PostedGroup>();
  /** They may be in the books, so they are not sent. */
  readonly inDoubt = new Set<string>();
  /** The ERP has said for sure what became of a group. */
  hasDefiniteOutcome = false;
  /** Why the last calls left something open. */
  failure: ErpFailure | undefined;

  recordOutcome(group: PostingGroup, outcome: DefiniteOutcome): void {
    const existing = existingOf(outcome);
    this.inDoubt.delete(group.key);
    if (existing?.reversed === true) {
      this.reversed.set(group.key, existing);
    } else {
      this.outcomes.set(group.key, outcome);
    }
  }

  markInDoubt({ key }: PostingGroup): void {
    this.inDoubt.add(key);
  }

  requireManualReview(): void {
    for (const key of this.inDoubt) {
      this.outcomes.set(key, { outcome: 'needs-manual-review' });
    }
  }
}

@Injectable()
export class SubmitPostingGroups {
  constructor(
    private readonly exportStores: ExportStores,
    private readonly erpLedger: ErpLedger,
    private readonly clock: Clock,
  ) {}

  async submitAndLookUp(run: JobRun, groups: readonly PostingGroup[]): Promise<SubmissionResult> {
    const progress = new SubmissionProgress();
    const { outcomes, replaced, inDoubt } = progress;
    let open = groups;
    for (let round = 1; open.length > 0 && round <= ROUNDS; round += 1) {
      await this.submit(
        run,
        open.filter(({ key }) => !inDoubt.has(key)),
        progress,
      );
      if (this.erpLedger.capability.level === 'E0') {
        progress.requireManualReview();
      }
      open = open.filter(({ key }) => !outcomes.has(key));
      const unanswered = open.length > 0 ? await this.waitAndLookUp(run, open, round, progress) : undefined;
      open = await this.prepareNextRevisions(
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
  private async waitAndLookUp(
    run: JobRun,
    open: readonly PostingGroup[],
    round: number,
    progress: SubmissionProgress,
  ): Promise<ErpFailure | undefined> {
    if (open.every(({ key }) => progress.reversed.has(key))) {
      return undefined;
    }
    const askedMs = progress.failure?.retryAfterMs ?? 0;
    if (askedMs > MAX_WAIT_MS) {
      // The job pauses for that long; nothing is asked before.
      return progress.failure;
    }
    try {
      await this.clock.sleep(Math.max(FIRST_WAIT_MS * 2 ** round, askedMs), run.signal);
    } catch {
      // The worker stops. What it knows by now must not be lost: at `none` nobody could ask for it again.
      return STOPPING;
    }
    const doubtful = open.filter(({ key }) => progress.inDoubt.has(key));
    return doubtful.length > 0 ? this.lookUp(run, doubtful, progress) : undefined;
  }

  private async submit(
    run: JobRun,
    groups: readonly PostingGroup[],
    progress: SubmissionProgress,
  ): Promise<void> {
    if (groups.length === 0) {
      return;
    }
    progress.failure = undefined;
    run.signal.throwIfAborted();
    const sendable = await this.exportStores.fenced('write intents', run.lease, (tx) =>
      this.exportStores.postingIntentRepository.recordSending(
        tx,
        run.job,
        run.erpCompanyId,
        run.lease,
        groups,
        this.clock.now(),
      ),
    );
    for (const group of groups.filter(({ key }) => !sendable.has(key))) {
      progress.markInDoubt(group);
    }
    const sent = groups.filter(({ key }) => sendable.has(key));
    const answers = sent.length > 0 ? await this.erpLedger.post(run.erpCompanyId, sent) : [];
    countPostings(answers);
    const uncertain: string[] = [];
    const notSent: string[] = [];
    sent.forEach((group, index) => {
      const answer = answers[index] ?? { outcome: 'unknown', failure: TOO_FEW_OUTCOMES };
      if (answer.outcome === 'unknown') {
        progress.markInDoubt(group);
        progress.failure = answer.failure;
        uncertain.push(group.key);
      } else if (answer.outcome === 'not-sent') {
        progress.failure = answer.failure;
        // Where a look-up tells at once it is asked all the same; elsewhere this answer is the better one.
        if (isLookUpConclusive(this.erpLedger.capability, 0)) {
          progress.markInDoubt(group);
        } else {
          notSent.push(group.key);
        }
      } else {
        progress.hasDefiniteOutcome = true;
        progress.recordOutcome(group, answer);
      }
    });
    await this.markIntents(run, { uncertain, rejected: notSent });
  }

  private async markIntents(
    run: JobRun,
    keys: { readonly uncertain?: readonly string[]; readonly rejected: readonly string[] },
  ): Promise<void> {
    const { uncertain = [], rejected } = keys;
    if (uncertain.length === 0 && rejected.length === 0) {
      return;
    }
    await this.exportStores.fenced('tell what became of intents', run.lease, async (tx) => {
      await this.exportStores.postingIntentRepository.markAs(
        tx,
        run.job,
        run.erpCompanyId,
        uncertain,
        'uncertain',
      );
      await this.exportStores.postingIntentRepository.markAs(
        tx,
        run.job,
        run.erpCompanyId,
        rejected,
        'rejected',
      );
    });
  }

  /** Asks the ERP which of the groups it has after all. Without an answer they all stay open: nothing is assumed. */
  private async lookUp(
    run: JobRun,
    groups: readonly PostingGroup[],
    progress: SubmissionProgress,
  ): Promise<ErpFailure | undefined> {
    const keys = groups.map(({ key }) => key);
    const intents = await this.exportStores.inInstallation('load intents', run.job.installationId, (tx) =>
      this.exportStores.postingIntentRepository.find(tx, run.job, run.erpCompanyId, keys),
    );
    const surelyShown = new Set<string>(
      [...intents.values()]
        .filter(({ age }) => decideAfterUnknown(this.erpLedger.capability, age) !== 'look-up-until')
        .map((intent) => intent.accountingEntryId),
    );
    const found = await this.findPosted(run, keys);
    if ('kind' in found) {
      return found;
    }
    const absent: string[] = [];
    for (const group of groups) {
      const posted = found.get(group.key);
      // An older revision is the one that was reversed before this one was sent.
      if (posted !== undefined && posted.revision >= group.revision) {
        progress.recordOutcome(
          group,
          posted.contentDigest === group.contentDigest
            ? { outcome: 'existed', posted }
            : { outcome: 'conflict', existing: posted, existingContent: [] },
        );
      } else if (surelyShown.has(group.key)) {
        progress.inDoubt.delete(group.key);
        absent.push(group.key);
      }
    }
    await this.markIntents(run, { rejected: absent });
    return undefined;
  }

  private async findPosted(
    run: JobRun,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, PostedGroup> | ErpFailure> {
    try {
      return await this.erpLedger.findPosted(run.erpCompanyId, keys);
    } catch (error) {
      if (error instanceof ErpUnavailable) {
        return error.failure;
      }
      throw error;
    }
  }

  /** A group that the ERP has, but reversed, is posted as the revision after it. */
  private async prepareNextRevisions(
    run: JobRun,
    open: readonly PostingGroup[],
    { reversed, replaced }: SubmissionProgress,
  ): Promise<readonly PostingGroup[]> {
    if (reversed.size === 0) {
      return open;
    }
    const found = new Map([...reversed].map(([key, group]) => [key, knownPosting(group)]));
    const revisions = await this.exportStores.fenced('record reversed groups', run.lease, (tx) =>
      this.exportStores.postingIntentRepository.markReversed(
        tx,
        run.job,
        run.erpCompanyId,
        found,
        this.clock.now(),
      ),
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
  { inDoubt, hasDefiniteOutcome, failure }: SubmissionProgress,
): ErpFailure | undefined {
  if (open.some(({ key }) => !inDoubt.has(key))) {
    return failure ?? REVERSED_EACH_TIME;
  }
  return inDoubt.size > 0 && !hasDefiniteOutcome ? failure : undefined;
}

const STOPPING: ErpFailure = { kind: 'timeout', message: 'the worker stops before the outcome is known' };

const TOO_FEW_OUTCOMES: ErpFailure = {
  kind: 'server-error',
  message: 'the accounting system answered for fewer entries than it was sent',
};

const REVERSED_EACH_TIME: ErpFailure = {
  kind: 'server-error',
  message: 'the accounting system has reversed the entry each time it was posted',
};

function existingOf(outcome: DefiniteOutcome): PostedGroup | undefined {
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
