// The states of a posting intent and their transitions. The schema has the same transitions; a test compares the two (I1, I13,
// I18).

/**
 * `sent`: we may have posted it · `uncertain`: a look-up could not tell · `posted`: it is in the ERP · `rejected`: it certainly is
 * not · `reversed`: it was posted and is reversed; only then may the next revision follow. An entry that is `reversed` because the
 * ERP has lost it becomes `posted` again if it reappears.
 */
export type IntentState = 'sent' | 'uncertain' | 'posted' | 'rejected' | 'reversed';

/** No transition from an open state to `sent`: what may be in the books is sent again only after a look-up rejects it. */
export const INTENT_TRANSITIONS: Readonly<Record<IntentState, readonly IntentState[]>> = {
  sent: ['uncertain', 'posted', 'rejected'],
  uncertain: ['posted', 'rejected'],
  rejected: ['sent', 'posted'],
  posted: ['reversed'],
  reversed: [],
};

/** @returns the states that `state` may follow */
export function intentStatesBefore(state: IntentState): readonly IntentState[] {
  const states = Object.keys(INTENT_TRANSITIONS) as IntentState[];
  return states.filter((from) => INTENT_TRANSITIONS[from].includes(state));
}
