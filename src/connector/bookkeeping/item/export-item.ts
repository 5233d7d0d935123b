// The v3 export item as bookkeeping reads it. Null and absent mean the same everywhere. Words the platform may extend
// (types, methods, statuses) stay plain strings, so that one unknown word fails one item and not the page it came in.

/** @template T what the field holds when it is there */
export type Nullable<T> = T | null | undefined;

/** Wire money: `value` is decimal text in hundredths of the main unit, for every currency ("89696" is 896.96). */
export interface WireMoney {
  readonly currency: string;
  readonly value: string;
}

export interface DualAmount {
  readonly inSupplierCurrency: WireMoney;
  readonly inWalletCurrency: WireMoney;
}

export interface ItemAccount {
  readonly id: string;
  readonly name?: Nullable<string>;
  readonly code?: Nullable<string>;
  /** The account's id in the ERP. */
  readonly identifier?: Nullable<string>;
}

export interface ItemTag {
  readonly id: string;
  readonly code: string;
  readonly groupCode: string;
}

export interface ItemTax {
  readonly id: string;
  readonly code?: Nullable<string>;
  /** Decimal text of a share: "0.25" is 25 %. */
  readonly rate: string;
  readonly type: string;
  readonly amount: DualAmount;
  readonly ingoingTaxAccount?: Nullable<string>;
  readonly outgoingTaxAccount?: Nullable<string>;
}

export interface ItemLine {
  readonly accountingEntryLineId: string;
  readonly lineAmount: DualAmount;
  readonly netAmount: DualAmount;
  readonly account?: Nullable<ItemAccount>;
  readonly tags?: Nullable<readonly Nullable<ItemTag>[]>;
  readonly tax?: Nullable<ItemTax>;
}

export interface ItemVendor {
  readonly id: string;
  readonly name: string;
  readonly defaultCurrency?: Nullable<string>;
  readonly code?: Nullable<string>;
  readonly externalId?: Nullable<string>;
  readonly country?: Nullable<string>;
  readonly registrationNumber?: Nullable<string>;
  readonly taxRegistrationNumber?: Nullable<string>;
}

/** The merchant as the card network or the receipt names it; no master record. */
interface ItemSupplier {
  readonly name?: Nullable<string>;
  readonly code?: Nullable<string>;
  readonly account?: Nullable<string>;
  readonly taxIdentifier?: Nullable<string>;
}

/** A receipt: where it is for 24 hours, its media type, its bytes as decimal text. */
export interface ItemFile {
  readonly url?: Nullable<string>;
  readonly type?: Nullable<string>;
  readonly size?: Nullable<string>;
}

interface ItemUser {
  readonly id: string;
  readonly name?: Nullable<string>;
  readonly code?: Nullable<string>;
}

/** Dates are 'YYYY-MM-DD' or a date-time; both occur. */
interface InvoiceInformation {
  readonly invoiceNumber?: Nullable<string>;
  readonly invoiceDate?: Nullable<string>;
  readonly dueDate?: Nullable<string>;
  readonly status?: Nullable<string>;
}

export interface ExportItem {
  readonly accountingEntryId: string;
  readonly type: string;
  readonly subType?: Nullable<string>;
  /** An instant (ISO 8601 with a zone) or a plain day. */
  readonly date: string;
  readonly amount: DualAmount;
  readonly note?: Nullable<string>;
  readonly accountingEntryLines: readonly ItemLine[];
  readonly bookkeeping?: Nullable<{ readonly method?: Nullable<string> }>;
  readonly vendor?: Nullable<ItemVendor>;
  readonly supplier?: Nullable<ItemSupplier>;
  readonly contraAccount?: Nullable<ItemAccount>;
  readonly user?: Nullable<ItemUser>;
  readonly files?: Nullable<readonly Nullable<ItemFile>[]>;
  readonly servicePeriod?: Nullable<{ readonly from: string; readonly to: string }>;
  readonly additionalInformation: {
    readonly reconciliationId: string;
    readonly reconciledEntries?: Nullable<readonly Nullable<string>[]>;
    readonly invoiceInformation?: Nullable<InvoiceInformation>;
  };
  /** Where people see it on the platform; it says nothing to the books. */
  readonly _links?: Nullable<{ readonly web: { readonly exportItem: string } }>;
}

/** @returns the text without outer blanks; undefined when it is null, absent or blank. */
export function textOf(value: Nullable<string>): string | undefined {
  const trimmed = value?.trim();
  return trimmed === '' ? undefined : trimmed;
}

/** @returns the bookkeeping method the item names; undefined when it names none (which is not the method "none"). */
export function methodOf(item: ExportItem): string | undefined {
  return textOf(item.bookkeeping?.method);
}

/** @returns the employee's code, or the platform's id of a person without one; undefined when the item names no person. */
export function employeeOf({ user }: ExportItem): string | undefined {
  return textOf(user?.code) ?? textOf(user?.id);
}
