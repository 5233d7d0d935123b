import type { Message } from '../../../kernel/message.js';
import type { RunLease } from '../../runs/domain/run-lease.js';
import type { PlannedChange, SyncAction, SyncKind, SyncProblem, SyncSubject } from './sync-plan.js';

/** `requested` and `running` are open; the others are final. `needs_confirmation`: nothing was changed, a person decides. */
export type SyncState =
  'requested' | 'running' | 'completed' | 'completed_with_problems' | 'needs_confirmation' | 'failed';

/** Why a run was requested. */
export type SyncReason = 'connected' | 'schedule' | 'person' | 'vendor-created' | 'export';

/** A run that one worker owns. */
export interface SyncLease extends RunLease {
  readonly kind: SyncKind;
  /** Planned only: nothing is changed anywhere. */
  readonly isPreview: boolean;
  /** So many records a person has said may be archived. */
  readonly confirmedArchives: number;
}

/** How a run ended that came to its end. */
export interface SyncResult {
  /** What remains different. */
  readonly problems: readonly SyncProblem[];
  /** What a person has to decide before anything is changed. */
  readonly question?: Message;
}

/** Records changed so far, by what was done with them. */
export interface SyncCounts {
  readonly created: number;
  readonly updated: number;
  readonly archived: number;
  readonly unarchived: number;
  readonly activated: number;
  readonly createdInErp: number;
  readonly problems: number;
}

/** A run as a person sees it. */
export interface SyncRunView {
  readonly id: string;
  readonly kind: SyncKind;
  readonly isPreview: boolean;
  readonly reason: SyncReason;
  readonly state: SyncState;
  readonly requestedAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly counts: SyncCounts;
  /** What a person can do about it. */
  readonly failure: string | null;
}

export type RecordOutcome = 'planned' | 'sent' | 'done' | 'problem';

export interface SyncRecordView {
  readonly seq: number;
  readonly subject: SyncSubject;
  /** Null: nothing was changed, there is a problem. */
  readonly action: SyncAction | null;
  readonly key: string;
  readonly name: string;
  readonly outcome: RecordOutcome;
  readonly detail: string | null;
}

/** How one step of a plan ended. */
export type StepOutcome =
  | { readonly outcome: 'done' }
  /** It will not be accepted later either; the platform or the ERP says why. */
  | { readonly outcome: 'refused'; readonly detail: string }
  /** The platform has changed since the plan was made, or the outcome is unknown: plan again. */
  | { readonly outcome: 'stale' };

const COUNTED_AS: Readonly<Record<SyncAction, keyof SyncCounts>> = {
  create: 'created',
  update: 'updated',
  archive: 'archived',
  unarchive: 'unarchived',
  activate: 'activated',
  'create-in-erp': 'createdInErp',
};

export const NO_COUNTS: SyncCounts = {
  created: 0,
  updated: 0,
  archived: 0,
  unarchived: 0,
  activated: 0,
  createdInErp: 0,
  problems: 0,
};

/** @param actions one per record that is done */
export function countActions(actions: readonly SyncAction[], problems = 0): SyncCounts {
  const counts = { ...NO_COUNTS, problems };
  for (const action of actions) {
    counts[COUNTED_AS[action]] += 1;
  }
  return counts;
}

/** What a record of the history is recognized by in a later plan. */
export interface RecordIdentity {
  readonly subject: SyncSubject;
  readonly action: SyncAction;
  readonly key: string;
  readonly targetId: string | null;
}

export function identityOf(step: PlannedChange): RecordIdentity {
  const targetId = 'id' in step && typeof step.id === 'string' ? step.id : null;
  return { subject: step.subject, action: step.action, key: step.key, targetId };
}

/**
 * Decides which changes of unknown outcome have taken effect: those that a new plan no longer contains.
 * @returns the rows that took effect, and those that did not: they are planned again
 */
export function settleUnknown<Row extends RecordIdentity>(
  unknown: readonly Row[],
  plan: readonly PlannedChange[],
): { readonly done: readonly Row[]; readonly undone: readonly Row[] } {
  const text = ({ subject, action, key, targetId }: RecordIdentity) => JSON.stringify([subject, action, key, targetId]);
  const planned = new Set(plan.map((step) => text(identityOf(step))));
  return {
    done: unknown.filter((row) => !planned.has(text(row))),
    undone: unknown.filter((row) => planned.has(text(row))),
  };
}
