// The port for ERP adapters: the smallest set of calls that the use cases need. Outcomes are values; reads throw ErpUnavailable.
import type { Readable } from 'node:stream';
import type { CurrencyCode } from '../../kernel/currency.js';
import type { ErpCompanyId, InstallationId, ExportJobId } from '../../kernel/ids.js';
import type { LocalDate } from '../../kernel/local-date.js';
import type { BookkeepingData, ErpVendor, ExchangeRate } from '../bookkeeping/item/bookkeeping-context.js';
import type { ItemVendor } from '../bookkeeping/item/export-item.js';
import type { EntryRole, PlannedEntry } from '../bookkeeping/item/posting-plan.js';
import type { PostingGuarantee } from './domain/posting-guarantee.js';
import type { AccountBalance, InspectedGroup, ListedGroups } from './erp-books.js';
import type { CallScope, ErpCall } from './erp-call.js';

export type { PostingGuarantee };

export interface ErpCompany {
  readonly id: ErpCompanyId;
  readonly name: string;
  readonly registrationNumber: string | undefined;
}

/** The master data of the ERP that decides how an item is booked, without the rates. */
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

/** All journal entries of one accounting entry: created together or not at all. */
export interface PostingGroup {
  /** The accounting entry's id; with the ERP company it is the key that is never posted twice (B7.1). */
  readonly key: string;
  /** From 1; a later one may be posted only when no entry of an older one is in the books, known or lost (C3). */
  readonly revision: number;
  /** SHA-256 in hex of the item's accounting content. */
  readonly contentDigest: string;
  readonly entries: readonly PlannedEntry[];
  /** Stored before; at most 100. They are not part of the content: another document under the same key is no conflict. */
  readonly documents: readonly DocumentReference[];
  readonly trail: PostingTrail;
}

/** A document that the ERP has stored, to be attached to its entry. */
export interface DocumentReference {
  readonly documentId: string;
  /** As shown to people, with its extension. */
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
  /** Parts of a divided entry have the same role and follow each other. */
  readonly role: EntryRole;
  readonly id: string;
  /** As shown to bookkeepers; drafts may have none yet. */
  readonly number: string | undefined;
  readonly url: string;
  /** Of a reversed entry, where the ERP shows what reversed it. */
  readonly reversedBy?: { readonly id: string; readonly number: string | undefined; readonly on: LocalDate };
}

export interface PostedGroup {
  readonly key: string;
  readonly revision: number;
  readonly contentDigest: string;
  /** Every entry is reversed or discarded: none is in the balances. */
  readonly reversed: boolean;
  readonly entries: readonly PostedEntry[];
  /** Warnings for a bookkeeper about the posted group: a possible duplicate, a payment left open. */
  readonly warnings: readonly string[];
}

/** The content of an existing or requested entry, as far as two contents of one key are compared. */
export interface EntryContent {
  readonly role: EntryRole;
  readonly postingDate: LocalDate;
  readonly currency: CurrencyCode;
  /** Account code and signed minor units, debit positive. */
  readonly lines: readonly { readonly accountCode: string; readonly amountMinor: bigint }[];
}

export type PostOutcome =
  | { readonly outcome: 'created' | 'existed'; readonly posted: PostedGroup }
  /** Certainly not posted, and a repetition would be refused too; the ERP's message is the reason. */
  | { readonly outcome: 'refused'; readonly message: string }
  /** The key is taken by other content, shown as far as the ERP can. */
  | {
      readonly outcome: 'conflict';
      readonly existing: PostedGroup;
      readonly existingContent: readonly EntryContent[];
    }
  /** The effect may exist, or exists and cannot be shown yet; the guarantee decides what may follow. */
  | { readonly outcome: 'unknown'; readonly failure: ErpFailure }
  /** Certainly no effect; another attempt may succeed. */
  | { readonly outcome: 'not-sent'; readonly failure: ErpFailure };

