// One run from its plan to its end. It plans from the current state of platform and ERP, applies the plan, and plans again
// after an unexpected response; so a run that is resumed after a crash plans like a new one.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { Tx } from '../../foundation/database/transaction.js';
import { Clock } from '../../kernel/clock.js';
import { ACCOUNT_BATCH_LIMIT, TAG_BULK_LIMIT } from '../platform/reference-data-api.js';
import { fencedTransaction, type Ownership } from '../runs/lease.js';
import { RunStopped } from '../runs/run-interruptions.js';
import { chunkSteps } from './domain/chunk-steps.js';
import { questionOf } from './domain/list-loss.js';
import type { PlannedChange, SyncAction } from './domain/sync-plan.js';
import { countActions, settleUnknown, type StepOutcome, type SyncLease, type SyncResult } from './domain/sync-run.js';
import { LoadSyncScope } from './sync/load-sync-scope.js';
import { PlanRunChanges } from './sync/plan-run-changes.js';
import { countSyncChanges, countSyncProblems } from './reference-data.metrics.js';
import { SyncRecordRepository } from './sync/sync-record.repository.js';
import { SyncRunRepository } from './sync-run.repository.js';
import type { ExecutablePlan } from './sync/sync-scope.js';

/** Plans of one attempt: a response that is unexpected each time means that another program changes the same records. */
const MAX_ROUNDS = 3;
/** Then other runs get the worker; the request budget decides how long the rest takes. */
const SLICE_MS = 900_000;
const BATCHES = { accountCreates: ACCOUNT_BATCH_LIMIT, tagArchives: TAG_BULK_LIMIT };
const PLANNED_CHUNK = 1_000;
/** Problems of one run that are kept one by one. */
const MAX_PROBLEMS = 10_000;
const STILL_STALE = 'It was changed on the platform at the same moment, several times: the next run compares it again.';

@Injectable()
export class ExecuteSync {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly syncRunRepository: SyncRunRepository,
    private readonly syncRecordRepository: SyncRecordRepository,
    private readonly loadSyncScope: LoadSyncScope,
    private readonly planRunChanges: PlanRunChanges,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns the changes are in the run's records
   * @throws RunStopped, LeaseLost, SyncBlocked, ErpUnavailable, PlatformRefusal, NoResponse, AuthorizationLost
   */
  async synchronize(lease: SyncLease, ownership: Ownership): Promise<SyncResult> {
    const endsAt = this.clock.monotonicMs() + SLICE_MS;
    const mustEnd = () => ownership.signal.aborted || this.clock.monotonicMs() >= endsAt;
    const work = await this.loadSyncScope.load(lease, ownership);
    for (let round = 1; ; round += 1) {
      const planned = await this.planRunChanges.planByKind(lease.kind, work);
      const { plan } = planned;
      if (lease.isPreview) {
        await this.recordPlanned(lease, plan.steps);
        return { problems: plan.problems.slice(0, MAX_PROBLEMS) };
      }
      const { active, losses = plan.steps } = planned;
      const question = questionOf(lease.kind, active, losses, lease.confirmedArchives);
      if (question !== undefined) {
        // A person who confirms sees each record before.
        await this.recordPlanned(lease, plan.steps);
        return { problems: [], question };
      }
      await this.recordPlan(lease, planned);
      const isLast = round === MAX_ROUNDS;
      const isSettled = await this.applySteps(lease, planned, isLast, mustEnd);
      if (isSettled || isLast) {
        return { problems: plan.problems.slice(0, MAX_PROBLEMS) };
      }
    }
  }

  /** Of a preview it counts, too: a run that waits for a person has changed nothing. */
  private async recordPlanned(lease: SyncLease, steps: readonly PlannedChange[]): Promise<void> {
    let start = 0;
    do {
      const piece = steps.slice(start, start + PLANNED_CHUNK);
      const isFirst = start === 0;
      await this.fenced('record plan', lease, async (tx) => {
        // Of an attempt that was killed, also when nothing is left to be planned.
        if (isFirst) {
          await this.syncRecordRepository.removePlanned(tx, lease);
        }
        await this.syncRecordRepository.add(tx, lease, piece, 'planned');
        if (lease.isPreview) {
          if (isFirst) {
            await this.syncRunRepository.clearCounts(tx, lease);
          }
          await this.syncRunRepository.addCounts(tx, lease, countActions(piece.map(({ action }) => action)));
        }
      });
      start += PLANNED_CHUNK;
    } while (start < steps.length);
  }

