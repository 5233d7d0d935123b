// The port a real ERP is plugged into: the smallest set of calls the use cases need. Outcomes are values; only a Bug throws.
import type { Readable } from 'node:stream';
import type { CurrencyCode } from '../../kernel/currency.js';
import type { ErpCompanyId, InstallationId, ExportJobId } from '../../kernel/ids.js';
import type { LocalDate } from '../../kernel/local-date.js';
import type { BookkeepingData, ErpVendor, ExchangeRate } from '../bookkeeping/item/bookkeeping-context.js';
import type { ItemVendor } from '../bookkeeping/item/export-item.js';
import type { EntryRole, PlannedEntry } from '../bookkeeping/item/posting-plan.js';

/**
 * What the ERP offers against double posting, and so what may follow a post whose outcome is unknown
 * (docs/rules/capability-levels.md). Times are milliseconds.
 */
export type ErpCapability =
  /** A key has one effect for ever: send it again. */
  | { readonly level: 'permanent-key' }
  /**
   * A key has one effect for `keyLifeMs` after it was first sent, from which the time that a request may be under way is
   * taken off already: send it again until then; later look it up first.
   */
  | { readonly level: 'expiring-key'; readonly keyLifeMs: number }
  /**
   * A key is taken once and can be searched, but the search may miss what is younger than `searchLagMs`: look it up
   * until that has passed, then send it again. What is taken and not found yet is `unknown`, never `refused`.
   */
  | { readonly level: 'searchable-reference'; readonly searchLagMs: number }
  /** Nothing, not even a search by key: unknown stays unknown until a person has looked, and is never sent again. */
  | { readonly level: 'none' };

export interface ErpCompany {
  readonly id: ErpCompanyId;
  readonly name: string;
  readonly registrationNumber: string | undefined;
}

/** Everything of the ERP that decides how an item is booked, but the rates. */
export type ErpMasterData = Pick<
  BookkeepingData,
  | 'functionalCurrency'
  | 'timeZone'
  | 'descriptionLimit'
  | 'accounts'
  | 'taxCodes'
  | 'dimensions'
  | 'vendors'
  | 'periods'
>;

export interface RateRequest {
  readonly currencies: readonly CurrencyCode[];
  /** Both days included. */
  readonly from: LocalDate;
  readonly to: LocalDate;
}

/** All entries of one accounting entry: they come into being together or not at all. */
export interface PostingGroup {
  /** The accounting entry's id; with the ERP company it is the key that is never posted twice (B7.1). */
  readonly key: string;
  /** From 1; a later one may be posted only while nothing of an older one stands, known or lost (C3). */
  readonly revision: number;
  /** SHA-256 in hex of the item's accounting content. */
  readonly contentDigest: string;
  readonly entries: readonly PlannedEntry[];
  /** Stored before; at most 100. They are no part of the content: another document under the same key is no conflict. */
  readonly documents: readonly DocumentReference[];
  readonly trail: PostingTrail;
}

/** A document that the ERP has stored, to be put behind the entry it belongs to. */
export interface DocumentReference {
  readonly documentId: string;
  /** As a person sees it; with its extension. */
  readonly fileName: string;
}

/** Kept with the entries, so that the books lead back to the export. */
export interface PostingTrail {
  readonly installationId: InstallationId;
  readonly exportJobId: ExportJobId;
  readonly mappingVersion: number;
  readonly fence: bigint;
}

export interface PostedEntry {
  readonly role: EntryRole;
  readonly id: string;
  /** As a bookkeeper knows it; drafts may have none yet. */
  readonly number: string | undefined;
  readonly url: string;
}

export interface PostedGroup {
  readonly key: string;
  readonly revision: number;
  readonly contentDigest: string;
  /** Every entry of it is reversed, or a draft that was discarded: nothing of it is in the balances. */
  readonly reversed: boolean;
  readonly entries: readonly PostedEntry[];
  /** What a bookkeeper should look at though it was posted: a possible duplicate, a payment left open. */
  readonly warnings: readonly string[];
}

/** What stands in the books or was meant to, as far as two contents of one key are compared. */
export interface EntryContent {
  readonly role: EntryRole;
  readonly postingDate: LocalDate;
  readonly currency: CurrencyCode;
  /** Account code and signed minor units, debit positive. */
  readonly lines: readonly { readonly accountCode: string; readonly amountMinor: bigint }[];
}

