// The states of an export job and of its items, and what may become what. The schema holds the same edges; a test holds
// the two against each other (I9).

/** Where a job stands with us. */
export type ExportJobState =
  | 'detected'
  | 'running'
  | 'verdict_decided'
  | 'completed'
  | 'completed_with_errors'
  | 'failed'
  /** The platform's hour passed before a verdict was accepted. */
  | 'expired'
  /** Ended on the platform without us: cancelled by a user. */
  | 'closed_by_platform';

export type FinalState = Exclude<ExportJobState, 'detected' | 'running' | 'verdict_decided'>;

export type ExportItemState = 'pending' | 'successful' | 'failed';

/** From each state to the states that may follow it. */
type Transitions<State extends string> = Readonly<Record<State, readonly State[]>>;

/** The platform may end an open job at any moment; an end of our own needs a decided verdict. */
export const JOB_TRANSITIONS: Transitions<ExportJobState> = {
  detected: ['running', 'verdict_decided', 'expired', 'closed_by_platform'],
  running: ['verdict_decided', 'expired', 'closed_by_platform'],
  verdict_decided: ['completed', 'completed_with_errors', 'failed', 'expired', 'closed_by_platform'],
  completed: [],
  completed_with_errors: [],
  failed: [],
  expired: [],
  closed_by_platform: [],
};

/** A result is reported to the platform at once, so it is final. */
export const ITEM_TRANSITIONS: Transitions<ExportItemState> = {
  pending: ['successful', 'failed'],
  successful: [],
  failed: [],
};

/** In these an item still gets its result. */
export const OPEN_ITEM_STATES: readonly ExportItemState[] = (Object.keys(ITEM_TRANSITIONS) as ExportItemState[]).filter(
  (state) => ITEM_TRANSITIONS[state].length > 0,
);

/** @returns true for a state that is never left */
export function isFinal(state: ExportJobState): state is FinalState {
  return JOB_TRANSITIONS[state].length === 0;
}

/** @returns the states that `state` may follow */
export function jobStatesBefore(state: ExportJobState): readonly ExportJobState[] {
  const states = Object.keys(JOB_TRANSITIONS) as ExportJobState[];
  return states.filter((from) => JOB_TRANSITIONS[from].includes(state));
}
