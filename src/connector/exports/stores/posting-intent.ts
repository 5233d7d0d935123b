// Our record of a posting, and changes to it.
import type { AccountingEntryId, ExportJobId } from '../../../kernel/ids.js';
import type { InspectedEntry } from '../../erp/erp-books.js';
import type { IntentState } from '../domain/intent-states.js';
import type { EntryLines, KnownPosting } from '../domain/plans/known-entry.js';
import type { SendingAge } from '../domain/unknown-outcome.js';

/** The newest revision of an accounting entry; earlier ones are reversed. */
export interface PostingIntent {
  readonly accountingEntryId: AccountingEntryId;
  /** The job that sent it last. */
  readonly exportJobId: ExportJobId;
  readonly revision: number;
  readonly state: IntentState;
  readonly age: SendingAge;
  readonly contentDigest: string;
  /** The planned lines, or those found in the ERP where the connector had not planned them; empty where nothing was stored. */
  readonly content: readonly EntryLines[];
  /** Number in the ERP of the planned vendor. */
  readonly vendorCode: string | undefined;
  /** By which the outcome is queried; undefined: the ERP has not accepted it for a later decision. */
  readonly acceptedHandle: string | undefined;
  readonly externalId: string | undefined;
  readonly externalUrl: string | undefined;
  /** Milliseconds since we may have reversed it; undefined: we have not. */
  readonly sinceReversalMs: number | undefined;
  /** Id in the ERP of the revision before; undefined without one, and where the ERP has lost it. */
  readonly replaced: string | undefined;
  /** Reversed by our record because the ERP does not have it any more, as a person has confirmed. */
  readonly missingInErp: boolean;
}

export interface IntentOutcome {
  readonly accountingEntryId: AccountingEntryId;
  readonly state: Exclude<IntentState, 'sent' | 'reversed'>;
  readonly externalId?: string;
  readonly externalUrl?: string;
}

/** What the ERP has under a key. */
export interface ErpPosting extends Pick<KnownPosting, 'contentDigest' | 'externalId' | 'externalUrl'> {
  /** Absent: only the key was looked up. */
  readonly entries?: readonly InspectedEntry[] | undefined;
}
