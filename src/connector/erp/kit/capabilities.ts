// What an ERP can do, operation by operation, as its adapter declares it. What is not declared is never called
// (docs/erp-adapters.md). Times are milliseconds.
import type { PostingGuarantee } from '../erp-ledger.js';

export interface ErpCapabilities {
  /** Whether a second post under one key has no effect: for ever, for a time after the first one, or not at all. */
  readonly uniqueKey:
    | { readonly kind: 'forever' }
    | { readonly kind: 'for-a-time'; readonly keyLifeMs: number }
    | { readonly kind: 'none' };
  /** Whether entries are found by key, and how long after its effect a search may miss one. */
  readonly search:
    | { readonly kind: 'immediate' }
    | { readonly kind: 'with-lag'; readonly searchLagMs: number }
    | { readonly kind: 'none' };
  /** How long a request may be under way in the ERP after the connection is lost, before it has its effect or never will. */
  readonly requestMayTakeMs: number;
  /**
   * Whether `post` may respond `accepted`, and how long after that the ERP may take until the entry has its effect or never
   * will. Absent: what happened to a post is in its response.
   */
  readonly outcomeLater?: { readonly mayTakeMs: number };
  /** What is posted whole or not at all: the group, each entry alone, or not even that (several requests). */
  readonly atomicity: 'group' | 'entry' | 'steps';
  /** Receipts: stored before the entry, attached after it, or not taken. */
  readonly documents: 'before' | 'after' | 'none';
  /** Tax lines: posted as planned, computed again by the ERP, or unknown to it. */
  readonly tax: 'posted' | 'computed' | 'none';
  /** Whether lines keep and show what a tax return needs: base, full tax, share (B9.8). Absent: they are not sent. */
  readonly taxDetails?: boolean;
  /** Whether a payable needs a vendor from its master data. */
  readonly payablesNeedVendor: boolean;
  /** Whether it settles open items that an entry was posted to settle. */
  readonly settlement: boolean;
  /**
   * Whether items on two payable accounts settle each other, with an entry that moves the amount (B9.3). Absent: both stay
   * open, and the group that was posted to settle says so in its warnings.
   */
  readonly settlementAcrossAccounts?: boolean;
  /** Whether entries can be taken out of the balances through the interface. */
  readonly reversal: boolean;
  /** Whether entries may be posted as drafts that a person completes. */
  readonly drafts: boolean;
  readonly dimensions: boolean;
  /** Whether it has exchange rates; else an administrator uploads them to the connector. */
  readonly rates: boolean;
  readonly vendorCreation: boolean;
  /** How master data is read again for the next job. Absent: each job reads its own. */
  readonly masterData?: {
    /** For how long the lists of a company are reused, at most a day: what was changed meanwhile and is not refused goes unseen. */
    readonly reusableForMs: number;
    /** Whether older ones are brought up to date by asking what has changed since. */
    readonly changesSince?: boolean;
  };
  /** Whether entries are given out as files that people take (`batches`). Absent: they are posted over an interface. */
  readonly givesFiles?: boolean;
  /** Whether it reports balances by account, currency and period. Absent: a month end shows our figures alone. */
  readonly balances?: boolean;
  readonly limits: {
    /** Groups in one call of `post`, keys in one call of the others. */
    readonly groupsPerCall: number;
    readonly linesPerEntry: number;
    /** Characters of a line's text. */
    readonly textLength: number;
    /** Requests at the same time, over all processes of the connector. */
    readonly concurrentRequests: number;
    /** Requests in a minute, over all processes of the connector; undefined: no such limit. */
    readonly requestsPerMinute: number | undefined;
    /** Requests that posting one group takes, about; 1 where it is left out. Less than 1 where one request posts several. */
    readonly requestsPerGroup?: number;
  };
}

const MAX_REUSABLE_MS = 24 * 60 * 60 * 1_000;

/** For how long lists of master data are reused by the next job. */
export function reusableForMs({ masterData }: ErpCapabilities): number {
  return Math.min(masterData?.reusableForMs ?? 0, MAX_REUSABLE_MS);
}

/**
 * What may follow a post whose outcome is unknown, from the two axes. A key that is searchable but not unique is the
 * commonest: what a search does not show is certainly absent only when neither its lag nor a request under way can hide it.
 */
export function guaranteeOf(capabilities: ErpCapabilities): PostingGuarantee {
  const { uniqueKey, search, requestMayTakeMs, outcomeLater } = capabilities;
  const underWayMs = requestMayTakeMs + (outcomeLater?.mayTakeMs ?? 0);
  if (uniqueKey.kind === 'forever') {
    return { level: 'permanent-key', underWayMs };
  }
  if (uniqueKey.kind === 'for-a-time' && search.kind === 'immediate') {
    return { level: 'expiring-key', keyLifeMs: Math.max(0, uniqueKey.keyLifeMs - underWayMs), underWayMs };
  }
  if (search.kind === 'none') {
    return { level: 'none' };
  }
  const lagMs = search.kind === 'with-lag' ? search.searchLagMs : 0;
  return { level: 'searchable-reference', searchLagMs: lagMs + underWayMs };
}
