// The states of a posting intent, and what may become what. The schema holds the same edges; a test holds the two against
// each other (I1, I13, I18).

/**
 * `sent`: we may have posted it · `uncertain`: looked up and not known · `posted`: it is in the ERP · `rejected`: it is
 * surely not · `reversed`: it was, and is out of the balances; only then may the next revision follow. What is out of them
 * because the ERP has lost it is `posted` again if it comes back.
 */
export type IntentState = 'sent' | 'uncertain' | 'posted' | 'rejected' | 'reversed';

/** What may be in the books is never sent again: it has to be found out first that it is not. */
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
