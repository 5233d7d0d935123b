import type { Message } from '../../../kernel/message.js';
import type { CurrencyCode } from '../../../kernel/currency.js';
import type { ErpAccountId, ErpTaxCodeId, ErpVendorId } from '../../../kernel/ids.js';
import type { LocalDate } from '../../../kernel/local-date.js';
import type { Issue } from './issues.js';
import type { DimensionValue } from './bookkeeping-context.js';
import type { ItemVendor, WireMoney } from './export-item.js';

/** Those of the platform's failure reason types that bookkeeping can find. */
export type FailureType =
  | 'invalid_configuration'
  | 'missing_configuration'
  | 'validation_failure'
  | 'accounting_system_validation_failure'
  | 'vendor_unknown'
  | 'account_unknown'
  | 'tax_code_unknown'
  | 'tag_unknown';

/** A problem for a bookkeeper to resolve; the message says what and where. */
export interface ItemProblem {
  readonly type: FailureType;
  /** In English, as the platform receives it. */
  readonly message: string;
  /** The same, for readers of other languages. */
  readonly reason: Message;
  readonly issue: Issue;
}

/** Something that was posted nevertheless but should be looked at. */
export interface Warning {
  readonly kind:
    | 'fallback-account'
    | 'reverse-tax-computed'
    | 'moved-to-open-period'
    | 'employee-missing'
    | 'payment-without-invoice-number';
  /** In English. */
  readonly message: string;
  /** The same for readers of other languages. */
  readonly reason: Message;
}

/** What chose an account, a tax code or a dimension value; with the entry's mapping version it explains the posting. */
export type Decision =
  | { readonly by: 'rule'; readonly ruleId: string }
  | {
      readonly by: 'identifier' | 'code' | 'fallback' | 'contra-account' | 'tax-account' | 'tax-code' | 'vendor';
    }
  | { readonly by: 'setting'; readonly setting: string };

export interface PostingAccount {
  readonly id: ErpAccountId;
  readonly code: string;
  readonly decision: Decision;
}

export interface PostingTaxCode {
  readonly id: ErpTaxCodeId;
  readonly code: string;
  readonly decision: Decision;
}

export interface PostingDimension extends DimensionValue {
  readonly decision: Decision;
}

export interface PostingVendor {
  readonly id: ErpVendorId;
  readonly code: string;
}

/**
 * What a tax return needs of a line (B9.8). Amounts have the sign of the line they are on: the two sides of a reverse charge
 * have the opposite one.
 */
export interface LineTax {
  /** `input`, `output`: the line is that tax. `expense`: nothing is deducted, so that the tax has no line of its own. */
  readonly place: 'input' | 'output' | 'expense';
  readonly reverseCharge: boolean;
  /** Decimal text, 0.25 is 25 %; absent where the platform's is not a number. */
  readonly rate?: string;
  /** Decimal text from 0 to 1: the share of the tax that is deducted. */
  readonly deductible: string;
  /** What the tax is on, whatever the share: minor units of the entry's currency. */
  readonly taxableMinor: bigint;
  /** The same in minor units of the functional currency. */
  readonly taxableBaseMinor: bigint;
  /** The tax before the share, in minor units of the entry's currency. */
  readonly taxMinor: bigint;
  /** The same in minor units of the functional currency. */
  readonly taxBaseMinor: bigint;
}

/** As it was written down: amounts may be decimal text. */
export type StoredLineTax = {
  readonly [Name in keyof LineTax]: LineTax[Name] extends bigint ? bigint | string : LineTax[Name];
};

/** One debit (positive) or credit (negative) line. */
export interface PlannedLine {
  /** Position of the item's line that it comes from, from 1; absent on what balances the entry. */
  readonly source?: number;
  readonly account: PostingAccount;
  /** Minor units of the entry's currency. */
  readonly amountMinor: bigint;
  /** Minor units of the functional currency. */
  readonly baseMinor: bigint;
  readonly vendor?: PostingVendor;
  /** The employee's code, or the platform's id of a person without one. */
  readonly employee?: string;
  readonly taxCode?: PostingTaxCode;
  /** Only for an ERP that keeps it. */
  readonly tax?: LineTax;
  readonly dimensions: readonly PostingDimension[];
}

export type EntryRole = 'entry' | 'invoice' | 'payment' | 'credit-note' | 'receipt';

/**
 * What an entry does to open items of its vendor; the ERP finds them and computes the amounts left.
 * `within`: settles the document of the same item. `settles`: the open documents of these numbers. `reopens`: undoes the
 * settlement of these numbers, and is itself settled against the payment that had made it.
 */
export interface SettlementIntent {
  readonly kind: 'within' | 'settles' | 'reopens';
  readonly vendor: PostingVendor;
  readonly numbers: readonly string[];
  readonly currency: CurrencyCode;
  /** Positive, in minor units of `currency`. */
  readonly amountMinor: bigint;
  /** Where a difference in base goes; absent where it cannot arise or is the ERP's own business. */
  readonly realizedFx?: PostingAccount;
}

export interface PlannedEntry {
  readonly role: EntryRole;
  /** From 1, of an entry that is divided because the ERP takes fewer lines in one (B9.10); absent: it is whole. */
  readonly part?: number;
  readonly state: 'draft' | 'posted';
  readonly postingDate: LocalDate;
  /** The item's own day, when a closed period moved the posting date. */
  readonly originalDate?: LocalDate;
  readonly documentDate?: LocalDate;
  readonly dueDate?: LocalDate;
  readonly documentNumber?: string;
  readonly currency: CurrencyCode;
  readonly functionalCurrency: CurrencyCode;
  /** Decimal text: functional main units for one main unit of `currency`; absent within one currency. */
  readonly rate?: string;
  readonly lines: readonly PlannedLine[];
  readonly description: string;
  readonly reference: string;
  readonly settlement?: SettlementIntent;
  readonly information: EntryInformation;
  readonly mappingVersion: number;
  /** Of the rules that planned it; absent: the first. */
  readonly plannerVersion?: number;
}

/**
 * Counts the changes of these rules after which the same item, data and mapping can give another entry. A recorded plan is
 * held against a new one of the same version only (I21).
 */
export const PLANNER_VERSION = 4;

/** Kept with the entry, checked and posted nowhere. */
export interface EntryInformation {
  /** As on the wire, in hundredths. */
  readonly supplierAmount: WireMoney;
  readonly servicePeriod?: { readonly from: string; readonly to: string };
}

export type PostingPlan =
  | {
      readonly outcome: 'post';
      readonly entries: readonly PlannedEntry[];
      readonly warnings: readonly Warning[];
    }
  /** Nothing else is wrong: create this vendor in the ERP and plan again with it in the context. */
  | { readonly outcome: 'needs-vendor'; readonly vendor: ItemVendor }
  | {
      readonly outcome: 'fail';
      readonly failureType: FailureType;
      readonly message: string;
      readonly problems: readonly ItemProblem[];
    };
