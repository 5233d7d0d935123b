// Open items between a company and its vendors, and their settlements.
import type { PostingSettlement } from '../posting-group.js';
import type { EntryRole } from '../posting-outcome.js';

export interface ItemRef {
  readonly entryId: string;
  readonly lineNo: number;
}

/** A vendor's line of a posted entry. Amounts are signed minor units, credit (owed to the vendor) negative. */
export interface OpenItem extends ItemRef {
  readonly groupId: string;
  readonly role: EntryRole;
  readonly vendorNumber: string;
  readonly accountCode: string;
  readonly currency: string;
  readonly documentNumber: string | null;
  /** Of the entry; it applies to this item when vendor and currency are the item's. */
  readonly intent: PostingSettlement | null;
  /** `YYYY-MM-DD`. */
  readonly postedOn: string;
  readonly amountMinor: bigint;
  readonly openMinor: bigint;
  readonly openBaseMinor: bigint;
}

/** Two items that settle each other. Amounts are positive; the base amount is given for each item. */
export interface SettledPair {
  readonly debit: ItemRef;
  readonly credit: ItemRef;
  readonly amountMinor: bigint;
  readonly debitBaseMinor: bigint;
  readonly creditBaseMinor: bigint;
  /** `YYYY-MM-DD`, not before either of them was posted. */
  readonly settledOn: string;
}

/** A settlement that is not undone. */
export interface ActiveSettlement extends SettledPair {
  readonly id: string;
  /** The entry of its difference in base. */
  readonly fxEntryId: string | null;
  /** The entry that moves it between two payable accounts. */
  readonly transferEntryId: string | null;
  /** The accounts that these entries are on. */
  readonly accountCodes: readonly string[];
}

/** A settlement to be undone. */
export interface UndoneSettlement {
  readonly settlement: ActiveSettlement;
  /** `YYYY-MM-DD`, in an open period, not before the settlement itself. */
  readonly undoneOn: string;
}

export interface RealizedFx {
  readonly accountCode: string;
  readonly payableAccountCode: string;
  readonly vendorNumber: string;
  readonly currency: string;
  readonly documentNumber: string | null;
  /** The group of the item that pays. */
  readonly groupId: string;
  /** Signed minor units of the functional currency for the account of realized differences; debit (a loss) positive. */
  readonly baseMinor: bigint;
}

/** What moves a settled amount from the account of the paying item to that of the document (B9.3). */
export interface PayableTransfer {
  readonly fromAccountCode: string;
  readonly toAccountCode: string;
  readonly vendorNumber: string;
  readonly currency: string;
  readonly documentNumber: string | null;
  /** The group of the item that pays. */
  readonly groupId: string;
  /** Signed minor units for the account of the document, debit positive; its own base. */
  readonly amountMinor: bigint;
  readonly baseMinor: bigint;
}

/** @returns the document of the two, an invoice before a credit note, and the item that pays it */
export function sidesOf<T extends Pick<OpenItem, 'role'>>(
  one: T,
  other: T,
): { readonly document: T; readonly paying: T } {
  const rank = ({ role }: T) => ['invoice', 'credit-note'].indexOf(role) + 1 || Infinity;
  return rank(one) <= rank(other) ? { document: one, paying: other } : { document: other, paying: one };
}

/** @returns undefined for two items on one account */
export function transferOf(
  debit: OpenItem,
  credit: OpenItem,
  pair: Pick<SettledPair, 'amountMinor' | 'debitBaseMinor' | 'creditBaseMinor'>,
): PayableTransfer | undefined {
  if (debit.accountCode === credit.accountCode) {
    return undefined;
  }
  const { document, paying } = sidesOf(debit, credit);
  const isOwed = document === credit;
  return {
    fromAccountCode: paying.accountCode,
    toAccountCode: document.accountCode,
    vendorNumber: document.vendorNumber,
    currency: document.currency,
    documentNumber: document.documentNumber,
    groupId: paying.groupId,
    amountMinor: isOwed ? pair.amountMinor : -pair.amountMinor,
    baseMinor: isOwed ? pair.creditBaseMinor : -pair.debitBaseMinor,
  };
}

export function itemKey({ entryId, lineNo }: ItemRef): string {
  return `${entryId}/${lineNo.toString()}`;
}

export function pairKey({ debit, credit }: Pick<SettledPair, 'debit' | 'credit'>): string {
  return `${itemKey(debit)} ${itemKey(credit)}`;
}

/** @returns the later of two days, `YYYY-MM-DD` */
export function laterOf(one: string, other: string): string {
  return one > other ? one : other;
}
