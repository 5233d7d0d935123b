// What every plan is made of. A plan is the difference between the two sides and nothing else: made again after it was
// carried out, it is empty (invariant I29).
import { cutText } from '../../../kernel/text.js';

/** Parts of the reference data that are brought in step by a run of their own, in the order they build upon each other. */
export const SYNC_KINDS = ['tax-codes', 'accounts', 'tags', 'vendors', 'vendor-drafts'] as const;

/** What is compared as a whole, in the order in which the kinds build on each other. */
export const ALL_SYNC_KINDS: readonly SyncKind[] = ['tax-codes', 'accounts', 'tags', 'vendors'];
export type SyncKind = (typeof SYNC_KINDS)[number];

export const SYNC_SUBJECTS = ['tax-code', 'account', 'tag-group', 'tag', 'vendor'] as const;
export type SyncSubject = (typeof SYNC_SUBJECTS)[number];

/** `create-in-erp` is the only one whose first effect is not on the platform. */
export const SYNC_ACTIONS = ['create', 'update', 'archive', 'unarchive', 'activate', 'create-in-erp'] as const;
export type SyncAction = (typeof SYNC_ACTIONS)[number];

/** One change as a person reads it. */
export interface PlannedChange {
  readonly subject: SyncSubject;
  readonly action: SyncAction;
  /** The ERP's key of the record (of a tag with its dimension before it), or the platform's id where the ERP has none. */
  readonly key: string;
  readonly name: string;
}

/** Something that stays different, and what a person can do about it. */
export interface SyncProblem {
  readonly subject: SyncSubject;
  readonly key: string;
  readonly name: string;
  readonly detail: string;
}

export interface SyncPlan<Step extends PlannedChange> {
  /** In the order they are to be carried out. */
  readonly steps: readonly Step[];
  readonly problems: readonly SyncProblem[];
}

/** Longest name, code and id of the platform in UTF-16 units (P4). */
export const MAX_TEXT_LENGTH = 255;

/** @returns the name as the platform accepts it: without outer blanks, cut, and never empty */
export function platformName(name: string, otherwise: string): string {
  const trimmed = name.trim();
  return cutText(trimmed === '' ? otherwise : trimmed, MAX_TEXT_LENGTH);
}

/** @returns why the platform does not accept this text as a key; undefined when it does */
export function keyProblem(key: string): string | undefined {
  if (key.trim() === '') {
    return 'It has no key in the accounting system, so it cannot be found again: give it one there.';
  }
  return key.length > MAX_TEXT_LENGTH
    ? `Its key in the accounting system is longer than the ${MAX_TEXT_LENGTH.toString()} characters the platform takes.`
    : undefined;
}

/** Order of texts that is the same on every machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
