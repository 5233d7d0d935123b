// What an ERP shows of its books: entries of a key, groups of a period, balances.
import type { CurrencyCode } from '../../kernel/currency.js';
import type { LocalDate } from '../../kernel/local-date.js';
import type { LineTax, PlannedEntry } from '../bookkeeping/item/posting-plan.js';

/** A journal entry as the books show it now; reversals appear as the state of the reversed entry. */
export interface InspectedEntry extends Pick<PlannedEntry, 'role' | 'postingDate' | 'currency'> {
  readonly id: string;
  /** Which part of a divided entry it is; absent on the first, and on one that is whole. */
  readonly part?: number | undefined;
  readonly state: 'draft' | 'posted' | 'reversed' | 'discarded';
  readonly lines: readonly InspectedLine[];
  /**
   * Whether the entry and the item that it was posted to settle are both open. Undefined for an entry without settlement
   * intent, and where the ERP does not know.
   */
  readonly settlementOpen?: boolean | undefined;
}

export interface InspectedLine {
  readonly accountCode: string;
  /** Minor units of the entry's currency, debit positive. */
  readonly amountMinor: bigint;
  readonly taxCode: string | undefined;
  /** As it was posted, where the ERP keeps it (`taxDetails`). */
  readonly tax?: LineTax | undefined;
  readonly vendorCode: string | undefined;
  /** Dimension code → value code. */
  readonly dimensions: Readonly<Record<string, string>>;
}

export interface InspectedGroup {
  readonly key: string;
  readonly revision: number;
  readonly contentDigest: string;
  readonly entries: readonly InspectedEntry[];
}

/** A group with an entry in a period, and its origin as far as the ERP has stored it. */
export interface ListedGroup {
  readonly key: string;
  readonly revision: number;
  /** Whether one of its entries is a draft or in the balances. */
  readonly standing: boolean;
  readonly accountingEntryId: string | undefined;
  readonly installationId: string | undefined;
  /** The earliest of its entries. */
  readonly postingDate: LocalDate;
  /** Sum of its debits, in minor units of `currency`. */
  readonly amountMinor: bigint;
  readonly currency: CurrencyCode;
}

export interface ListedGroups {
  readonly groups: readonly ListedGroup[];
  /** Where the next page starts; undefined after the last one. */
  readonly next: string | undefined;
}

/** What is posted on an account in one currency, by any client; minor units of that currency. Drafts are not counted. */
export interface AccountBalance {
  readonly accountCode: string;
  readonly currency: CurrencyCode;
  /** Before the first day, debit positive. */
  readonly openingMinor: bigint;
  /** Of the requested days, both positive. */
  readonly debitMinor: bigint;
  readonly creditMinor: bigint;
}