export type PostOutcome =
  | { readonly outcome: 'created' | 'existed'; readonly posted: PostedGroup }
  /** Surely not posted, and not going to be: the ERP says what is wrong. */
  | { readonly outcome: 'refused'; readonly message: string }
  /** The key is taken by other content, of which the ERP tells what it can. */
  | {
      readonly outcome: 'conflict';
      readonly existing: PostedGroup;
      readonly existingContent: readonly EntryContent[];
    }
  /** The effect may exist, or surely does and cannot be shown yet: what may follow is the capability's to say. */
  | { readonly outcome: 'unknown'; readonly failure: ErpFailure }
  /** Surely no effect; another attempt may succeed. */
  | { readonly outcome: 'not-sent'; readonly failure: ErpFailure };

/** A journal entry as the books show it now; reversal entries are told by the state of what they reverse. */
export interface InspectedEntry extends Pick<PlannedEntry, 'role' | 'postingDate' | 'currency'> {
  readonly id: string;
  readonly state: 'draft' | 'posted' | 'reversed' | 'discarded';
  readonly lines: readonly InspectedLine[];
  /**
   * It was posted to settle something that stands beside it, and both are open. Undefined for an entry that was to settle
   * nothing, and where the ERP cannot say.
   */
  readonly settlementOpen?: boolean | undefined;
}

export interface InspectedLine {
  readonly accountCode: string;
  /** Minor units of the entry's currency, debit positive. */
  readonly amountMinor: bigint;
  readonly taxCode: string | undefined;
  readonly vendorCode: string | undefined;
  /** Dimension code → value code. */
  readonly dimensions: Readonly<Record<string, string>>;
}

export interface InspectedGroup {
  readonly key: string;
  readonly revision: number;
  readonly contentDigest: string;
  readonly entries: readonly InspectedEntry[];
}

/** A group of some period, with what it says of where it comes from; undefined where it says nothing. */
export interface ListedGroup {
  readonly key: string;
  readonly revision: number;
  /** Something of it is a draft or in the balances. */
  readonly standing: boolean;
  readonly accountingEntryId: string | undefined;
  readonly installationId: string | undefined;
  /** The earliest of its entries. */
  readonly postingDate: LocalDate;
  /** Sum of its debits, in minor units of `currency`. */
  readonly amountMinor: bigint;
  readonly currency: CurrencyCode;
}

export interface ListedGroups {
  readonly groups: readonly ListedGroup[];
  /** Where the next page starts; undefined after the last one. */
  readonly next: string | undefined;
}

export type ReverseOutcome =
  /** Now or before: nothing of the key is in the balances any more. */
  | { readonly outcome: 'reversed' }
  | { readonly outcome: 'absent' }
  /** It stands as it was, and the ERP says why. */
  | { readonly outcome: 'refused'; readonly message: string }
  /** Repeating is safe: a second reversal of the same entries does nothing. */
  | { readonly outcome: 'unavailable'; readonly failure: ErpFailure };

export type SettleOutcome =
  /** Now or before: nothing that the key's entries were to settle stands open beside them. */
  | { readonly outcome: 'settled' }
  /** The other side is not there, or they were to settle nothing. */
  | { readonly outcome: 'nothing-to-settle' }
  /** Both sides stay open, and the ERP says why. */
  | { readonly outcome: 'refused'; readonly message: string }
  /** Repeating is safe: what is settled is not settled again. */
  | { readonly outcome: 'unavailable'; readonly failure: ErpFailure };

export type CreateVendorOutcome =
  | { readonly outcome: 'created' | 'existed'; readonly vendor: ErpVendor }
  | { readonly outcome: 'refused'; readonly message: string }
  | { readonly outcome: 'unavailable'; readonly failure: ErpFailure };

/** A receipt on its way into the ERP. */
export interface ErpDocument {
  readonly name: string;
  /** In lower case, without parameters. */
  readonly mediaType: string;
  /** As the sender announced it, which need not be true; undefined when nobody knows. */
  readonly sizeBytes: number | undefined;
  /** Read once, at the pace of the ERP. */
  readonly content: Readable;
}

export type StoreDocumentOutcome =
  | { readonly outcome: 'stored'; readonly documentId: string }
  /** The same document will not be taken later either: the ERP says what is wrong. */
  | { readonly outcome: 'refused'; readonly message: string }
  | { readonly outcome: 'unsupported-type' }
  | { readonly outcome: 'too-large'; readonly limitBytes: number }
  /** Repeating is safe: the same bytes are one document. */
  | { readonly outcome: 'unavailable'; readonly failure: ErpFailure };