/** The ERP has taken a group and says later what happened to it (`outcomeLater`): it is queried by the handle. */
export interface AcceptedOutcome {
  readonly outcome: 'accepted';
  /** At most 500 characters; kept with our record of the post, so that another process can ask. */
  readonly handle: string;
}

/** A group that was accepted. */
export interface AcceptedGroup extends Pick<PostingGroup, 'key' | 'revision' | 'contentDigest'> {
  readonly handle: string;
}

export type ReverseOutcome =
  /** Now or earlier: no entry of the key is in the balances. */
  | { readonly outcome: 'reversed' }
  | { readonly outcome: 'absent' }
  /** Nothing was changed; the ERP's message is the reason. */
  | { readonly outcome: 'refused'; readonly message: string }
  /** Repeating is safe: a second reversal of the same entries has no effect. */
  | { readonly outcome: 'unavailable'; readonly failure: ErpFailure };

export type SettleOutcome =
  /** Now or earlier: no settlement intent of the key's entries is open with an open counterpart. */
  | { readonly outcome: 'settled' }
  /** The counterpart does not exist, or the entries have no settlement intent. */
  | { readonly outcome: 'nothing-to-settle' }
  /** Both items stay open; the ERP's message is the reason. */
  | { readonly outcome: 'refused'; readonly message: string }
  /** Repeating is safe: a settlement is made once. */
  | { readonly outcome: 'unavailable'; readonly failure: ErpFailure };

export type CreateVendorOutcome =
  | { readonly outcome: 'created' | 'existed'; readonly vendor: ErpVendor }
  | { readonly outcome: 'refused'; readonly message: string }
  | { readonly outcome: 'unavailable'; readonly failure: ErpFailure };

/** A receipt to be stored in the ERP. */
export interface ErpDocument {
  readonly name: string;
  /** In lower case, without parameters. */
  readonly mediaType: string;
  /** As the sender announced it, possibly wrong; undefined when it did not. */
  readonly sizeBytes: number | undefined;
  /** Read once, at the pace of the ERP. */
  readonly content: Readable;
}

export type StoreDocumentOutcome =
  | { readonly outcome: 'stored'; readonly documentId: string }
  /** A repetition would be refused too; the ERP's message is the reason. */
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

/** A read of the ERP failed; reads have no effect. */
export class ErpUnavailable extends Error {
  constructor(readonly failure: ErpFailure) {
    super(failure.message);
    this.name = 'ErpUnavailable';
  }

  /** Milliseconds the ERP asks to wait, from `Retry-After`. */
  get retryAfterMs(): number | undefined {
    return this.failure.retryAfterMs;
  }
}

/** The ERP has answered with more than is read at once: fewer keys get a shorter answer. */
export class ErpResponseTooLong extends ErpUnavailable {
  constructor(message: string) {
    super({ kind: 'server-error', message });
    this.name = 'ErpResponseTooLong';
  }
}

/** The ERP cannot be searched by key, now or later (level `none`): what was posted cannot be verified. */
export class ErpNotSearchable extends ErpUnavailable {
  constructor(message: string) {
    super({ kind: 'server-error', message });
    this.name = 'ErpNotSearchable';
  }
}

/** Days for which an ERP keeps an unattached document. */
export const UNATTACHED_DOCUMENT_DAYS = 14;

export abstract class ErpLedger {
  /** @throws ErpUnavailable */
  abstract listCompanies(scope: CallScope): Promise<readonly ErpCompany[]>;

  /**
   * @returns undefined for an unknown company
   * @throws ErpUnavailable
   */
  abstract loadMasterData(call: ErpCall): Promise<ErpMasterData | undefined>;

  /**
   * Only where changes since a time are declared: the same as `loadMasterData`, from what is known and what has changed.
   * @param since when what is known was read, by the connector's clock; UTC. The ERP's clock may be another one
   * @throws ErpUnavailable
   */
  updateMasterData?(call: ErpCall, known: ErpMasterData, since: Date): Promise<ErpMasterData | undefined>;

