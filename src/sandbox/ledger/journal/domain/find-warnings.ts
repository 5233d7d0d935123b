// Pure: warnings about new entries that share a document number with earlier ones; none of them prevents posting (B3.7).
import type { BookEntry } from './posting-group.js';
import type { PostingWarning } from './posting-outcome.js';

/** A payable line: a vendor's, or one without vendor on a liability account. */
export interface DocumentSide {
  readonly vendorNumber: string | null;
  readonly isDebit: boolean;
  /** A vendor's item that is posted and not settled in full. */
  readonly isOpen: boolean;
}

/** An entry with a document number that is not cancelled; the new entries are included. */
export interface KnownDocument {
  readonly id: string;
  readonly key: string;
  readonly role: 'entry' | 'invoice' | 'credit-note';
  readonly currency: string;
  readonly documentNumber: string;
  /** The entry number, or a description of a draft. */
  readonly name: string;
  readonly sides: readonly DocumentSide[];
}

export interface NewlyWritten {
  readonly id: string;
  readonly groupId: string;
  readonly content: BookEntry;
}

export interface DocumentsView {
  /** In the order of their creation. */
  readonly documents: readonly KnownDocument[];
  /** New payments that are settled in full. */
  readonly settledIds: ReadonlySet<string>;
}

export type GroupWarning = PostingWarning & { readonly groupId: string };

/** The document numbers that decide about warnings for an entry. */
export function namedDocuments({ content }: NewlyWritten): readonly string[] {
  if (content.settlement?.kind === 'settles') {
    return content.settlement.numbers;
  }
  return isDocument(content.role) || content.role === 'entry' ? [content.documentNumber ?? []].flat() : [];
}

/**
 * Warns of a possible duplicate, and of a document and a payment of which only one names the vendor, so that they do not
 * settle each other. At most one warning per entry.
 * @param view all documents with the numbers that `namedDocuments` returned
 */
export function findWarnings(entries: readonly NewlyWritten[], view: DocumentsView): readonly GroupWarning[] {
  const byNumber = Map.groupBy(view.documents, (document) => document.documentNumber);
  return entries.flatMap((entry) => {
    const documents = namedDocuments(entry).flatMap((number) => byNumber.get(number) ?? []);
    const warning =
      duplicate(entry, documents) ?? paidWithoutVendor(entry, documents, view) ?? leftOpenByJournal(entry, documents);
    return warning === undefined ? [] : { ...warning, groupId: entry.groupId };
  });
}

/** The same vendor and number under another key. */
function duplicate({ id }: NewlyWritten, documents: readonly KnownDocument[]): PostingWarning | undefined {
  const own = documents.find((document) => document.id === id);
  if (own === undefined || !isDocument(own.role)) {
    return undefined;
  }
  const vendors = own.sides.map((side) => side.vendorNumber);
  const earlier = documents.slice(0, documents.indexOf(own));
  for (const other of earlier.filter(({ role, key }) => role === own.role && key !== own.key)) {
    const side = other.sides.find(({ vendorNumber }) => vendorNumber !== null && vendors.includes(vendorNumber));
    if (side !== undefined) {
      const message = `Possible duplicate: ${own.role} ${own.documentNumber} of vendor ${side.vendorNumber ?? ''} is already in the books as ${other.name}.`;
      return { code: 'possible-duplicate', message };
    }
  }
  return undefined;
}

/** A vendor's payment whose document was booked on the general account. */
function paidWithoutVendor(
  { id, content }: NewlyWritten,
  documents: readonly KnownDocument[],
  view: DocumentsView,
): PostingWarning | undefined {
  if (content.settlement?.kind !== 'settles' || view.settledIds.has(id)) {
    return undefined;
  }
  const { vendorNumber } = content.settlement;
  const isDebit = content.lines.some((line) => line.vendorNumber === vendorNumber && line.amountMinor > 0n);
  const document = documents.find(
    ({ role, currency, sides }) =>
      role === 'entry' &&
      currency === content.currency &&
      sides.some((side) => side.vendorNumber === null && side.isDebit !== isDebit),
  );
  return document === undefined
    ? undefined
    : {
        code: 'booked-without-vendor',
        message: `Document ${document.documentNumber} was booked without a vendor (${document.name}), so this ${content.role === 'credit-note' ? 'credit note' : 'payment'} of vendor ${vendorNumber} does not settle it. Match the two by hand.`,
      };
}

/** A payment on the general account whose document is open on a vendor. */
function leftOpenByJournal({ id }: NewlyWritten, documents: readonly KnownDocument[]): PostingWarning | undefined {
  const own = documents.find((document) => document.id === id);
  if (own?.role !== 'entry') {
    return undefined;
  }
  const paying = own.sides.filter((side) => side.vendorNumber === null);
  for (const { role, currency, documentNumber, name, sides } of documents) {
    const side = sides.find(({ isOpen, isDebit }) => isOpen && paying.some((each) => each.isDebit !== isDebit));
    if (isDocument(role) && currency === own.currency && side !== undefined) {
      const message = `Document ${documentNumber} of vendor ${side.vendorNumber ?? ''} (${name}) stays open: this entry names no vendor and does not settle it.`;
      return { code: 'booked-without-vendor', message };
    }
  }
  return undefined;
}

function isDocument(role: string): boolean {
  return role === 'invoice' || role === 'credit-note';
}
