import type { BookEntry } from './posting-group.js';

/** A posted entry that was cancelled by its reversal is `reversed`, a draft that was cancelled `discarded`. */
export type EntryState = 'draft' | 'posted' | 'reversed' | 'discarded';

/** Roles of the entries that callers post, and of generated ones. */
export type EntryRole = BookEntry['role'];

/** An entry as callers see it. */
export interface PostedEntry {
  readonly id: string;
  readonly role: EntryRole;
  readonly state: EntryState;
  /** Fiscal year and number in its series, such as 2026-000017; null for a draft. */
  readonly number: string | null;
  /** Path of the entry on this server. */
  readonly url: string;
  /** The reversal of a posted entry that was looked up. */
  readonly reversedBy?: { readonly id: string; readonly number: string | null; readonly postingDate: string };
}

/** Why nothing was posted: a code for programs, a sentence for people, and the field of the group. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  /** JSON pointer into the group. */
  readonly field: string;
}

/** A warning for a bookkeeper about something that was posted. */
export interface PostingWarning {
  readonly code:
    | 'possible-duplicate'
    | 'left-open'
    | 'partly-settled'
    | 'booked-without-vendor'
    | 'fx-account-missing'
    | 'account-inactive'
    | 'transfer-refused'
    | 'taken-apart'
    | 'document-missing';
  readonly message: string;
}

/** One of the two contents that a conflict shows. */
export interface EntryContent {
  readonly role: EntryRole;
  readonly postingDate: string;
  readonly currency: string;
  readonly documentNumber: string | null;
  readonly lines: readonly {
    readonly accountCode: string;
    /** Minor units as text. */
    readonly amountMinor: string;
    readonly baseMinor: string;
    readonly vendorNumber: string | null;
  }[];
}

/** The result for one group. Refused and conflict mean that nothing was written for it. */
export type PostingOutcome =
  | {
      readonly key: string;
      readonly outcome: 'created' | 'existed';
      readonly revision: number;
      readonly entries: readonly PostedEntry[];
      readonly warnings: readonly PostingWarning[];
    }
  | ({ readonly key: string; readonly outcome: 'refused' } & Refusal)
  | {
      readonly key: string;
      readonly outcome: 'conflict';
      readonly contentDigest: string;
      readonly existingContentDigest: string;
      readonly revision: number;
      readonly entries: readonly PostedEntry[];
      readonly existing: readonly EntryContent[];
      readonly requested: readonly EntryContent[];
    };

/** @param sequence number in the company's series of that fiscal year, from 1 */
export function entryNumber(fiscalYear: number, sequence: bigint): string {
  return `${fiscalYear.toString()}-${sequence.toString().padStart(6, '0')}`;
}

export function entryUrl(companyId: string, entryId: string): string {
  return `/companies/${companyId}/journal-entries/${entryId}`;
}