  /** A change that was sent and is no longer part of the plan has taken effect. */
  private async recordPlan<Step extends PlannedChange>(lease: SyncLease, planned: ExecutablePlan<Step>): Promise<void> {
    await this.fenced('begin sync', lease, async (tx) => {
      // Of an attempt that was to ask a person, who has confirmed meanwhile.
      await this.syncRecordRepository.removePlanned(tx, lease);
      await planned.storeFindings?.(tx);
      const { done, undone } = settleUnknown(
        await this.syncRecordRepository.findUnknown(tx, lease),
        planned.plan.steps,
      );
      await this.recordOutcomes(tx, lease, done, []);
      await this.syncRecordRepository.remove(
        tx,
        lease,
        undone.map(({ seq }) => seq),
      );
    });
  }

  /** @returns false when a new plan has to establish the outcome of some steps */
  private async applySteps<Step extends PlannedChange>(
    lease: SyncLease,
    { plan, apply }: ExecutablePlan<Step>,
    isLast: boolean,
    mustEnd: () => boolean,
  ): Promise<boolean> {
    let isSettled = true;
    for (const steps of chunkSteps(plan.steps, BATCHES)) {
      if (mustEnd()) {
        throw new RunStopped('the run stops: other runs wait');
      }
      const first = await this.fenced('announce changes', lease, (tx) =>
        this.syncRecordRepository.add(tx, lease, steps, 'sent'),
      );
      const outcomes = await apply(steps);
      const rows = steps.map((step, index) => ({
        seq: first + index,
        action: step.action,
        outcome: outcomes[index] ?? { outcome: 'stale' as const },
      }));
      const problems = rows.flatMap(({ seq, outcome }) => problemOf(seq, outcome, isLast));
      // What was created in the ERP may be what something else was waiting for.
      isSettled &&= rows.every(({ outcome, action }) => outcome.outcome !== 'stale' && action !== 'create-in-erp');
      const undone = isLast ? [] : rows.filter(({ action, outcome }) => hadNoEffect(action, outcome));
      const done = rows.filter(({ outcome }) => outcome.outcome === 'done');
      await this.fenced('record changes', lease, async (tx) => {
        await this.recordOutcomes(tx, lease, done, problems);
        await this.syncRecordRepository.remove(
          tx,
          lease,
          undone.map(({ seq }) => seq),
        );
      });
      countSyncChanges(
        lease.kind,
        done.map(({ action }) => action),
      );
      countSyncProblems(lease.kind, problems.length);
    }
    return isSettled;
  }

  private async recordOutcomes(
    tx: Tx,
    lease: SyncLease,
    done: readonly { readonly seq: number; readonly action: PlannedChange['action'] }[],
    problems: readonly { readonly seq: number; readonly detail: string }[],
  ): Promise<void> {
    await this.syncRecordRepository.recordOutcomes(tx, lease, [
      ...done.map(({ seq }) => ({ seq, outcome: 'done' as const, detail: null })),
      ...problems.map(({ seq, detail }) => ({ seq, outcome: 'problem' as const, detail })),
    ]);
    const actions = done.map(({ action }) => action);
    await this.syncRunRepository.addCounts(tx, lease, countActions(actions, problems.length));
  }

  private async fenced<T>(label: string, lease: SyncLease, work: (tx: Tx) => Promise<T>): Promise<T> {
    return fencedTransaction(this.tenantDatabase, this.syncRunRepository, label, lease, work);
  }
}

/** A stale change of an existing record was not applied; whether a new record was created is unknown. */
function hadNoEffect(action: SyncAction, { outcome }: StepOutcome): boolean {
  return outcome === 'stale' && action !== 'create' && action !== 'create-in-erp';
}

function problemOf(
  seq: number,
  outcome: StepOutcome,
  isLast: boolean,
): readonly { readonly seq: number; readonly detail: string }[] {
  switch (outcome.outcome) {
    case 'done':
      return [];
    case 'refused':
      return [{ seq, detail: outcome.detail }];
    case 'stale':
      return isLast ? [{ seq, detail: STILL_STALE }] : [];
  }
}
