// What happens to a group that is posted, from what its key stands for and what the settings know.
import { addDays, type LocalDate } from '../../../kernel/local-date.js';
import type { PlannedEntry, PlannedLine } from '../../bookkeeping/item/posting-plan.js';
import type { PostingGroup } from '../erp-ledger.js';
import { fileEntry } from './file-entry.js';
import type { FilesSettings } from './settings/files-settings.js';
import { currencyProblem, type JournalFormat } from './formats/journal-file.js';
import type { StoredGroup, StoredRevision } from './stored-books.js';

export type PostDecision =
  | { readonly kind: 'existed' | 'conflict'; readonly revision: StoredRevision }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'post' };

export const MAX_ENTRIES = 16;
export const MAX_LINES = 500;

const FIRST_DAY = '1900-01-01';
const LAST_DAY = '2999-12-31';

/**
 * @param stored what the key stands for; undefined when nothing was posted under it
 * @param hasReceipt whether a receipt of this id is stored
 */
export function decidePost(
  group: PostingGroup,
  stored: StoredGroup | undefined,
  settings: FilesSettings,
  format: JournalFormat,
  hasReceipt: (documentId: string) => boolean,
): PostDecision {
  const newest = stored?.revisions.at(-1);
  if (newest !== undefined && group.revision <= newest.revision) {
    return { kind: newest.contentDigest === group.contentDigest ? 'existed' : 'conflict', revision: newest };
  }
  if (newest !== undefined && isStanding(newest)) {
    const message = `Revision ${newest.revision.toString()} of this entry has not been reversed.`;
    return { kind: 'refused', message };
  }
  const missing = group.documents.find(({ documentId }) => !hasReceipt(documentId));
  const message =
    missing === undefined
      ? groupProblem(group, settings, format)
      : `The receipt ${missing.fileName} is not stored here: export the entry again.`;
  return message === undefined ? { kind: 'post' } : { kind: 'refused', message };
}

/** Whether any of its entries counts. */
export function isStanding({ entries }: StoredRevision): boolean {
  return entries.some(({ state }) => state === 'posted');
}

/** The day on which an entry is reversed: its own, or the first one after those that are closed. */
export function reversalDate(entryDate: LocalDate, closedUntil: LocalDate | undefined): LocalDate {
  return closedUntil !== undefined && entryDate <= closedUntil ? addDays(closedUntil, 1) : entryDate;
}

function groupProblem(group: PostingGroup, settings: FilesSettings, format: JournalFormat): string | undefined {
  const { entries } = group;
  if (entries.length === 0 || entries.length > MAX_ENTRIES) {
    return `A group has 1 to ${MAX_ENTRIES.toString()} journal entries.`;
  }
  return firstOf(
    entries,
    (entry) => entryProblem(entry, settings) ?? format.problemOf(fileEntry(group, 1, entry), settings),
  );
}

function entryProblem(entry: PlannedEntry, settings: FilesSettings): string | undefined {
  const { postingDate, lines, functionalCurrency } = entry;
  if (entry.state === 'draft') {
    return 'Files carry no drafts: set the posting state to “posted” in the mapping.';
  }
  const otherCurrency = currencyProblem(entry, settings);
  if (otherCurrency !== undefined) return otherCurrency;
  if (postingDate < FIRST_DAY || postingDate > LAST_DAY) {
    return `${postingDate} is no day that entries are posted on.`;
  }
  if (settings.closedUntil !== undefined && postingDate <= settings.closedUntil) {
    return `The books are closed until ${settings.closedUntil}, and the entry is dated ${postingDate}: post it to a later day, or open the books in the connection’s settings.`;
  }
  if (lines.length === 0 || lines.length > MAX_LINES) {
    return `A journal entry has 1 to ${MAX_LINES.toString()} lines.`;
  }
  if (sumOf(lines, 'amountMinor') !== 0n) return `The entry does not balance in ${entry.currency}.`;
  if (sumOf(lines, 'baseMinor') !== 0n) return `The entry does not balance in ${functionalCurrency}.`;
  return firstOf(lines, (line) => lineProblem(line, settings));
}

function lineProblem(line: PlannedLine, settings: FilesSettings): string | undefined {
  const { account, taxCode, vendor, dimensions } = line;
  const where = 'in the connection’s settings';
  if (settings.accounts.get(account.code)?.active !== true) {
    return `Account ${account.code} is missing or inactive in the chart of accounts ${where}.`;
  }
  if (taxCode !== undefined && settings.taxCodes.get(taxCode.code)?.active !== true) {
    return `Tax code ${taxCode.code} is missing or inactive in the list ${where}.`;
  }
  if (vendor !== undefined && settings.vendors.get(vendor.code)?.active !== true) {
    return `Vendor ${vendor.code} is missing or inactive in the list ${where}.`;
  }
  return firstOf(dimensions, ({ dimension, value }) =>
    settings.dimensions.get(dimension)?.values.get(value)?.active === true
      ? undefined
      : `Value ${value} of dimension ${dimension} is missing or inactive in the list ${where}.`,
  );
}

function sumOf(lines: readonly PlannedLine[], field: 'amountMinor' | 'baseMinor'): bigint {
  return lines.reduce((sum, line) => sum + line[field], 0n);
}

function firstOf<T>(values: readonly T[], problemOf: (value: T) => string | undefined): string | undefined {
  for (const value of values) {
    const problem = problemOf(value);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
