import type { BookEntry } from './posting-group.js';
import type { EntryContent } from './posting-outcome.js';

/** An entry as a conflict shows it. */
export function contentOf(
  entry: Pick<BookEntry, 'role' | 'postingDate' | 'currency' | 'documentNumber' | 'lines'>,
): EntryContent {
  return {
    role: entry.role,
    postingDate: entry.postingDate,
    currency: entry.currency,
    documentNumber: entry.documentNumber ?? null,
    lines: entry.lines.map((line) => ({
      accountCode: line.accountCode,
      amountMinor: line.amountMinor.toString(),
      baseMinor: line.baseMinor.toString(),
      vendorNumber: line.vendorNumber ?? null,
    })),
  };
}
