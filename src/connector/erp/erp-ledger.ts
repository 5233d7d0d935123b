// The port a real ERP is plugged into: the smallest set of calls the use cases need. Outcomes are values; only a Bug throws.
import type { CurrencyCode } from '../../kernel/currency.js';
import type { ErpCompanyId, InstallationId, ExportJobId } from '../../kernel/ids.js';
import type { LocalDate } from '../../kernel/local-date.js';
import type { BookkeepingData, ErpVendor, ExchangeRate } from '../bookkeeping/bookkeeping-context.js';
import type { ItemVendor } from '../bookkeeping/export-item.js';
import type { EntryRole, PlannedEntry } from '../bookkeeping/item-plan.js';

/** What the ERP offers against double posting (spec: reliability §b3). */
export type CapabilityLevel = 'E0' | 'E1' | 'E2' | 'E3';

export interface ErpCompany {
  readonly id: ErpCompanyId;
  readonly name: string;
  readonly registrationNumber: string | undefined;
}

/** Everything of the ERP that decides how an item is booked, but the rates. */
export type ErpBooks = Pick<
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
  /** The accounting entry's id; with the ERP company it is the key that is never posted twice (bookkeeping §7). */
  readonly key: string;
  /** SHA-256 in hex of the item's accounting content. */
  readonly contentDigest: string;
  readonly entries: readonly PlannedEntry[];
  readonly trail: PostingTrail;
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
  readonly contentDigest: string;
  readonly entries: readonly PostedEntry[];
}

export type PostOutcome =
  | { readonly outcome: 'created' | 'existed'; readonly posted: PostedGroup }
  /** Surely not posted, and not going to be: the ERP says what is wrong. */
  | { readonly outcome: 'refused'; readonly message: string }
  /** The key is taken by other content. */
  | { readonly outcome: 'conflict'; readonly existing: PostedGroup }
  /** The effect may exist: look it up by key before anything else. */
  | { readonly outcome: 'unknown'; readonly failure: ErpFailure }
  /** Surely no effect; another attempt may succeed. */
  | { readonly outcome: 'not-sent'; readonly failure: ErpFailure };

export type CreateVendorOutcome =
  | { readonly outcome: 'created' | 'existed'; readonly vendor: ErpVendor }
  | { readonly outcome: 'refused'; readonly message: string }
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

export abstract class ErpLedger {
  abstract readonly level: CapabilityLevel;

  /** @throws ErpUnavailable */
  abstract listCompanies(): Promise<readonly ErpCompany[]>;

  /**
   * @returns undefined when the ERP knows no such company
   * @throws ErpUnavailable
   */
  abstract loadBooks(company: ErpCompanyId): Promise<ErpBooks | undefined>;

  /** @throws ErpUnavailable */
  abstract findRates(company: ErpCompanyId, request: RateRequest): Promise<readonly ExchangeRate[]>;

  /** @param key stable over repetitions: the same key never creates a second vendor */
  abstract createVendor(company: ErpCompanyId, vendor: ItemVendor, key: string): Promise<CreateVendorOutcome>;

  /** @returns one outcome per group, in the same order */
  abstract post(company: ErpCompanyId, groups: readonly PostingGroup[]): Promise<readonly PostOutcome[]>;

  /**
   * What is posted under these keys.
   * @throws ErpUnavailable
   */
  abstract findPosted(
    company: ErpCompanyId,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, PostedGroup>>;
}