/** Why the ERP could not be used. */
export interface ErpFailure {
  readonly kind: 'unreachable' | 'timeout' | 'rate-limit' | 'authentication' | 'server-error';
  readonly message: string;
  readonly retryAfterMs?: number;
}

/** The ERP did not answer a question; nothing was changed by asking. */
export class ErpUnavailable extends Error {
  constructor(readonly failure: ErpFailure) {
    super(failure.message);
    this.name = 'ErpUnavailable';
  }
}

/** The ERP cannot be searched by key, now or later (level `none`): nothing is known of what was posted. */
export class ErpNotSearchable extends ErpUnavailable {
  constructor(message: string) {
    super({ kind: 'server-error', message });
    this.name = 'ErpNotSearchable';
  }
}

/** Days for which an ERP keeps a document that no entry has. */
export const UNATTACHED_DOCUMENT_DAYS = 14;

export abstract class ErpLedger {
  abstract readonly capability: ErpCapability;

  /** @throws ErpUnavailable */
  abstract listCompanies(): Promise<readonly ErpCompany[]>;

  /**
   * @returns undefined when the ERP knows no such company
   * @throws ErpUnavailable
   */
  abstract loadMasterData(company: ErpCompanyId): Promise<ErpMasterData | undefined>;

  /** @throws ErpUnavailable */
  abstract findRates(company: ErpCompanyId, request: RateRequest): Promise<readonly ExchangeRate[]>;

  /** @param key stable over repetitions: the same key never creates a second vendor */
  abstract createVendor(company: ErpCompanyId, vendor: ItemVendor, key: string): Promise<CreateVendorOutcome>;

  /**
   * Takes a document before the entry that it belongs to is posted. The same bytes are one document, however often they
   * come; one that is behind no entry has to be kept for `UNATTACHED_DOCUMENT_DAYS`.
   * @throws the error of `content` when it fails: then nothing is stored
   */
  abstract storeDocument(company: ErpCompanyId, document: ErpDocument): Promise<StoreDocumentOutcome>;

  /**
   * Posts each group whole or not at all, and none because of another. Its documents are put behind the entry of the
   * document (entry, invoice or credit note; of a group without one its only entry) in the same transaction, or where the group exists already; one that is there is
   * not put there twice. A document that the ERP does not know makes it refuse the group.
   * @returns one outcome per group, in the same order
   */
  abstract post(company: ErpCompanyId, groups: readonly PostingGroup[]): Promise<readonly PostOutcome[]>;

  /**
   * Takes everything that stands under these keys out of the balances: posted entries by reversal entries, drafts by
   * discarding them. At `none` it is refused: what stands under a key cannot be told.
   * @returns one outcome per key, in the same order
   */
  abstract reverse(company: ErpCompanyId, keys: readonly string[]): Promise<readonly ReverseOutcome[]>;

  /**
   * Settles what entries under these keys were posted to settle and could not at the time: an account was missing, no period
   * was open. An ERP that settles by itself as soon as it can answers `settled`. At `none` it is refused.
   * @param realizedFx code of the account for a difference in base, where an entry names none that is active
   * @returns one outcome per key, in the same order
   */
  abstract settle(
    company: ErpCompanyId,
    keys: readonly string[],
    realizedFx?: string,
  ): Promise<readonly SettleOutcome[]>;

  /**
   * What is posted under these keys, the newest revision of each. A key that is missing from the answer is surely not
   * there; at `searchable-reference` only as far as the search lag allows.
   * @throws ErpUnavailable, and ErpNotSearchable at `none`
   */
  abstract findPosted(
    company: ErpCompanyId,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, PostedGroup>>;

  /**
   * Everything that stands or stood under these keys, line by line: every revision, oldest first. What is missing from the
   * answer is not there, with the reservation of `findPosted`.
   * @throws ErpUnavailable, and ErpNotSearchable at `none`
   */
  abstract inspect(
    company: ErpCompanyId,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, readonly InspectedGroup[]>>;

  /**
   * One page of the groups with an entry of these days, both included, whoever posted them, in an order that does not
   * change while pages are read.
   * @param after `next` of the page before
   * @throws ErpUnavailable, and ErpNotSearchable at `none`
   */
  abstract listGroups(
    company: ErpCompanyId,
    days: { readonly from: LocalDate; readonly to: LocalDate },
    after: string | undefined,
  ): Promise<ListedGroups>;
}
