import { entryNumber, entryUrl, type EntryRole, type EntryState, type PostedEntry } from './domain/posting-outcome.js';

/** An entry as statements select it. */
export interface EntryRow {
  readonly id: string;
  readonly role: EntryRole;
  readonly state: EntryState;
  readonly year: number;
  /** Null while it has no number. */
  readonly sequence: string | null;
  /** What reversed it. */
  readonly reversal?: (Pick<EntryRow, 'id' | 'year' | 'sequence'> & { readonly postingDate: string }) | null;
}

export function postedEntry(companyId: string, { id, role, state, year, sequence, reversal }: EntryRow): PostedEntry {
  return {
    id,
    role,
    state,
    number: numberOf({ year, sequence }),
    url: entryUrl(companyId, id),
    ...(reversal && {
      reversedBy: { id: reversal.id, number: numberOf(reversal), postingDate: reversal.postingDate },
    }),
  };
}

function numberOf({ year, sequence }: Pick<EntryRow, 'year' | 'sequence'>): string | null {
  return sequence === null ? null : entryNumber(year, BigInt(sequence));
}
