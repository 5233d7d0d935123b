// The states of an export job and of its items, and their transitions. The schema has the same transitions; a test compares the
// two (I9).

export type ExportJobState =
  | 'detected'
  | 'running'
  | 'verdict_decided'
  | 'completed'
  | 'completed_with_errors'
  | 'failed'
  /** The platform's deadline passed before a verdict was accepted. */
  | 'expired'
  /** Ended on the platform without our verdict, as by a user who cancels it. */
  | 'closed_by_platform';

export type FinalState = Exclude<ExportJobState, 'detected' | 'running' | 'verdict_decided'>;

export type ExportItemState = 'pending' | 'successful' | 'failed';

/** From each state to the states that may follow it. */
type Transitions<State extends string> = Readonly<Record<State, readonly State[]>>;

/** The platform may end an open job at any time; our own final states need a decided verdict. */
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

/** States in which an item still gets a result. */
export const OPEN_ITEM_STATES: readonly ExportItemState[] = (Object.keys(ITEM_TRANSITIONS) as ExportItemState[]).filter(
  (state) => ITEM_TRANSITIONS[state].length > 0,
);

/** @returns true for a state that is never left */
export function isFinal(state: ExportJobState): state is FinalState {
  return JOB_TRANSITIONS[state].length === 0;
}

/** States that are never left. */
export const FINAL_STATES: readonly FinalState[] = (Object.keys(JOB_TRANSITIONS) as ExportJobState[]).filter(isFinal);

/** @returns the states that `state` may follow */
export function jobStatesBefore(state: ExportJobState): readonly ExportJobState[] {
  const states = Object.keys(JOB_TRANSITIONS) as ExportJobState[];
  return states.filter((from) => JOB_TRANSITIONS[from].includes(state));
}
