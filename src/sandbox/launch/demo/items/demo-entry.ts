// The short form of accounting entries in the tables of this folder.
import type { PersonName, WalletCurrency } from '../demo-company.js';
import type { VendorName } from '../demo-vendors.js';

export type EntryType =
  | 'card_purchase'
  | 'card_invoice'
  | 'out_of_pocket'
  | 'mileage'
  | 'per_diem'
  | 'external_reimbursement'
  | 'direct_reimbursement'
  | 'invoice'
  | 'invoice_payment'
  | 'chargeback'
  | 'refund'
  | 'cashback'
  | 'atm_withdrawal'
  | 'wallet_topup'
  | 'wallet_unload'
  | 'personal_spend'
  | 'fee';

type EntrySubType =
  | 'reimbursement_to_employee'
  | 'reimbursement_to_employee_refund'
  | 'reimbursement_to_company'
  | 'invoice_payment_sent'
  | 'invoice_payment_returned'
  | 'interest';

/** The failure type that the connector must report for an entry. */
export type IntendedFailure =
  'account_unknown' | 'tax_code_unknown' | 'tag_unknown' | 'vendor_unknown' | 'validation_failure';

/** Taxes as the platform's users choose them; the rate is a whole percentage. */
export const demoTaxes = {
  standard: { number: 1, code: 'EE24', percent: 24, type: 'inclusive' },
  /** On documents that state their amounts without tax. */
  onTop: { number: 1, code: 'EE24', percent: 24, type: 'exclusive' },
  lodging: { number: 2, code: 'EE13', percent: 13, type: 'inclusive' },
  reduced: { number: 3, code: 'EE9', percent: 9, type: 'inclusive' },
  zero: { number: 4, code: 'EE0', percent: 0, type: 'inclusive' },
  half: { number: 5, code: 'EE24H', percent: 24, type: 'inclusive' },
  reverse: { number: 6, code: 'RC24', percent: 24, type: 'reverse' },
  /** Left to the connector: the platform sends the rate and an amount of 0. */
  reverseByRate: { number: 6, code: 'RC24', percent: 24, type: 'reverse', isAmountLeftOut: true },
  swedish: { number: 8, code: 'SE25', percent: 25, type: 'inclusive' },
  old: { number: 7, code: 'EE22', percent: 22, type: 'inclusive' },
} as const satisfies Record<string, DemoTax>;

export interface DemoTax {
  readonly number: number;
  readonly code: string;
  readonly percent: number;
  readonly type: 'inclusive' | 'exclusive' | 'reverse';
  readonly isAmountLeftOut?: boolean;
}

/** `account` is a code of the ledger, null where none is chosen; `amount` in main units, tax included; a tag is "CC:110". */
export type DemoLine = readonly [
  account: string | null,
  amount: string,
  tax?: keyof typeof demoTaxes | null,
  ...tags: string[],
];

interface EntryDetails {
  readonly subType?: EntrySubType;
  /** EUR when absent. */
  readonly wallet?: WalletCurrency;
  /** The supplier's amount, when in another currency: ISO 4217 code and main units. */
  readonly charged?: readonly [currency: string, amount: string];
  /** The amount of the entry in main units, when it is not the sum of the lines. */
  readonly total?: string;
  readonly method?: 'none' | 'journal' | 'accounts_payable';
  readonly vendor?: VendorName;
  /** Days are YYYY-MM-DD. */
  readonly invoice?: readonly [number: string, date: string, dueDate: string];
  /** First and last day of the service period. */
  readonly service?: readonly [from: string, to: string];
  /** `at` of the entries that a reimbursement is for. */
  readonly reimburses?: readonly string[];
  readonly attendees?: readonly string[];
  readonly failsWith?: IntendedFailure;
}

export interface DemoEntry extends EntryDetails {
  readonly type: EntryType;
  /** UTC, to the minute, different for each entry: 2026-11-03T07:14. */
  readonly at: string;
  /** Null for movements between bank and wallet. */
  readonly by: PersonName | null;
  /** The merchant as the card network or the receipt names it. */
  readonly supplier: string | null;
  readonly note: string;
  readonly lines: readonly DemoLine[];
}

/** Writes one row of a table of entries of one type. */
export type EntryRow = (
  at: string,
  by: PersonName | null,
  supplier: string | null,
  note: string,
  lines: readonly DemoLine[],
  details?: EntryDetails,
) => DemoEntry;

/** @returns a function that makes entries of this type */
export function rowsOf(type: EntryType): EntryRow {
  return (at, by, supplier, note, lines, details = {}) => ({
    type,
    at,
    by,
    supplier,
    note,
    lines,
    ...details,
  });
}
