import type { IntendedFailure } from './items/demo-entry.js';

/** Debit and credit in minor units as decimal text. */
export interface Totals {
  readonly debitMinor: string;
  readonly creditMinor: string;
}

/** One account in one currency. */
export interface TrialBalanceRow extends Totals {
  readonly accountCode: string;
  readonly accountName: string;
  /** ISO 4217; all amounts but the last are in its minor units. */
  readonly currency: string;
  /** Debit minus credit. */
  readonly balanceMinor: string;
  /** The same in minor units of the functional currency. */
  readonly baseBalanceMinor: string;
}

/** An entry that could not be exported. */
export interface FailedItem {
  readonly accountingEntryId: string;
  readonly type: string;
  /** What it is about, for a person. */
  readonly subject: string;
  readonly failureType: string;
  /** What is wrong and what to do about it. */
  readonly reason: string;
  /** Undefined when it was to be posted. */
  readonly intended: IntendedFailure | undefined;
}

export interface DemoOutcome {
  readonly company: string;
  readonly exportJob: {
    readonly id: string;
    readonly status: string;
    readonly numberOfItems: number;
    readonly successful: number;
    readonly failed: number;
  };
  /** How many items of each type were posted, most first. */
  readonly posted: readonly { readonly type: string; readonly items: number }[];
  /** Failed items, in the order of the job. */
  readonly items: readonly FailedItem[];
  /** Undefined: the company is connected to another accounting system. */
  readonly ledger: DemoBooks | undefined;
  /**
   * The job ended with a verdict for each item; in the ledger with exactly the failures that the demo has built in, and every
   * debit total equals its credit total.
   */
  readonly asIntended: boolean;
}

export interface DemoBooks {
  readonly entries: number;
  /** Of the amounts in each transaction currency. */
  readonly trialBalance: Readonly<Record<string, Totals>>;
  /** Of all amounts in the company's own currency. */
  readonly functional: Totals & { readonly currency: string };
  readonly accounts: readonly TrialBalanceRow[];
}
