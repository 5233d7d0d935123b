// What platform, connector and ERP say of one accounting entry.
import type { CurrencyCode } from '../../../kernel/currency.js';
import type { LocalDate } from '../../../kernel/local-date.js';
import type { EntryRole, LineTax } from '../../bookkeeping/item/posting-plan.js';
import type { ExportItemState, ExportJobState } from '../../exports/domain/state-transitions.js';
import type { IntentState } from '../../exports/domain/intent-states.js';

export interface PlatformItem {
  /** `pending`, `successful`, `failed` or `abandoned`, and whatever the platform may say in future. */
  readonly status: string;
  readonly externalId: string | undefined;
}

export interface PlatformSource {
  /** Undefined: the platform does not know the job. */
  readonly jobStatus: string | undefined;
  /** Undefined: the job does not list it. */
  readonly item: PlatformItem | undefined;
}

export interface ComparedLine {
  readonly accountCode: string;
  /** Minor units of the entry's currency, debit positive. */
  readonly amountMinor: bigint;
  readonly taxCode: string | undefined;
  /** Where the ERP keeps it; then it was planned, too. */
  readonly tax?: LineTax | undefined;
  readonly vendorCode: string | undefined;
  /** Dimension code → value code. */
  readonly dimensions: Readonly<Record<string, string>>;
}

export interface ComparedEntry {
  readonly role: EntryRole;
  /** Of a divided entry; absent: 1. */
  readonly part?: number | undefined;
  readonly state: 'draft' | 'posted' | 'reversed' | 'discarded';
  readonly postingDate: LocalDate;
  readonly currency: CurrencyCode;
  readonly lines: readonly ComparedLine[];
  /** Of a plan: it is to settle something. */
  readonly settles?: boolean;
}

export interface ErpEntry extends ComparedEntry {
  readonly id: string;
  /** The item it should settle is still open; undefined also when the ERP cannot say. */
  readonly settlementOpen?: boolean | undefined;
}

export interface RecordedItem {
  readonly state: ExportItemState;
  readonly externalId: string | undefined;
  /** The platform has refused its result for good; the item has the reason. */
  readonly reportRefused: boolean;
}

export interface RecordedPosting {
  readonly revision: number;
  readonly state: IntentState;
  /** Sent by the job that is compared. */
  readonly ofThisJob: boolean;
  readonly lateEffect: boolean;
  /** Reversed in the record because a person has marked it as lost by the ERP. */
  readonly lost: boolean;
  readonly externalId: string | undefined;
  readonly contentDigest: string;
  /** As planned; as found when the connector did not plan it, and empty when that was not stored. */
  readonly entries: readonly ComparedEntry[];
}

export interface RecordSource {
  readonly jobState: ExportJobState;
  /** Undefined: we have no such item in the job. */
  readonly item: RecordedItem | undefined;
  /** The newest revision. */
  readonly posting: RecordedPosting | undefined;
  /** No later job has the entry: only then the ERP has to agree with this job. */
  readonly isNewest: boolean;
}

export interface ErpGroup {
  readonly key: string;
  readonly revision: number;
  readonly contentDigest: string;
  readonly entries: readonly ErpEntry[];
}

/**
 * `groups`: every revision under the key · `not-looked-up`: nothing depends on it · `not-verifiable`: the ERP cannot be asked, or
 * its search may not show yet what is there.
 */
export type ErpSource =
  | { readonly kind: 'groups'; readonly groups: readonly ErpGroup[] }
  | { readonly kind: 'not-looked-up' }
  | { readonly kind: 'not-verifiable' };

export interface ComparedSources {
  readonly accountingEntryId: string;
  readonly platform: PlatformSource;
  readonly record: RecordSource;
  readonly erp: ErpSource;
}

/** Codes that the ERP still has. */
export interface KnownCodes {
  readonly vendors: ReadonlySet<string>;
  /** As `dimensionKey` makes them. */
  readonly dimensionValues: ReadonlySet<string>;
}

export function dimensionKey(dimension: string, value: string): string {
  return JSON.stringify([dimension, value]);
}

/** @returns what a tax return needs of the line, as one text; undefined where it has nothing of it */
export function taxText({ tax }: ComparedLine): string | undefined {
  if (tax === undefined) return undefined;
  const { place, reverseCharge, rate = '', deductible, taxableMinor, taxableBaseMinor, taxMinor, taxBaseMinor } = tax;
  return [
    place,
    reverseCharge ? 'reverse' : 'direct',
    rate,
    deductible,
    taxableMinor,
    taxableBaseMinor,
    taxMinor,
    taxBaseMinor,
  ].join(' ');
}

export function isStanding({ state }: Pick<ComparedEntry, 'state'>): boolean {
  return state === 'draft' || state === 'posted';
}

/** @returns sum of the debits in minor units */
export function debitsOf(entries: readonly ComparedEntry[]): bigint {
  return entries
    .flatMap(({ lines }) => lines)
    .reduce((sum, { amountMinor }) => (amountMinor > 0n ? sum + amountMinor : sum), 0n);
}
