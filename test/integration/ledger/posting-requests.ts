import type { LedgerResponse, LedgerHarness, WireEntry, WireOutcome, WirePage } from './ledger-harness.js';

// Posting to one company, and looking at what came of it.

export interface Outcomes {
  readonly outcomes: readonly WireOutcome[];
}

export function postGroups(
  ledger: LedgerHarness,
  company: string,
  groups: readonly object[],
): Promise<LedgerResponse<Outcomes>> {
  return ledger.call('POST', `/companies/${company}/posting-groups`, { groups });
}

export function outcomesOf(answer: LedgerResponse<Outcomes>): readonly unknown[] {
  return answer.body.outcomes.map(({ outcome }) => outcome);
}

export function entriesOf(answer: LedgerResponse<Outcomes>, index = 0): readonly WireEntry[] {
  return answer.body.outcomes[index]?.entries ?? [];
}

/** The first page of the company's journal entries. */
export async function storedEntries(ledger: LedgerHarness, company: string): Promise<readonly WireEntry[]> {
  return (await ledger.call<WirePage<WireEntry>>('GET', `/companies/${company}/journal-entries`)).body.data;
}
