// What leads from a move in Tryton back to the export. A move has no field for a key of others, so that its description,
// which cannot be changed once the move is posted, says it: "<key> <text for people> [r=1&…]". The key stands first
// because a search for how a text begins is the cheapest that can be had without an index.
import { z } from 'zod';
import { parseCurrency, type CurrencyCode } from '../../../kernel/currency.js';
import type { EntryRole, PlannedEntry } from '../../bookkeeping/item/posting-plan.js';
import type { PostingGroup } from '../erp-ledger.js';

export const role = z.enum(['entry', 'invoice', 'payment', 'credit-note', 'receipt'] satisfies EntryRole[]);

export interface MoveMark {
  readonly key: string;
  readonly revision: number;
  readonly contentDigest: string;
  readonly role: EntryRole;
  /** From 1. */
  readonly position: number;
  readonly currency: CurrencyCode;
  readonly installationId: string | undefined;
  /** The move reverses another one, its origin. */
  readonly isReversal: boolean;
}

export function moveDescription(group: PostingGroup, entry: PlannedEntry, position: number): string {
  const { trail } = group;
  const mark = new URLSearchParams({
    r: group.revision.toString(),
    n: position.toString(),
    role: entry.role,
    c: entry.currency,
    d: group.contentDigest,
    i: trail.installationId,
    j: trail.exportJobId,
    m: trail.mappingVersion.toString(),
    f: trail.fence.toString(),
    ref: entry.reference,
    ...(entry.documentNumber !== undefined && { doc: entry.documentNumber }),
    ...(entry.documentDate !== undefined && { date: entry.documentDate }),
  });
  const human = [entry.documentNumber, entry.description].filter(Boolean).join(' ').replaceAll(/\s+/g, ' ');
  return `${keyPrefix(group.key)}${human} [${mark.toString()}]`;
}

/** @param description of the reversed move */
export function reversalDescription(description: string): string {
  return `${description.slice(0, -1)}&x=reversal]`;
}

/** What the description of each move under a key begins with. */
export function keyPrefix(key: string): string {
  return `${encodeURIComponent(key)} `;
}

/** @returns undefined for a move that was not posted through here */
export function parseDescription(description: string): MoveMark | undefined {
  const [, key, params] = /^(\S+) .*\[([^[\]]+)\]$/s.exec(description) ?? [];
  const mark = new URLSearchParams(params);
  const { data: entryRole } = role.safeParse(mark.get('role'));
  const currency = parseCurrency(mark.get('c') ?? '');
  const revision = Number(mark.get('r'));
  if (
    key === undefined ||
    entryRole === undefined ||
    currency === undefined ||
    !Number.isInteger(revision) ||
    revision < 1
  ) {
    return undefined;
  }
  return {
    key: decoded(key),
    revision,
    contentDigest: mark.get('d') ?? '',
    role: entryRole,
    position: Number(mark.get('n')),
    currency,
    installationId: mark.get('i') ?? undefined,
    isReversal: mark.get('x') === 'reversal',
  };
}

function decoded(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
