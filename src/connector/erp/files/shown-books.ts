// What is stored of a file connection, as the port shows it.
import { parseCurrency } from '../../../kernel/currency.js';
import { Bug } from '../../../kernel/faults.js';
import { parseLocalDate } from '../../../kernel/local-date.js';
import type { InspectedEntry, InspectedGroup, ListedGroup } from '../erp-books.js';
import type { EntryContent, PostedGroup, PostOutcome } from '../erp-ledger.js';
import { withParts } from '../kit/step-records.js';
import { isStanding, type PostDecision } from './decide-post.js';
import type { FileEntry } from './file-entry.js';
import type { StoredRevision } from './stored-books.js';

/** What a post of a group comes to. */
export type Decided = { readonly key: string } & (
  Exclude<PostDecision, { readonly kind: 'post' }> | { readonly kind: 'created'; readonly revision: StoredRevision }
);

export function outcomeOf(decided: Decided, entries: ReadonlyMap<number, FileEntry>): PostOutcome {
  const { key } = decided;
  switch (decided.kind) {
    case 'refused':
      return { outcome: 'refused', message: decided.message };
    case 'created':
    case 'existed':
      return { outcome: decided.kind, posted: postedGroup(key, decided.revision) };
    case 'conflict': {
      const existing = postedGroup(key, decided.revision);
      const content = inspectedGroup(key, decided.revision, entries).entries.map(contentOf);
      return { outcome: 'conflict', existing, existingContent: content };
    }
  }
}

function contentOf({ role, postingDate, currency, lines }: InspectedEntry): EntryContent {
  return {
    role,
    postingDate,
    currency,
    lines: lines.map(({ accountCode, amountMinor }) => ({ accountCode, amountMinor })),
  };
}

export function postedGroup(key: string, { revision, contentDigest, entries }: StoredRevision): PostedGroup {
  return {
    key,
    revision,
    contentDigest,
    reversed: entries.every(({ state }) => state !== 'posted'),
    entries: entries.map(({ role, number }) => ({
      role,
      id: number.toString(),
      number: number.toString(),
      url: `urn:file-entry:${key}:${number.toString()}`,
    })),
    warnings: [],
  };
}

export function inspectedGroup(
  key: string,
  { revision, contentDigest, entries }: StoredRevision,
  found: ReadonlyMap<number, FileEntry>,
): InspectedGroup {
  return {
    key,
    revision,
    contentDigest,
    entries: withParts(entries).map(({ role, part, number, state }) => {
      const entry = found.get(number);
      if (entry === undefined) throw new Bug(`entry ${number.toString()} of a file connection is missing`);
      return {
        id: number.toString(),
        role,
        ...(part !== undefined && { part }),
        state,
        postingDate: entry.postingDate,
        currency: entry.currency,
        lines: entry.lines.map(({ accountCode, amountMinor, taxCode, tax, vendorCode, dimensions }) => ({
          accountCode,
          amountMinor,
          taxCode,
          ...(tax && { tax }),
          vendorCode,
          dimensions,
        })),
      };
    }),
  };
}

export function listedGroup(key: string, revision: StoredRevision): ListedGroup {
  const postingDate = parseLocalDate(revision.days[0] ?? '');
  const currency = parseCurrency(revision.currency);
  if (postingDate === undefined || currency === undefined)
    throw new Bug('a file connection has stored no day or currency');
  return {
    key,
    revision: revision.revision,
    standing: isStanding(revision),
    accountingEntryId: key,
    installationId: revision.installationId,
    postingDate,
    amountMinor: BigInt(revision.amountMinor),
    currency,
  };
}
