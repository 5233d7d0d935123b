// What a bookkeeper reads about an entry that is in the books with other content than the export has now (B7.3).
import { listed, message, type Message, type MessageList } from '../../../kernel/message.js';
import { englishText } from '../../messages/texts.js';
import { reasonOf, type Reason } from './item-failure.js';
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
/** "1 +1 · " */
const MIN_LINE_LENGTH = 6;
const DIGEST_DIGITS = 12;
/** Of each content, in languages other than English. */
const MAX_LISTED_LINES = 20;
const SAME_LINES = message('reason.changed.same-lines');

/** What may be done about a changed entry where the policy is not to touch what was posted. */
export const UNDO_OR_CHANGE_POLICY = message('reason.changed.undo-or-policy');
/** The entry was posted outside the connector between its reversal and the new post. */
export const EXPORT_AGAIN = message('reason.changed.export-again');

/** As `conflictText`, with the messages that say the same. */
export function conflictReason(
  posting: StandingContent,
  requested: readonly EntryLines[] | Message,
  advice: Message,
): Reason {
  const english = 'code' in requested ? englishText(requested).replace(/\.$/, '') : requested;
  const isSame = !('code' in requested) && isSameContent(requested, posting.content);
  const now = 'code' in requested ? requested : isSame ? SAME_LINES : contentOf(requested, MAX_LISTED_LINES);
  const inBooks = posting.content.length === 0 ? unknownLines(posting) : contentOf(posting.content, MAX_LISTED_LINES);
  return {
    failureReason: conflictText(posting, english, englishText(advice)),
    messages: [
      message('reason.changed', { entry: shortId(posting.externalId), inBooks, now, end: endOf(now) }),
      advice,
    ],
  };
}

/** What cannot be booked says why in whole sentences. */
function endOf(now: Message | MessageList): 'none' | 'stop' {
  return 'code' in now && now.code === 'reason.changed.not-bookable' ? 'none' : 'stop';
}

type StandingContent = Pick<KnownPosting, 'externalId' | 'contentDigest' | 'content'>;

/**
 * Both contents side by side, then what to do; the contents are shortened where the whole would be too long for the
 * platform.
 *
 * @param posting what stands in the books; without its lines, what is known of it.
 * @param requested what the export says now, as lines, or in words where it cannot be booked.
 * @param advice whole sentences.
 */
export function conflictText(
  posting: StandingContent,
  requested: readonly EntryLines[] | string,
  advice: string,
): string {
  const entry = shortId(posting.externalId);
  const end = cut(advice, MAX_ADVICE_LENGTH);
  const words = (inBooks: string, now: string) =>
    `${englishText(message('reason.changed', { entry, inBooks, now, end: 'stop' }))} ${end}`;
  const room = MAX_TEXT_LENGTH - words('', '').length;
  if (typeof requested !== 'string' && isSameContent(requested, posting.content)) {
    const same = englishText(SAME_LINES);
    return words(contentText(requested, room - same.length), same);
  }
  const inBooks =
    posting.content.length === 0
      ? englishText(unknownLines(posting))
      : contentText(posting.content, Math.floor(room / 2));
  const left = room - inBooks.length;
  return words(inBooks, typeof requested === 'string' ? cut(requested, left) : contentText(requested, left));
}

/** For the item that was posted: what happened to its earlier entry. */
export function replacedWarning(externalId: string): Message {
  return message('warning.replaced', { entry: shortId(externalId) });
}

/** For the item that was posted again: what happened to its earlier entry (B9.1). @param again the new entry */
export function repostedWarning(reversal: ReversalInErp, again: string): Message {
  return message('warning.posted-again', { ...reversedParameters(reversal), again: shortId(again) });
}

/** For an item whose entry was reversed in the ERP, where the policy is to leave that to people. */
export function reversedInErp(reversal: ReversalInErp): Reason {
  return reasonOf(message('reason.reversed', reversedParameters(reversal)));
}

/** For an item whose entry the ERP does not know any more. */
export function lostInErp(externalId: string): Reason {
  return reasonOf(message('reason.lost', { entry: shortId(externalId) }));
}

/** For an item that may have been posted, when the ERP cannot be searched (level `none`). */
export function manualReview(accountingEntryId: string): Reason {
  return reasonOf(message('reason.manual-review', { reference: accountingEntryId }));
}

function reversedParameters({ entry, by, on }: ReversalInErp): Message['parameters'] {
  return {
    entry: shortId(entry),
    known: by === undefined ? 'nobody' : 'somebody',
    by: shortId(by ?? ''),
    dated: on === undefined ? 'no' : 'yes',
    on: on ?? '',
  };
}

/** For an item that fails for another reason than the entry of it that is in the books. */
export function whileEntryStands(posting: KnownPosting, reason: Reason): Reason {
  return withEnding(reason, failureWithStandingEntryText(posting, reason.failureReason), standing(posting));
}

export function failureWithStandingEntryText(posting: KnownPosting, reason: string): string {
  return withEnd(reason, standing(posting));
}

