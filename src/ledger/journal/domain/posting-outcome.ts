/** An entry as callers get to know it. */
export interface PostedEntry {
  readonly id: string;
  readonly role: string;
  readonly state: 'draft' | 'posted';
  /** Fiscal year and place in its series, such as 2026-000017; null for a draft. */
  readonly number: string | null;
  /** Path of the entry on this server. */
  readonly url: string;
}

/** Why nothing was posted: a code for programs, a sentence for people, and where in the group. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  /** JSON pointer into the group. */
  readonly field: string;
}

/** What became of one group. Refused and conflict mean that nothing at all was written for it. */
export type PostingOutcome =
  | {
      readonly key: string;
      readonly outcome: 'created' | 'existed';
      readonly entries: readonly PostedEntry[];
    }
  | ({ readonly key: string; readonly outcome: 'refused' } & Refusal)
  | {
      readonly key: string;
      readonly outcome: 'conflict';
      readonly contentDigest: string;
      readonly existingContentDigest: string;
      readonly entries: readonly PostedEntry[];
    };

/** @param sequence place in the company's series of that fiscal year, from 1 */
export function entryNumber(fiscalYear: number, sequence: bigint): string {
  return `${fiscalYear.toString()}-${sequence.toString().padStart(6, '0')}`;
}

export function entryUrl(companyId: string, entryId: string): string {
  return `/companies/${companyId}/journal-entries/${entryId}`;
}
