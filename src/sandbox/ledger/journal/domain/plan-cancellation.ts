// Pure: how entries are cancelled, posted ones by a reversal, drafts by discarding them.
import { laterOf, type ActiveSettlement, type UndoneSettlement } from './settlements/open-item.js';
import type { StoredEntry } from './generated-entries.js';

export interface CancellationView {
  /** Drafts and posted entries, none of them cancelled yet. */
  readonly standing: readonly StoredEntry[];
  /** Settlements of the posted ones. */
  readonly active: readonly ActiveSettlement[];
  /** Requested for the reversals, `YYYY-MM-DD`; each entry's own day when absent. */
  readonly postingDate?: string | undefined;
  readonly activeAccounts: ReadonlySet<string>;
  /** The first open day on or after each day of `cancellationDays`; a day with none is missing. */
  readonly openDays: ReadonlyMap<string, string>;
}

export interface CancellationRefusal {
  readonly kind: 'refused';
  readonly code: string;
  readonly message: string;
}

export interface CancellationPlan {
  readonly kind: 'planned';
  /** Ids of drafts. */
  readonly discarded: readonly string[];
  /** With the posting date of the reversal, `YYYY-MM-DD`. */
  readonly reversed: readonly { readonly entry: StoredEntry; readonly on: string }[];
  readonly undone: readonly UndoneSettlement[];
}

/** The days for which a plan needs the first open day. */
export function cancellationDays(view: Omit<CancellationView, 'activeAccounts' | 'openDays'>): readonly string[] {
  return [
    ...postedOf(view).map((entry) => view.postingDate ?? entry.postingDate),
    ...view.active.map((settlement) => settlement.settledOn),
  ];
}

/** A day in a closed period moves to the first open day after it. A reversal is never dated before its entry. */
export function planCancellation(view: CancellationView): CancellationPlan | CancellationRefusal {
  const { active, postingDate, activeAccounts, openDays } = view;
  const posted = postedOf(view);
  const codes = [
    ...posted.flatMap((entry) => entry.lines.map((line) => line.accountCode)),
    ...active.flatMap((settlement) => settlement.accountCodes),
  ];
  const archived = codes.find((code) => !activeAccounts.has(code));
  if (archived !== undefined) {
    const message = `Account ${archived} is archived and takes no postings: activate it, then reverse.`;
    return { kind: 'refused', code: 'account_inactive', message };
  }
  const later = posted.find((entry) => postingDate !== undefined && entry.postingDate > postingDate);
  if (later !== undefined) {
    const message = `Entry ${later.number ?? later.id} is of ${later.postingDate}: a reversal cannot be earlier than its entry.`;
    return { kind: 'refused', code: 'reversal_too_early', message };
  }
  const closed = cancellationDays(view).find((day) => !openDays.has(day));
  if (closed !== undefined) {
    const message = `No fiscal period is open on or after ${closed}: open one, then reverse.`;
    return { kind: 'refused', code: 'period_closed', message };
  }
  const dayFor = (day: string): string => openDays.get(day) ?? day;
  const reversed = posted.map((entry) => ({ entry, on: dayFor(postingDate ?? entry.postingDate) }));
  const last = reversed.map(({ on }) => on).reduce(laterOf, '');
  return {
    kind: 'planned',
    discarded: view.standing.filter(({ state }) => state === 'draft').map(({ id }) => id),
    reversed,
    undone: active.map((settlement) => ({
      settlement,
      undoneOn: laterOf(last, dayFor(settlement.settledOn)),
    })),
  };
}

function postedOf({ standing }: Pick<CancellationView, 'standing'>): readonly StoredEntry[] {
  return standing.filter((entry) => entry.state === 'posted');
}
