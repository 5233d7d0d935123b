// What a bookkeeper reads about an entry that is in the books with other content than the export has now (B7.3).
import { formatMinor } from '../../../kernel/money.js';
import type { EntryLines, KnownPosting, ReversalInErp } from './plans/known-entry.js';
import { MAX_REASON_LENGTH } from './verdict.js';

/** The verdict of a job puts a sentence of its own before the reason of its items. */
const MAX_TEXT_LENGTH = MAX_REASON_LENGTH - 100;
const MAX_ID_LENGTH = 100;
const MAX_ADVICE_LENGTH = 350;
const MAX_CODE_LENGTH = 40;
/** More lines than ever fit. */
const MAX_LINES = 100;
const DIGEST_DIGITS = 12;
const SAME_LINES =
  'the same lines; something else of it was changed: its time of day, type, tax codes, tags, vendor, or invoice number or dates';

/** What may be done about a changed entry where the policy is not to touch what was posted. */
export const UNDO_OR_CHANGE_POLICY =
  'Undo the change on the platform, or have an administrator choose "reverse-and-repost" for changed entries in the connector’s settings; then export it again.';
/** The entry was posted outside the connector between its reversal and the new post. */
export const EXPORT_AGAIN = 'It was posted outside the connector in the meantime: compare both, then export it again.';

/**
 * Both contents side by side, then what to do; the contents are shortened where the whole would be too long for the
 * platform.
 *
 * @param posting what stands in the books; without its lines, what is known of it.
 * @param requested what the export says now, as lines, or in words where it cannot be booked.
 * @param advice whole sentences.
 */
export function conflictText(
  posting: Pick<KnownPosting, 'externalId' | 'contentDigest' | 'content'>,
  requested: readonly EntryLines[] | string,
  advice: string,
): string {
  const start = `This entry is in the books already (${cut(posting.externalId, MAX_ID_LENGTH)}) with other content.`;
  const end = cut(advice, MAX_ADVICE_LENGTH);
  const words = (inBooks: string, now: string) =>
    `${start} In the books: ${inBooks}. The export says now: ${now}. ${end}`;
  const room = MAX_TEXT_LENGTH - words('', '').length;
  if (typeof requested !== 'string' && fullText(requested) === fullText(posting.content)) {
    return words(contentText(requested, room - SAME_LINES.length), SAME_LINES);
  }
  const inBooks =
    posting.content.length === 0
      ? `lines that are not known here (content ${posting.contentDigest.slice(0, DIGEST_DIGITS)})`
      : contentText(posting.content, Math.floor(room / 2));
  const left = room - inBooks.length;
  return words(inBooks, typeof requested === 'string' ? cut(requested, left) : contentText(requested, left));
}

/** For the item that was posted: what became of its earlier entry. */
export function replacedText(externalId: string): string {
  return `It replaces ${cut(externalId, MAX_ID_LENGTH)}, which an earlier export had posted and which was reversed.`;
}

/** For the item that was posted again: what became of its earlier entry (B9.1). @param again the new entry */
export function repostedText(reversal: ReversalInErp, again: string): string {
  return `${reversedText(reversal)} It was posted again as ${cut(again, MAX_ID_LENGTH)}.`;
}

/** For an item whose entry was reversed in the ERP, where the policy is to leave that to people. */
export function reversedInErpText(reversal: ReversalInErp): string {
  return `${reversedText(reversal)} It was not posted again: leave it out of the export, or have an administrator choose "repost" for entries that were reversed in the accounting system; then export it again.`;
}

/** For an item whose entry the ERP does not know any more. */
export function lostInErpText(externalId: string): string {
  return `An earlier export posted this entry as ${cut(externalId, MAX_ID_LENGTH)}, and the accounting system does not know it any more. It was not posted again: the next comparison shows it among the discrepancies, where you can accept that or have it exported again.`;
}

function reversedText({ entry, by, on }: ReversalInErp): string {
  const reversing = by === undefined ? '' : ` by ${cut(by, MAX_ID_LENGTH)}`;
  const day = on === undefined ? '' : ` on ${on}`;
  return `This entry was posted before as ${cut(entry, MAX_ID_LENGTH)}, which was reversed in the accounting system${reversing}${day}.`;
}

