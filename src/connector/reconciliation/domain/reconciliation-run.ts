import { localDateIn, type LocalDate } from '../../../kernel/local-date.js';
import type { RunLease } from '../../runs/domain/run-lease.js';
import { FURTHEST_AHEAD_HOURS } from './run-window.js';

/** `requested` and `running` are open; the others are final. */
export type RunState = 'requested' | 'running' | 'completed' | 'failed';

/** Why a run was requested. */
export type RunReason = 'schedule' | 'person' | 'job';

/** How far a run is: after which job, and which parts are done. */
export interface RunProgress {
  readonly afterJob?: { readonly createdAt: string; readonly id: string };
  readonly jobsDone?: boolean;
  readonly platformDone?: boolean;
  /** Up to which ERP company, by its id, orphans were searched, and the cursor in its list. */
  readonly erpCompanyId?: string;
  readonly erpCursor?: string | undefined;
}

/** A run that one worker owns. */
export interface ReconciliationLease extends RunLease {
  /** Set: only this job is compared. */
  readonly exportJobId: string | undefined;
  /** From (included) to (excluded). */
  readonly period: { readonly from: Date; readonly until: Date };
  readonly progress: RunProgress;
}

/** The days on which an ERP is searched for orphans, both included: whole ones of UTC, also where the period has a part of them. */
export function searchedDays({ from, until }: ReconciliationLease['period']): {
  readonly from: LocalDate;
  readonly to: LocalDate;
} {
  return { from: localDateIn(from, 'UTC'), to: localDateIn(until, 'UTC') };
}

/** When a discrepancy of a posting that no job of ours has counts as having occurred. */
export function beginOfDay(day: LocalDate): Date {
  return new Date(`${day}T00:00:00Z`);
}

/** A run as a person sees it. */
export interface RunView {
  readonly id: string;
  readonly position: bigint;
  readonly kind: 'period' | 'job';
  readonly reason: RunReason;
  readonly state: RunState;
  readonly exportJobId: string | null;
  readonly from: Date;
  readonly until: Date;
  readonly requestedAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly jobs: number;
  readonly items: bigint;
  readonly discrepancies: number;
  readonly repaired: number;
  readonly failure: string | null;
}

const MONTHS_COVERED = 2;

/**
 * The period of a run without an explicit one: this month and the months before it that are still being closed.
 * @returns from (included) to (excluded)
 */
export function usualPeriod(now: Date): { readonly from: Date; readonly until: Date } {
  // Whole months of the company, wherever it is: the first of them begins earlier than in UTC where clocks are ahead of it.
  const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MONTHS_COVERED, 1, -FURTHEST_AHEAD_HOURS));
  return { from, until: now };
}
