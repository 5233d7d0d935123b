// Intent before effect: groups are recorded, then sent, and an unknown outcome is looked up by key. domain/posting-rounds.ts
// decides what comes next; here its actions are carried out.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { Clock } from '../../../kernel/clock.js';
import {
  ErpUnavailable,
  type AcceptedGroup,
  type ErpFailure,
  type PostedGroup,
  type PostOutcome,
  type PostingGroup,
} from '../../erp/erp-ledger.js';
import {
  applyEvent,
  beginRounds,
  nextAction,
  type PostingRounds,
  type RoundAction,
  type RoundEvent,
  type RoundGroup,
} from '../domain/posting-rounds.js';
import { decideAfterUnknown } from '../domain/unknown-outcome.js';
import { countPostings } from '../exports.metrics.js';
import type { JobRun } from '../run/job-run.js';
import { reversalIn, type ReversalInErp } from '../domain/plans/known-entry.js';
import { fenced } from '../stores/fenced.js';
import { PostingIntentRepository } from '../stores/posting-intent.repository.js';
import { knownPosting } from './known-entries.js';

type Rounds = PostingRounds<PostedGroup, ErpFailure>;
type Action = Exclude<RoundAction<PostedGroup, ErpFailure>, { readonly action: 'finish' }>;
type Event = RoundEvent<PostedGroup, ErpFailure>;

export interface SubmissionResult extends Pick<Rounds, 'outcomes' | 'replaced'> {
  /** By key, how what turned out to be reversed was taken out of the books. */
  readonly reversals: ReadonlyMap<string, ReversalInErp>;
  /** Why some groups have no outcome, or no more should be sent for now. */
  readonly failure: ErpFailure | undefined;
}

@Injectable()
export class SubmitPostingGroups {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly postingIntentRepository: PostingIntentRepository,
    private readonly clock: Clock,
  ) {}

  /** @throws LeaseLost; the signal's reason when it fires before a group is sent */
  async submitAndLookUp(run: JobRun, groups: readonly PostingGroup[]): Promise<SubmissionResult> {
    const byKey = new Map(groups.map((group) => [group.key, group]));
    const reversals = new Map<string, ReversalInErp>();
    let rounds: Rounds = beginRounds(run.erp.guarantee, groups, run.masterData.policies.reversedInErp);
    for (;;) {
      const next = nextAction(rounds);
      if (next.action === 'finish') {
        const { failure } = next;
        const { outcomes, replaced } = rounds;
        return { outcomes, replaced, reversals, failure: typeof failure === 'string' ? FAILURES[failure] : failure };
      }
      if (next.action === 'advance-revisions') {
        next.reversed.forEach((group, key) => reversals.set(key, reversalIn(group)));
      }
      rounds = applyEvent(rounds, await this.perform(run, byKey, next));
    }
  }

  private async perform(run: JobRun, byKey: ReadonlyMap<string, PostingGroup>, next: Action): Promise<Event> {
    switch (next.action) {
      case 'send':
        return this.send(
          run,
          next.requests.map((groups) => withRevisions(byKey, groups)),
        );
      case 'mark':
        await this.markIntents(run, next);
        return { event: 'marked' };
      case 'wait':
        return this.wait(next.ms, run.signal);
      case 'look-up':
        return this.lookUp(run, next.keys);
      case 'advance-revisions':
        return this.advanceRevisions(run, next.reversed);
    }
  }

  private async send(run: JobRun, requests: readonly (readonly PostingGroup[])[]): Promise<Event> {
    run.signal.throwIfAborted();
    const sendable = await fenced(this.tenantDatabase, 'write intents', run.lease, (tx) =>
      this.postingIntentRepository.recordSendingLast(
        tx,
        run.job,
        run.erpCompanyId,
        run.lease,
        requests.flat(),
        this.clock.now(),
      ),
    );
    const recordAccepted = (accepted: readonly AcceptedGroup[]) =>
      fenced(this.tenantDatabase, 'record handles', run.lease, (tx) =>
        this.postingIntentRepository.recordHandles(tx, run.job, run.erpCompanyId, accepted),
      );
    const outcomes = new Map<string, PostOutcome>();
    for (const groups of requests) {
      const sent = groups.filter(({ key }) => sendable.has(key));
      const ofRequest = sent.length > 0 ? await run.erp.post(sent, recordAccepted) : [];
      ofRequest.forEach((outcome, index) => outcomes.set(sent[index]?.key ?? '', outcome));
    }
    countPostings([...outcomes.values()]);
    return { event: 'sent', outcomes };
  }

  private async markIntents(
    { lease, job, erpCompanyId }: JobRun,
    { uncertain, rejected }: Extract<Action, { readonly action: 'mark' }>,
  ): Promise<void> {
    await fenced(this.tenantDatabase, 'mark intents', lease, async (tx) => {
      const { postingIntentRepository } = this;
      await postingIntentRepository.markAs(tx, job, erpCompanyId, uncertain, 'uncertain');
      await postingIntentRepository.markAs(tx, job, erpCompanyId, rejected, 'rejected');
    });
  }

  private async wait(ms: number, signal: AbortSignal): Promise<Event> {
    try {
      await this.clock.sleep(ms, signal);
      return { event: 'waited' };
    } catch {
      return { event: 'stopped' };
    }
  }

  /** Looks up which groups the ERP has posted. If it does not respond, their state stays unknown. */
  private async lookUp({ job, erpCompanyId, erp }: JobRun, keys: readonly string[]): Promise<Event> {
    // Read before the look-up, so that what it misses is at least that old.
    const intents = await this.tenantDatabase.inInstallation('load intents', job.installationId, (tx) =>
      this.postingIntentRepository.find(tx, job, erpCompanyId, keys),
    );
    const conclusive = [...intents.values()]
      .filter(({ age }) => decideAfterUnknown(erp.guarantee, age) !== 'look-up-until')
      .map(({ accountingEntryId }) => accountingEntryId);
    try {
      const found = await erp.findPosted(keys);
      return { event: 'looked-up', found, conclusive: new Set<string>(conclusive) };
    } catch (error) {
      if (error instanceof ErpUnavailable) {
        return { event: 'not-looked-up', failure: error.failure };
      }
      throw error;
    }
  }

  private async advanceRevisions(run: JobRun, reversed: ReadonlyMap<string, PostedGroup>): Promise<Event> {
    const found = new Map([...reversed].map(([key, group]) => [key, knownPosting(group)]));
    const revisions = await fenced(this.tenantDatabase, 'record reversed groups', run.lease, (tx) =>
      this.postingIntentRepository.markReversed(tx, run.job, run.erpCompanyId, found),
    );
    const replaced = new Map([...found].map(([key, { externalId }]) => [key, externalId]));
    return { event: 'revisions-advanced', revisions, replaced };
  }
}

function withRevisions(
  byKey: ReadonlyMap<string, PostingGroup>,
  groups: readonly RoundGroup[],
): readonly PostingGroup[] {
  return groups.flatMap(({ key, revision }) => {
    const group = byKey.get(key);
    return group === undefined ? [] : [{ ...group, revision }];
  });
}

const FAILURES: Readonly<Record<'stopping' | 'reversed-each-time' | 'absent-at-last', ErpFailure>> = {
  stopping: { kind: 'timeout', message: 'the worker stops before the outcome is known' },
  'absent-at-last': {
    kind: 'timeout',
    message:
      'the accounting system took long to show that it does not have the entry; it is posted by the next attempt',
  },
  'reversed-each-time': {
    kind: 'server-error',
    message: 'the accounting system has reversed the entry each time it was posted',
  },
};