  /** Only where rates are declared. @throws ErpUnavailable */
  findRates?(call: ErpCall, request: RateRequest): Promise<readonly ExchangeRate[]>;

  /**
   * Only where the creation of vendors is declared.
   * @param key the same for every repetition: a key never creates a second vendor
   */
  createVendor?(call: ErpCall, vendor: ItemVendor, key: string): Promise<CreateVendorOutcome>;

  /**
   * Only where documents are declared. Stores a document before its entry is posted. The same bytes are one document, however often they are sent. An
   * unattached document is kept for `UNATTACHED_DOCUMENT_DAYS`.
   * @throws the error of `content` when it fails; then nothing is stored
   */
  storeDocument?(call: ErpCall, document: ErpDocument): Promise<StoreDocumentOutcome>;

  /**
   * Posts each group whole or not at all, independently of the others. In the same transaction its documents are attached to
   * its entry, invoice or credit note (else to its only entry), each once; also when the group exists already. A group with
   * an unknown document is refused.
   * @returns one outcome per group, in the same order
   */
  abstract post(call: ErpCall, groups: readonly PostingGroup[]): Promise<readonly (PostOutcome | AcceptedOutcome)[]>;

  /**
   * Only where `outcomeLater` is declared: what happened to accepted groups. `accepted` while the ERP has not said; `unknown` when
   * it no longer knows the handle.
   * @returns one outcome per group, in the same order
   * @throws ErpUnavailable
   */
  outcomesOf?(call: ErpCall, accepted: readonly AcceptedGroup[]): Promise<readonly (PostOutcome | AcceptedOutcome)[]>;

  /**
   * Takes all entries under these keys out of the balances: posted entries by reversal entries, drafts by discarding them.
   * Refused at `none`, where entries cannot be found by key.
   * @returns one outcome per key, in the same order
   */
  abstract reverse(call: ErpCall, keys: readonly string[]): Promise<readonly ReverseOutcome[]>;

  /**
   * Only where settlement is declared. Carries out the settlement intents of entries under these keys that could not be carried out when they were posted: an
   * account was missing, no period was open. An ERP that settles automatically returns `settled`. Refused at `none`.
   * @param realizedFx code of the account for a difference in base, for entries that name no active one
   * @returns one outcome per key, in the same order
   */
  settle?(call: ErpCall, keys: readonly string[], realizedFx?: string): Promise<readonly SettleOutcome[]>;

  /**
   * The newest revision under each of these keys. A key that is missing from the result is certainly not posted; at
   * `searchable-reference` only after the search lag.
   * @throws ErpUnavailable, and ErpNotSearchable at `none`
   */
  abstract findPosted(call: ErpCall, keys: readonly string[]): Promise<ReadonlyMap<string, PostedGroup>>;

  /**
   * Every revision under these keys with its lines, oldest first. A missing key means the same as in `findPosted`.
   * @throws ErpUnavailable, and ErpNotSearchable at `none`
   */
  abstract inspect(call: ErpCall, keys: readonly string[]): Promise<ReadonlyMap<string, readonly InspectedGroup[]>>;

  /**
   * One page of the groups with an entry of these days, both included, by any client, in an order that does not change
   * between pages.
   * @param after `next` of the page before
   * @throws ErpUnavailable, and ErpNotSearchable at `none`
   */
  abstract listGroups(
    call: ErpCall,
    days: { readonly from: LocalDate; readonly to: LocalDate },
    after: string | undefined,
  ): Promise<ListedGroups>;

  /**
   * Only where balances are declared. Every account with an opening balance or a posting until the last day, by posting date; days
   * are included.
   * @throws ErpUnavailable
   */
  accountBalances?(
    call: ErpCall,
    days: { readonly from: LocalDate; readonly to: LocalDate },
  ): Promise<readonly AccountBalance[]>;
}