/** For an item whose earlier entry is out of the books already, when the new one could not be posted. */
export function afterReversal(externalId: string, reason: Reason): Reason {
  return withEnding(reason, failureAfterReversalText(externalId, reason.failureReason), reversed(externalId));
}

export function failureAfterReversalText(externalId: string, reason: string): string {
  return withEnd(reason, reversed(externalId));
}

/** For an item that may have been posted, when the ERP does not respond. */
export function whileInDoubt(reason: Reason): Reason {
  return withEnding(reason, inDoubtText(reason.failureReason), IN_DOUBT);
}

export function inDoubtText(reason: string): string {
  return withEnd(reason, IN_DOUBT);
}

/** For an item that may have been posted, when the ERP may not show it yet (level `searchable-reference`). */
export function notShownYet(reason: Reason): Reason {
  return withEnding(reason, withEnd(reason.failureReason, NOT_SHOWN_YET), NOT_SHOWN_YET);
}

/** For an item whose earlier entry may have been reversed, when the ERP does not respond. */
export function reversalInDoubt(posting: KnownPosting, reason: Reason): Reason {
  return withEnding(reason, reversalInDoubtText(posting, reason.failureReason), halfReversed(posting));
}

export function reversalInDoubtText(posting: KnownPosting, reason: string): string {
  return withEnd(reason, halfReversed(posting));
}

const IN_DOUBT = message('reason.ending.in-doubt');
const NOT_SHOWN_YET = message('reason.ending.not-shown-yet');

function standing({ externalId }: KnownPosting): Message {
  return message('reason.ending.standing', { entry: shortId(externalId) });
}

function reversed(externalId: string): Message {
  return message('reason.ending.reversed', { entry: shortId(externalId) });
}

function halfReversed({ externalId }: KnownPosting): Message {
  return message('reason.ending.reversal-in-doubt', { entry: shortId(externalId) });
}

function withEnding({ messages }: Reason, failureReason: string, ending: Message): Reason {
  return { failureReason, ...(messages && { messages: [...messages, ending] }) };
}

/** The reason is shortened in favor of the end, which says what is in the books. */
function withEnd(reason: string, ending: Message): string {
  const end = englishText(ending);
  return `${cut(reason, MAX_TEXT_LENGTH - end.length - 1)} ${end}`;
}

function unknownLines({ contentDigest }: StandingContent): Message {
  return message('reason.changed.unknown-lines', { digest: contentDigest.slice(0, DIGEST_DIGITS) });
}

function isSameContent(one: readonly EntryLines[], other: readonly EntryLines[]): boolean {
  return JSON.stringify(contentOf(one, Infinity)) === JSON.stringify(contentOf(other, Infinity));
}

/** "6071 +100.00 · 1935 −100.00 EUR on 2026-11-01", with as many lines as there is room for. */
function contentText(entries: readonly EntryLines[], room: number): string {
  const count = entries.reduce((total, { lines }) => total + lines.length, 0);
  const text = (mostLines: number) =>
    englishText(message('reason.content', { content: contentOf(entries, mostLines) }));
  for (let shown = Math.min(count, MAX_LINES, Math.floor(room / MIN_LINE_LENGTH) + 1); shown > 0; shown -= 1) {
    const all = text(shown);
    if (all.length <= room) return all;
  }
  return cut(text(0), room);
}

function contentOf(entries: readonly EntryLines[], mostLines: number): MessageList {
  let left = mostLines;
  const texts = entries.map((entry) => {
    // A line of 0 has an amount in the functional currency only.
    const lines = entry.lines.filter(({ amountMinor }) => amountMinor !== 0n);
    const shown = lines.slice(0, left);
    left -= shown.length;
    const role = entries.length === 1 ? 'only' : entry.role.replace('-', '_');
    return entryMessage(entry, role, shown, lines.length - shown.length);
  });
  return listed(texts, '; ');
}

function entryMessage(
  { currency, postingDate }: EntryLines,
  role: string,
  shown: EntryLines['lines'],
  hidden: number,
): Message {
  const lines = shown.map(({ accountCode, amountMinor }) =>
    message('reason.content.line', {
      hidden: 0,
      account: cut(accountCode, MAX_CODE_LENGTH),
      sign: amountMinor < 0n ? '−' : '+',
      amount: formatMinor(amountMinor < 0n ? -amountMinor : amountMinor, currency),
    }),
  );
  const rest = hidden === 0 ? [] : [message('reason.content.line', { hidden, account: '', sign: '', amount: '' })];
  return message('reason.content.entry', {
    role,
    lines: listed([...lines, ...rest], ' · '),
    currency,
    day: postingDate,
  });
}

function shortId(id: string): string {
  return cut(id, MAX_ID_LENGTH);
}

function cut(text: string, room: number): string {
  if (text.length <= room) return text;
  // By characters, so that none is cut in half; one outside the basic plane counts as two.
  const kept = Array.from(text).slice(0, Math.max(0, room - 1));
  while (kept.join('').length > room - 1 && kept.length > 0) kept.pop();
  return `${kept.join('').trimEnd()}…`;
}
