// What the contract suite needs of an ERP and its adapter: write one of these to have an own adapter checked
// (docs/erp-adapters.md).
import type { ExchangeRate } from '../../../src/connector/bookkeeping/item/bookkeeping-context.js';
import type { EntryRole } from '../../../src/connector/bookkeeping/item/posting-plan.js';
import type { ConnectedErp } from '../../../src/connector/erp/connected-erp.js';
import type { ErpCapability } from '../../../src/connector/erp/erp-ledger.js';
import type { ErpCompanyId } from '../../../src/kernel/ids.js';
import type { LocalDate } from '../../../src/kernel/local-date.js';

/** What a harness module exports: the suite runs once for each. */
export interface HarnessModule {
  readonly harnesses: readonly ErpHarness[];
}

/** What an adapter may lack; without `requests for lists` it has its master data at hand and can never fail to read it. */
export type Undeclared = 'documents' | 'drafts' | 'settlement' | 'vendors' | 'rates' | 'requests for lists';

export interface ErpHarness {
  /** Names the adapter in the report. */
  readonly name: string;
  /** As the adapter says it; its level decides which clauses apply. */
  readonly capability: ErpCapability;
  /** Most groups the adapter puts into one request; the suite posts one more. */
  readonly batch: number;
  /** What the adapter does not declare, each with the reason; the clauses about it are reported as skipped. */
  readonly without?: Readonly<Partial<Record<Undeclared, string>>>;
  /** At `expiring-key`: `afterKeyLife` is there. Otherwise the clauses that need it are reported as skipped. */
  readonly canOutliveKeys?: boolean;
  /** Called once, before all clauses. */
  start(): Promise<StartedErp>;
}

export interface StartedErp {
  /** The adapter, connected to `company`, with nothing between it and the ERP. */
  readonly erp: ConnectedErp;
  /** The company that is posted to. Every key the suite uses is new, so it may be the same in every run. */
  readonly company: KnownCompany;

  /**
   * Reads the books past the adapter: what counts under a key, reversal entries included, discarded drafts left out.
   * Reversal entries that the ERP keeps apart from the key have to be found by what they reverse.
   */
  entriesUnder(key: string): Promise<readonly BookedEntry[]>;

  /** Reads past the adapter what is behind the entries of a key, in the order in which it was put there. */
  documentsUnder(key: string): Promise<readonly BookedDocument[]>;

  /**
   * Cuts the adapter off while it acts. `request`: nothing of what it sends arrives. `answer`: all of it takes effect, and
   * nothing that the ERP says to it arrives.
   * @param act what is done meanwhile, with an adapter whose patience is short; it sends at least one request
   * @returns what `act` returned, once the request was swallowed or its effect is in the books
   */
  loseResponse<T>(part: 'request' | 'answer', act: (erp: ConnectedErp) => Promise<T>): Promise<T>;

  /** Does something while the ERP has forgotten every key sent before. */
  readonly afterKeyLife?: <T>(act: () => Promise<T>) => Promise<T>;

  /** Called once, after all clauses. */
  stop(): Promise<void>;
}

/** What the suite has to know of the company. Codes are those of the adapter's `loadBooks`. */
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
    /** Exists, and takes no postings. */
    readonly inactive: string;
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
  readonly role: EntryRole | 'reversal';
  readonly state: 'draft' | 'posted';
  readonly postingDate: string;
  readonly currency: string;
  readonly documentNumber: string | undefined;
  readonly description: string;
  readonly reference: string | undefined;
  /** In the order in which they were sent. */
  readonly lines: readonly BookedLine[];
}

/** A document as whoever opens the entry sees it. */
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
