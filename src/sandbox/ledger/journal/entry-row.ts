import { entryNumber, entryUrl, type EntryRole, type EntryState, type PostedEntry } from './domain/posting-outcome.js';

/** An entry as statements select it. */
export interface EntryRow {
  readonly id: string;
  readonly role: EntryRole;
  readonly state: EntryState;
  readonly year: number;
  /** Null while it has no number. */
  readonly sequence: string | null;
}

export function postedEntry(companyId: string, { id, role, state, year, sequence }: EntryRow): PostedEntry {
  return {
    id,
    role,
    state,
    number: sequence === null ? null : entryNumber(year, BigInt(sequence)),
    url: entryUrl(companyId, id),
  };
}
