// Pure: which items may pay each other, by vendor, currency and number (B3.7).
import type { OpenItem } from './open-item.js';
import type { PostingSettlement } from '../posting-group.js';

/** What an item was posted to settle; null when its entry means another vendor's items or another currency's. */
export function intentOf({ intent, vendorNumber, currency }: OpenItem): PostingSettlement | null {
  return intent?.vendorNumber === vendorNumber && intent.currency === currency ? intent : null;
}

/** Items of different purses never meet. */
export function openItemBucketOf({ vendorNumber, currency }: OpenItem): string {
  return JSON.stringify([vendorNumber, currency]);
}

/** What is owed, as against what pays it. */
export function isDocument({ role }: OpenItem): boolean {
  return role === 'invoice' || role === 'credit-note';
}

/** Whether one of two items of one purse was posted to settle the other. */
export function canSettleEachOther(one: OpenItem, other: OpenItem): boolean {
  return areOpposite(one, other) && (settles(one, other) || settles(other, one));
}

/** Whether a returned payment may be this one: it paid, or was to pay, a document that the return names. */
export function mayReturn(returned: OpenItem, payment: OpenItem, document: OpenItem): boolean {
  const isPayment = !isDocument(payment) && payment.role !== 'reversal';
  return isPayment && areOpposite(returned, payment) && isDocument(document) && isNamedBy(returned, document);
}

/** Who comes first: the other half of the same group, then a payment and its return, then documents by number. */
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
      // The document it names is a credit note that it pays, or was paid by a payment that waits still.
      return isDocument(other) ? isNamedBy(payment, other) : nameTheSame(payment, other);
  }
}

function areOpposite(one: OpenItem, other: OpenItem): boolean {
  return one.amountMinor > 0n !== other.amountMinor > 0n;
}

function isNamedBy(payment: OpenItem, document: OpenItem): boolean {
  return namesIn(payment).some((number) => number === document.documentNumber?.trim());
}

function nameTheSame(returned: OpenItem, payment: OpenItem): boolean {
  const names = intentOf(payment)?.kind === 'settles' ? namesIn(payment) : [];
  return namesIn(returned).some((number) => names.includes(number));
}

function namesIn(payment: OpenItem): readonly string[] {
  return (intentOf(payment)?.numbers ?? []).map((number) => number.trim());
}
