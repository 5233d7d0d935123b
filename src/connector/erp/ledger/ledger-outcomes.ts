// The ledger's answers about posting groups in the words of the port.
import { parseCurrency } from '../../../kernel/currency.js';
import { parseLocalDate } from '../../../kernel/local-date.js';
import type {
  EntryContent,
  ErpFailure,
  PostedGroup,
  PostingGroup,
  PostOutcome,
  ReverseOutcome,
} from '../erp-ledger.js';
import type {
  LedgerContent,
  LedgerFoundGroup,
  LedgerOutcome,
  LedgerPostedEntry,
  LedgerReversal,
} from './ledger-wire.schema.js';

/** The ledger's code for a key that is in use, where it says nothing about what is under it. */
const REFERENCE_TAKEN = 'reference_taken';
/** The ledger's code for a group that has not the form of one. */
const MALFORMED = 'malformed';
const MAX_WARNING_LENGTH = 500;

/** @param url address of the ledger, in front of the paths it answers */
export function outcomeOf(group: PostingGroup, answer: LedgerOutcome | undefined, url: string): PostOutcome {
  const { key, contentDigest } = group;
  switch (answer?.outcome) {
    case 'created':
    case 'existed':
      return { outcome: answer.outcome, posted: postedGroupOf({ ...answer, contentDigest }, url) };
    case 'refused':
      // Something stands under the key, from this request or an earlier one, though a search may not show it yet.
      return answer.code === REFERENCE_TAKEN
        ? { outcome: 'unknown', failure: unexpectedResponse(answer.message) }
        : { outcome: 'refused', message: refusalText(answer.code, answer.message, answer.field) };
    case 'conflict': {
      const existing = { ...answer, contentDigest: answer.existingContentDigest, warnings: [] };
      return {
        outcome: 'conflict',
        existing: postedGroupOf(existing, url),
        existingContent: answer.existing.flatMap(contentOf),
      };
    }
    case undefined:
      return { outcome: 'unknown', failure: missingOutcome(key) };
  }
}

/** Parts of an entry that come from the platform as they are, in the words of the platform. */
const PLATFORM_WORDS: readonly (readonly [part: RegExp, words: string])[] = [
  [/\/documentNumber$|\/numbers\//, 'The invoice number'],
  [/\/reference$/, 'The reconciliation id'],
  [/\/employee$/, 'The code of the employee'],
  [/Minor$/, 'An amount'],
  [/\/lines$/, 'The list of lines'],
];

/** What is wrong with the form of an entry says nothing without the part that is meant. */
function refusalText(code: string, message: string, field: string | null | undefined): string {
  const part = code === MALFORMED ? PLATFORM_WORDS.find(([place]) => place.test(field ?? '')) : undefined;
  return part === undefined
    ? message
    : `${part[1]} does not fit into the accounting system (${message}): correct the entry on the platform.`;
}

export function foundGroupOf(found: LedgerFoundGroup, url: string): PostedGroup {
  return { ...postedGroupOf(found, url), reversed: found.reversed };
}

export function reversalOf(key: string, answer: LedgerReversal | undefined): ReverseOutcome {
  switch (answer?.outcome) {
    case 'reversed':
    case 'already-reversed':
      return { outcome: 'reversed' };
    case 'absent':
      return { outcome: 'absent' };
    case 'refused':
      return { outcome: 'refused', message: answer.message };
    case undefined:
      return { outcome: 'unavailable', failure: missingOutcome(key) };
  }
}

/** Silence is not "not there", nor "nothing happened". */
export function missingOutcome(key: string): ErpFailure {
  return unexpectedResponse(`the ledger said nothing about key ${key}`);
}

function unexpectedResponse(message: string): ErpFailure {
  return { kind: 'server-error', message };
}

function postedGroupOf(group: Omit<LedgerFoundGroup, 'outcome' | 'reversed'>, url: string): PostedGroup {
  const { key, revision, contentDigest, entries, warnings } = group;
  return {
    key,
    revision,
    contentDigest,
    reversed: entries.every(({ state }) => state === 'reversed' || state === 'discarded'),
    entries: entries.map((entry) => postedEntryOf(entry, url)),
    warnings: warnings.map(({ message }) => message.slice(0, MAX_WARNING_LENGTH)),
  };
}

function postedEntryOf({ id, role, number, url: path }: LedgerPostedEntry, url: string) {
  return { id, role, number: number ?? undefined, url: `${url}${path}` };
}

/** @returns nothing for a content whose day or currency cannot be read */
function contentOf({ role, lines, ...content }: LedgerContent): readonly EntryContent[] {
  const postingDate = parseLocalDate(content.postingDate);
  const currency = parseCurrency(content.currency);
  return postingDate === undefined || currency === undefined
    ? []
    : [
        {
          role,
          postingDate,
          currency,
          lines: lines.map(({ accountCode, amountMinor }) => ({
            accountCode,
            amountMinor: BigInt(amountMinor),
          })),
        },
      ];
}
