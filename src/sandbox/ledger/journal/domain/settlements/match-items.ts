// Pure: which items may pay each other, by vendor, currency and number (B3.7).
import type { OpenItem } from './open-item.js';
import type { PostingSettlement } from '../posting-group.js';

/** The settlement intent of an item; null when the intent of its entry is about another vendor or currency. */
export function intentOf({ intent, vendorNumber, currency }: OpenItem): PostingSettlement | null {
  return intent?.vendorNumber === vendorNumber && intent.currency === currency ? intent : null;
}

/** Items are matched within one bucket only: the open items of one vendor in one currency. */
export function openItemBucketOf({ vendorNumber, currency }: OpenItem): string {
  return JSON.stringify([vendorNumber, currency]);
}

/** Whether the item is owed, in contrast to a payment. */
export function isDocument({ role }: OpenItem): boolean {
  return role === 'invoice' || role === 'credit-note';
}

/** @returns whether one of two items of the same bucket was posted to settle the other */
export function canSettleEachOther(one: OpenItem, other: OpenItem): boolean {
  return areOpposite(one, other) && (settles(one, other) || settles(other, one));
}

/** Whether a return may belong to this payment: the payment settled, or was to settle, a document that the return names. */
export function mayReturn(returned: OpenItem, payment: OpenItem, document: OpenItem): boolean {
  const isPayment = !isDocument(payment) && payment.role !== 'reversal';
  return isPayment && areOpposite(returned, payment) && isDocument(document) && isNamedBy(returned, document);
}

/** Order of matching: first the counterpart in the same group, then a payment and its return, then documents by number. */
export function rankOf(one: OpenItem, other: OpenItem): number {
  if (one.groupId === other.groupId) {
    return 0;
  }
  return isDocument(one) || isDocument(other) ? 2 : 1;
}

function settles(payment: OpenItem, other: OpenItem): boolean {
  switch (intentOf(payment)?.kind) {
    case undefined:
      return false;
    case 'within':
      return payment.groupId === other.groupId && isDocument(other);
    case 'settles':
      return isDocument(other) && isNamedBy(payment, other);
    case 'reopens':
      // It pays the credit note that it names, or returns a payment that is still open.
      return isDocument(other) ? isNamedBy(payment, other) : nameSameDocument(payment, other);
  }
}

function areOpposite(one: OpenItem, other: OpenItem): boolean {
  return one.amountMinor > 0n !== other.amountMinor > 0n;
}

function isNamedBy(payment: OpenItem, document: OpenItem): boolean {
  return numbersIn(payment).some((number) => number === document.documentNumber?.trim());
}

function nameSameDocument(returned: OpenItem, payment: OpenItem): boolean {
  const numbers = intentOf(payment)?.kind === 'settles' ? numbersIn(payment) : [];
  return numbersIn(returned).some((number) => numbers.includes(number));
}

function numbersIn(payment: OpenItem): readonly string[] {
  return (intentOf(payment)?.numbers ?? []).map((number) => number.trim());
}
