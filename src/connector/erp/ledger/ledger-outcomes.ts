// Translates the ledger's outcomes for posting groups to the port.
import { parseCurrency } from '../../../kernel/currency.js';
import { parseLocalDate } from '../../../kernel/local-date.js';
import { cutText } from '../../../kernel/text.js';
import type {
  EntryContent,
  ErpFailure,
  PostedEntry,
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

/** The ledger's code for a key that is in use, at levels where it shows nothing about the entries under it. */
const REFERENCE_TAKEN = 'reference_taken';
/** The ledger's code for a group of the wrong format. */
const MALFORMED = 'malformed';
const MAX_WARNING_LENGTH = 500;

/** @param url address of the ledger, the base of its paths */
export function outcomeOf(group: PostingGroup, response: LedgerOutcome | undefined, url: string): PostOutcome {
  const { key, contentDigest } = group;
  switch (response?.outcome) {
    case 'created':
    case 'existed':
      return { outcome: response.outcome, posted: postedGroupOf({ ...response, contentDigest }, url) };
    case 'refused':
      // An entry exists under the key, from this request or an earlier one, but a search may not show it yet.
      return response.code === REFERENCE_TAKEN
        ? { outcome: 'unknown', failure: unexpectedResponse(response.message) }
        : { outcome: 'refused', message: refusalText(response.code, response.message, response.field) };
    case 'conflict': {
      const existing = { ...response, contentDigest: response.existingContentDigest, warnings: [] };
      return {
        outcome: 'conflict',
        existing: postedGroupOf(existing, url),
        existingContent: response.existing.flatMap(contentOf),
      };
    }
    case undefined:
      return { outcome: 'unknown', failure: missingOutcome(key) };
  }
}

/** Fields of an entry that are copied from the platform, by the platform's names. */
const PLATFORM_NAMES: readonly (readonly [part: RegExp, words: string])[] = [
  [/\/documentNumber$|\/numbers\//, 'The invoice number'],
  [/\/reference$/, 'The reconciliation id'],
  [/\/employee$/, 'The code of the employee'],
  [/Minor$/, 'An amount'],
  [/\/lines$/, 'The list of lines'],
];

/** A format error is only clear together with the field. */
function refusalText(code: string, message: string, field: string | null | undefined): string {
  const part = code === MALFORMED ? PLATFORM_NAMES.find(([place]) => place.test(field ?? '')) : undefined;
  return part === undefined
    ? message
    : `${part[1]} does not fit into the accounting system (${message}): correct the entry on the platform.`;
}

export function foundGroupOf(found: LedgerFoundGroup, url: string): PostedGroup {
  return { ...postedGroupOf(found, url), reversed: found.reversed };
}

export function reversalOf(key: string, response: LedgerReversal | undefined): ReverseOutcome {
  switch (response?.outcome) {
    case 'reversed':
    case 'already-reversed':
      return { outcome: 'reversed' };
    case 'absent':
      return { outcome: 'absent' };
    case 'refused':
      return { outcome: 'refused', message: response.message };
    case undefined:
      return { outcome: 'unavailable', failure: missingOutcome(key) };
  }
}

/** A missing result means neither "not found" nor "no effect". */
export function missingOutcome(key: string): ErpFailure {
  return unexpectedResponse(`the ledger's response omits key ${key}`);
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
    warnings: warnings.map(({ message }) => cutText(message, MAX_WARNING_LENGTH)),
  };
}

function postedEntryOf({ id, role, number, url: path, reversedBy }: LedgerPostedEntry, url: string): PostedEntry {
  const on = parseLocalDate(reversedBy?.postingDate ?? '');
  return {
    id,
    role,
    number: number ?? undefined,
    url: `${url}${path}`,
    ...(reversedBy && on && { reversedBy: { id: reversedBy.id, number: reversedBy.number ?? undefined, on } }),
  };
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
