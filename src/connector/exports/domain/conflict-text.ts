// Texts about an entry that is in the books with other content than the export has now (B7.3).
import { listed, message, type Message, type MessageList } from '../../../kernel/message.js';
import { formatMinor } from '../../../kernel/money.js';
import { englishText } from '../../messages/texts.js';
import { reasonOf, type Reason } from './item-failure.js';
import type { EntryLines, KnownPosting, ReversalInErp } from './plans/known-entry.js';
import { MAX_REASON_LENGTH } from './verdict.js';

/** Leaves room for the sentence that a job's verdict puts before the reason of its items. */
const MAX_TEXT_LENGTH = MAX_REASON_LENGTH - 100;
const MAX_ID_LENGTH = 100;
const MAX_ADVICE_LENGTH = 350;
const MAX_CODE_LENGTH = 40;
/** More than ever fit into a text. */
const MAX_LINES = 100;
/** "1 +1 · " */
const MIN_LINE_LENGTH = 6;
const DIGEST_DIGITS = 12;
/** Lines of each content in messages, which have no length limit. */
const MAX_LISTED_LINES = 20;
const SAME_LINES = message('reason.changed.same-lines');

/** Advice about a changed entry where the policy is to leave posted entries as they are. */
export const UNDO_OR_CHANGE_POLICY = message('reason.changed.undo-or-policy');
/** Advice when the entry was posted outside the connector between its reversal and the new posting. */
export const EXPORT_AGAIN = message('reason.changed.export-again');

/** As `conflictText`, together with the same text as messages. */
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

/** The message about content that cannot be booked already ends with a full stop. */
function endOf(now: Message | MessageList): 'none' | 'stop' {
  return 'code' in now && now.code === 'reason.changed.not-bookable' ? 'none' : 'stop';
}

type StandingContent = Pick<KnownPosting, 'externalId' | 'contentDigest' | 'content'>;

/**
 * Both contents side by side, then the advice; the contents are shortened where the whole would be too long for the platform.
 *
 * @param posting the standing entry, perhaps without its lines
 * @param requested the export's content, as lines, or as a text where it cannot be booked
 * @param advice whole sentences
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

/** Warning of a posted item whose earlier entry the connector has reversed. */
export function replacedWarning(externalId: string): Message {
  return message('warning.replaced', { entry: shortId(externalId) });
}

/** Warning of a posted item whose earlier entry was reversed in the ERP (B9.1). @param again the new entry */
export function repostedWarning(reversal: ReversalInErp, again: string): Message {
  return message('warning.posted-again', { ...reversedParameters(reversal), again: shortId(again) });
}

/** Reason of an item whose entry was reversed in the ERP, where the policy is not to post it again. */
export function reversedInErp(reversal: ReversalInErp): Reason {
  return reasonOf(message('reason.reversed', reversedParameters(reversal)));
}

/** Reason of an item whose entry the ERP does not have any more. */
export function lostInErp(externalId: string): Reason {
  return reasonOf(message('reason.lost', { entry: shortId(externalId) }));
}

/** Reason of an item that may have been posted, when the ERP cannot be searched (level `none`). */
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

/** For an item that fails while an entry of it stands in the books. */
export function whileEntryStands({ externalId }: KnownPosting, reason: Reason): Reason {
  return withEnding(reason, message('reason.ending.standing', { entry: shortId(externalId) }));
}

/** For an item whose earlier entry is reversed already, when the new one could not be posted. */
export function afterReversal(externalId: string, reason: Reason): Reason {
  return withEnding(reason, message('reason.ending.reversed', { entry: shortId(externalId) }));
}

/** For an item that may have been posted, when the ERP does not respond. */
export function whileInDoubt(reason: Reason): Reason {
  return withEnding(reason, IN_DOUBT);
}

/** For an item that may have been posted, when the ERP may not show it yet (level `searchable-reference`). */
export function notShownYet(reason: Reason): Reason {
  return withEnding(reason, NOT_SHOWN_YET);
}

/** For an item whose earlier entry may have been reversed, when the ERP does not respond. */
export function reversalInDoubt({ externalId }: KnownPosting, reason: Reason): Reason {
  return withEnding(reason, message('reason.ending.reversal-in-doubt', { entry: shortId(externalId) }));
}

const IN_DOUBT = message('reason.ending.in-doubt');
const NOT_SHOWN_YET = message('reason.ending.not-shown-yet');

/** Where the whole is too long, the reason is shortened, not the ending about the books. */
function withEnding({ failureReason, messages }: Reason, ending: Message): Reason {
  const end = englishText(ending);
  const text = `${cut(failureReason, MAX_TEXT_LENGTH - end.length - 1)} ${end}`;
  return { failureReason: text, ...(messages && { messages: [...messages, ending] }) };
}

function unknownLines({ contentDigest }: StandingContent): Message {
  return message('reason.changed.unknown-lines', { digest: contentDigest.slice(0, DIGEST_DIGITS) });
}

function isSameContent(one: readonly EntryLines[], other: readonly EntryLines[]): boolean {
  return JSON.stringify(contentOf(one, Infinity)) === JSON.stringify(contentOf(other, Infinity));
}

/** "6071 +100.00 · 1935 −100.00 EUR on 2026-11-01", with as many lines as fit. */
function contentText(entries: readonly EntryLines[], room: number): string {
  const count = entries.reduce((total, { lines }) => total + lines.length, 0);
  const text = (maxLines: number) => englishText(message('reason.content', { content: contentOf(entries, maxLines) }));
  for (let shown = Math.min(count, MAX_LINES, Math.floor(room / MIN_LINE_LENGTH) + 1); shown > 0; shown -= 1) {
    const all = text(shown);
    if (all.length <= room) return all;
  }
  return cut(text(0), room);
}

function contentOf(entries: readonly EntryLines[], maxLines: number): MessageList {
  let left = maxLines;
  const texts = entries.map((entry) => {
    // A line of 0 has an amount only in the functional currency.
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
  // By code points, so that none is cut in half; the limit counts UTF-16 units.
  const fitting = Array.from(text).slice(0, Math.max(0, room - 1));
  while (fitting.join('').length > room - 1 && fitting.length > 0) fitting.pop();
  return `${fitting.join('').trimEnd()}…`;
}
