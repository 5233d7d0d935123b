// Our record of exports, as it is compared with platform and ERP.
import type { CurrencyCode } from '../../../kernel/currency.js';
import type { ErpCompanyId } from '../../../kernel/ids.js';
import type { LocalDate } from '../../../kernel/local-date.js';
import type { ExportItem, WireMoney } from '../../bookkeeping/item/export-item.js';
import type { Decision, EntryRole, SettlementIntent, StoredLineTax } from '../../bookkeeping/item/posting-plan.js';
import type { IntentState } from '../domain/intent-states.js';
import type { ExportItemState, ExportJobState } from '../domain/state-transitions.js';

/** A job as our record has it. */
export interface JobRecord {
  readonly id: string;
  readonly companyId: string;
  readonly state: ExportJobState;
  readonly createdAt: Date;
  readonly numberOfItems: number;
  /** Items that were listed to us. */
  readonly items: number;
  /** Greatest position of them; 0 without any. */
  readonly lastPosition: number;
  readonly mappingVersion: number | undefined;
  readonly erpCompanyId: ErpCompanyId | undefined;
}

/** The planned lines of an entry, as they were stored. */
export interface StoredPlanEntry {
  readonly role: EntryRole;
  readonly part?: number;
  readonly state: 'draft' | 'posted';
  readonly postingDate: LocalDate;
  readonly currency: CurrencyCode;
  /** Present on entries that were to settle open items. */
  readonly settlement?: { readonly kind: SettlementIntent['kind'] };
  readonly lines: readonly {
    /** What decided the account; absent where the entry was found in the ERP. */
    readonly account: { readonly code: string; readonly decision?: Pick<Decision, 'by'> };
    /** Minor units as text, debit positive. */
    readonly amountMinor: string;
    readonly baseMinor: string;
    readonly taxCode?: { readonly code: string };
    readonly tax?: StoredLineTax;
    readonly vendor?: { readonly code: string };
    readonly dimensions?: readonly { readonly dimension: string; readonly value: string }[];
  }[];
}

/** Our record of one accounting entry in one job. */
export interface EntryRecord {
  readonly accountingEntryId: string;
  /** Null: the job has no such item. */
  readonly position: number | null;
  readonly state: ExportItemState | null;
  readonly externalId: string | null;
  readonly reportProblem: string | null;
  /** As the platform gave it; null where the item was not stored. */
  readonly amount: WireMoney | null;
  /** No later job has the entry. */
  readonly isNewest: boolean;
  /** The newest revision over all jobs; null: nothing was ever sent. */
  readonly posting: {
    readonly revision: number;
    readonly exportJobId: string;
    readonly state: IntentState;
    readonly lateEffect: boolean;
    /** Reversed by our record because the ERP has lost it. */
    readonly lost: boolean;
    readonly externalId: string | null;
    readonly contentDigest: string;
    readonly plan: readonly StoredPlanEntry[];
    /** Milliseconds since it was last sent, by the database's clock. */
    readonly sinceSentMs: number;
  } | null;
}

/** A posting of a job, whether it stands or was reversed since. */
export interface PostingRecord {
  readonly accountingEntryId: string;
  readonly revision: number;
  /** As found in the ERP where the connector had not planned it; empty where nothing was stored. */
  readonly plan: readonly StoredPlanEntry[];
  /** Milliseconds since it was last sent, by the database's clock. */
  readonly sinceSentMs: number;
  /** When the ERP was first seen not to have it any more; null unless a person has confirmed that. */
  readonly lostAt: Date | null;
}

/** A posting with its whole plan, and the item that it was planned from. */
export interface PlanRecord {
  readonly accountingEntryId: string;
  readonly revision: number;
  readonly contentDigest: string;
  readonly mappingVersion: number;
  /** JSON of a `storablePlan`. */
  readonly plan: string;
  /** Entries found in the ERP that the connector had not planned; then there is no plan. */
  readonly imported: readonly StoredPlanEntry[] | null;
  /** Null where it was not stored. */
  readonly item: ExportItem | null;
}

/** Position in a list of postings. */
export type PostingRecordPosition = Pick<PostingRecord, 'accountingEntryId' | 'revision'>;

/** How the items of a job have ended. */
export interface ItemCounts {
  readonly successful: number;
  readonly failed: number;
  readonly pending: number;
}

/** Position in a list of jobs. */
export interface JobRecordPosition {
  readonly createdAt: Date;
  readonly id: string;
}
