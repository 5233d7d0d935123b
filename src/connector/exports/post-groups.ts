// Intent before effect: what may be posted is written down first, then sent, and an unknown outcome is looked up by key.
import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { toAccountingEntryId } from '../../kernel/ids.js';
import {
  ErpLedger,
  ErpUnavailable,
  type ErpFailure,
  type PostingGroup,
  type PostOutcome,
} from '../erp/erp-ledger.js';
import type { JobRun } from './job-run.js';
import { ExportStores } from './export-stores.js';

export interface PostedChunk {
  /** Sure outcomes, by key. */
  readonly outcomes: ReadonlyMap<string, SureOutcome>;
  /** Why some groups have none yet. */
  readonly failure: ErpFailure | undefined;
}

export type SureOutcome = Exclude<PostOutcome, { readonly outcome: 'unknown' | 'not-sent' }>;

const ROUNDS = 3;
const FIRST_WAIT_MS = 400;

@Injectable()
export class PostGroups {
  constructor(
    private readonly stores: ExportStores,
    private readonly erp: ErpLedger,
    private readonly clock: Clock,
  ) {}

  async run(run: JobRun, groups: readonly PostingGroup[]): Promise<PostedChunk> {
    const outcomes = new Map<string, SureOutcome>();
    let failure: ErpFailure | undefined;
    let open = groups;
    for (let round = 1; open.length > 0 && round <= ROUNDS; round += 1) {
      failure = await this.send(run, open, outcomes);
      open = open.filter((group) => !outcomes.has(group.key));
      if (open.length > 0) {
        await this.clock.sleep(FIRST_WAIT_MS * 2 ** round, run.signal);
        const unanswered = await this.lookUp(run, open, outcomes);
        open = open.filter((group) => !outcomes.has(group.key));
        if (unanswered !== undefined) {
          // Without an answer a second post could be a double one; the next run asks again first.
          return { outcomes, failure: unanswered };
        }
      }
    }
    return { outcomes, failure: open.length > 0 ? failure : undefined };
  }

  private async send(
    run: JobRun,
    groups: readonly PostingGroup[],
    outcomes: Map<string, SureOutcome>,
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
        outcomes.set(group.key, answer);
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
    outcomes: Map<string, SureOutcome>,
  ): Promise<ErpFailure | undefined> {
    try {
      const found = await this.erp.findPosted(
        run.erpCompanyId,
        groups.map((group) => group.key),
      );
      for (const group of groups) {
        const posted = found.get(group.key);
        if (posted !== undefined) {
          const same = posted.contentDigest === group.contentDigest;
          outcomes.set(
            group.key,
            same ? { outcome: 'existed', posted } : { outcome: 'conflict', existing: posted },
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
}
