// What the contract suite needs of an ERP and its adapter: write one of these to have an own adapter checked
// (docs/erp-adapters.md).
import type { ExchangeRate } from '../connector/bookkeeping/item/bookkeeping-context.js';
import type { EntryRole } from '../connector/bookkeeping/item/posting-plan.js';
import type { ErpCapabilities } from '../connector/erp/kit/capabilities.js';
import type { ErpDefinition, ErpSettings } from '../connector/erp/kit/define-erp.js';
import type { ErpStore } from '../connector/erp/kit/erp-store.js';
import type { ErpCompanyId } from '../kernel/ids.js';
import type { LocalDate } from '../kernel/local-date.js';
import type { Passing } from './http-proxy.js';

/** What a harness module exports: the suite runs once for each. */
export interface HarnessModule {
  readonly harnesses: readonly ErpHarness[];
}

export interface ErpHarness {
  /** Names the adapter in the report. */
  readonly name: string;
  readonly definition: ErpDefinition;
  /** As the definition says them for the settings of `start`: they decide which clauses apply. */
  readonly capabilities: ErpCapabilities;
  /** Currencies besides the functional one that the company takes postings in; of JPY and KWD there are clauses. */
  readonly currencies: readonly string[];
  /** Whether `afterKeyLife` is there. Otherwise the clauses that need it are reported as skipped. */
  readonly canOutliveKeys?: boolean;
  /** Whether the ERP answers over HTTP, and `address` is there; true by default. */
  readonly speaksHttp?: boolean;
  /** Whether the ERP serves the suite alone, on this machine: the adapter's pauses are cut to 20 ms. False by default. */
  readonly isLocal?: boolean;
  /** Called once, before all clauses. */
  start(): Promise<StartedErp>;
}

export interface StartedErp {
  /** The company that is posted to. Every key the suite uses is new, so it may be the same in every run. */
  readonly company: KnownCompany;

  /** Where the ERP answers over HTTP, without trailing slash. Without it the adapter's store is what is cut off. */
  readonly address?: string;

  /** The settings of a connection to the ERP at an address: its own, or the one of a proxy in front of it. */
  settings(address: string): ErpSettings;

  /** What the adapter remembers, where something besides it looks into that; else one in memory. */
  readonly store?: ErpStore;

  /**
   * Whether a request may have an effect that counts. By default every request but GET and HEAD may; drafts
   * that never will count do not.
   */
  commits?(request: Passing): boolean;

  /**
   * Reads the books past the adapter: what counts under a key, reversal entries included, discarded drafts left out.
   * Reversal entries that the ERP keeps apart from the key have to be found by what they reverse, entries of a difference
   * in base under the key of the payment.
   */
  entriesUnder(key: string): Promise<readonly BookedEntry[]>;

  /**
   * Reads past the adapter what is behind the entries of a key, in the order in which it was put there. Needed where
   * documents are declared.
   */
  documentsUnder?(key: string): Promise<readonly BookedDocument[]>;

  /**
   * Reads past the adapter what is still open of the payables under a key: minor units of the entries' currency, debit
   * positive. Needed where settlement is declared.
   */
  openMinorUnder?(key: string): Promise<bigint>;

  /** Does something while the ERP has forgotten every key sent before. */
  readonly afterKeyLife?: <T>(act: () => Promise<T>) => Promise<T>;

  /**
   * Returns once every post that the ERP has accepted is carried out. Where it is missing, the suite waits as long as the declared
   * `outcomeLater` may take.
   */
  carriedOut?(): Promise<void>;

  /** Called once, after all clauses. */
  stop(): Promise<void>;
}

/** What the suite has to know of the company. Codes are those that the adapter's `loadMasterData` gives. */
export interface KnownCompany {
  readonly id: ErpCompanyId;
  readonly name: string;
  readonly registrationNumber: string | undefined;
  /** ISO 4217. */
  readonly functionalCurrency: string;
  /** IANA name. */
  readonly timeZone: string;
  readonly accounts: {
    readonly expense: string;
    readonly wallet: string;
    readonly payables: string;
    /** Another one for vendors; needed where a settlement across accounts is declared. */
    readonly otherPayables?: string;
    /** Exists, and takes no postings. */
    readonly inactive: string;
    /** Where a difference in base of a settlement goes; needed where settlement is declared. */
    readonly realizedFx?: string;
  };
  /** Usable on lines of the expense account. */
  readonly taxCode: string;
  readonly dimension: { readonly dimension: string; readonly value: string };
  readonly vendor: string;
  /** Exists, and takes no postings. */
  readonly blockedVendor: string;
  /** A day on which postings are taken, and one in a closed period. */
  readonly openDay: LocalDate;
  readonly closedDay: LocalDate;
  /** To the functional currency; the only one of its pair on that day. */
  readonly rate: ExchangeRate;
}

/** An entry as an auditor would see it. */
export interface BookedEntry {
  readonly role: EntryRole | 'reversal' | 'realized-fx' | 'transfer';
  readonly state: 'draft' | 'posted';
  readonly postingDate: string;
  readonly currency: string;
  readonly documentNumber: string | undefined;
  readonly description: string;
  readonly reference: string | undefined;
  /** In the order in which they were sent. */
  readonly lines: readonly BookedLine[];
}

/** A document as the entry shows it. */
export interface BookedDocument {
  /** Of the entry it is behind. */
  readonly role: EntryRole;
  readonly fileName: string;
  readonly content: Buffer;
}

export interface BookedLine {
  readonly accountCode: string;
  /** Minor units of the entry's currency, debit positive. */
  readonly amountMinor: bigint;
  /** Minor units of the functional currency, debit positive. */
  readonly baseMinor: bigint;
  readonly vendorCode: string | undefined;
  readonly employee: string | undefined;
  readonly taxCode: string | undefined;
  /** Dimension code → value code. */
  readonly dimensions: Readonly<Record<string, string>>;
}