/** For an item that fails for another reason than the entry of it that is in the books. */
export function failureWithStandingEntryText({ externalId }: KnownPosting, reason: string): string {
  return withEnd(reason, `Until then the books have it as it was exported before (${cut(externalId, MAX_ID_LENGTH)}).`);
}

/** For an item whose earlier entry is out of the books already, when the new one could not be posted. */
export function failureAfterReversalText(externalId: string, reason: string): string {
  return withEnd(
    reason,
    `Its earlier entry (${cut(externalId, MAX_ID_LENGTH)}) is reversed, so nothing of it is in the books now.`,
  );
}

/** For an item that may have been posted, when the ERP does not respond. */
export function inDoubtText(reason: string): string {
  return withEnd(reason, 'Whether it is in the books could not be asked: the next export of it looks first.');
}

/** For an item that may have been posted, when the ERP may not show it yet (level `searchable-reference`). */
export function notShownYetText(reason: string): string {
  return withEnd(
    reason,
    'It may be in the books though the accounting system does not show it yet: the connector goes on looking, and the next export of it reports what was found.',
  );
}

/** For an item that may have been posted, when the ERP cannot be searched (level `none`). */
export function manualReviewText(accountingEntryId: string): string {
  return `The accounting system did not confirm this entry, and the connector cannot search it: the entry may be in the books. Look there for reference ${accountingEntryId}, then record in the connector, under uncertain postings, whether you found it. Until then it is not exported again.`;
}

/** For an item whose earlier entry may have been reversed, when the ERP does not respond. */
export function reversalInDoubtText({ externalId }: KnownPosting, reason: string): string {
  return withEnd(
    reason,
    `Its earlier entry (${cut(externalId, MAX_ID_LENGTH)}) was being reversed, and whether it still stands could not be asked: the next export of it looks first.`,
  );
}

/** The reason is shortened in favor of the end, which says what is in the books. */
function withEnd(reason: string, end: string): string {
  return `${cut(reason, MAX_TEXT_LENGTH - end.length - 1)} ${end}`;
}

function fullText(entries: readonly EntryLines[]): string {
  return entriesText(entries, Infinity);
}

/** "6071 +100.00 · 1935 −100.00 EUR on 2026-11-01", with as many lines as there is room for. */
function contentText(entries: readonly EntryLines[], room: number): string {
  const count = entries.reduce((total, { lines }) => total + lines.length, 0);
  for (let shown = Math.min(count, MAX_LINES); shown > 0; shown -= 1) {
    const text = entriesText(entries, shown);
    if (text.length <= room) return text;
  }
  return cut(entriesText(entries, 0), room);
}

function entriesText(entries: readonly EntryLines[], mostLines: number): string {
  let left = mostLines;
  const texts = entries.map((entry) => {
    // A line of 0 has an amount in the functional currency only.
    const lines = entry.lines.filter(({ amountMinor }) => amountMinor !== 0n);
    const shown = lines.slice(0, left);
    left -= shown.length;
    const role = entries.length === 1 ? '' : `${entry.role} `;
    return `${role}${entryText(entry, shown, lines.length - shown.length)}`;
  });
  return texts.join('; ');
}

function entryText({ currency, postingDate }: EntryLines, shown: EntryLines['lines'], hidden: number): string {
  const texts = shown.map(({ accountCode, amountMinor }) => {
    const sign = amountMinor < 0n ? '−' : '+';
    const amount = formatMinor(amountMinor < 0n ? -amountMinor : amountMinor, currency);
    return `${cut(accountCode, MAX_CODE_LENGTH)} ${sign}${amount}`;
  });
  const rest = hidden === 0 ? [] : [`… ${hidden.toString()} more ${hidden === 1 ? 'line' : 'lines'}`];
  return `${[...texts, ...rest].join(' · ')} ${currency} on ${postingDate}`;
}

function cut(text: string, room: number): string {
  if (text.length <= room) return text;
  // By characters, so that none is cut in half; one outside the basic plane counts as two.
  const kept = Array.from(text).slice(0, Math.max(0, room - 1));
  while (kept.join('').length > room - 1 && kept.length > 0) kept.pop();
  return `${kept.join('').trimEnd()}…`;
}
