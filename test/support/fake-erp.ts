import { createHash } from 'node:crypto';
import { companyData } from '../../src/connector/bookkeeping/item/planning.fixtures.js';
import type { ExchangeRate } from '../../src/connector/bookkeeping/item/bookkeeping-context.js';
import type { InspectedGroup, ListedGroups } from '../../src/connector/erp/erp-books.js';
import {
  ErpLedger,
  ErpNotSearchable,
  ErpUnavailable,
  type AcceptedGroup,
  type AcceptedOutcome,
  type CreateVendorOutcome,
  type DocumentReference,
  type EntryContent,
  type ErpMasterData,
  type PostingGuarantee,
  type ErpCompany,
  type ErpDocument,
  type ErpFailure,
  type PostedGroup,
  type PostingGroup,
  type PostOutcome,
  type ReverseOutcome,
  type SettleOutcome,
  type StoreDocumentOutcome,
} from '../../src/connector/erp/erp-ledger.js';
import type { ErpCall } from '../../src/connector/erp/erp-call.js';
import { toErpCompanyId } from '../../src/kernel/ids.js';
import type { LocalDate } from '../../src/kernel/local-date.js';
import { ErpStore, toStoredGroup } from './erp-store.js';

export interface FakeErpCall {
  readonly call: 'post' | 'ask' | 'find' | 'reverse' | 'settle';
  readonly keys: readonly string[];
}

/** What one call to post does with each of its groups. */
export type PostScript = (group: PostingGroup, erp: FakeErp) => PostOutcome | AcceptedOutcome;

export const NO_RESPONSE: ErpFailure = { kind: 'timeout', message: 'no answer in time' };
export const UNREACHABLE: ErpFailure = { kind: 'unreachable', message: 'connection refused' };

/** The effect is there, its answer is not. */
export const postsWithoutResponse: PostScript = (group, erp) => {
  erp.acceptGroup(group);
  return { outcome: 'unknown', failure: NO_RESPONSE };
};
/** Neither effect nor answer. */
export const losesRequest: PostScript = () => ({ outcome: 'unknown', failure: NO_RESPONSE });
export const isNotReached: PostScript = () => ({ outcome: 'not-sent', failure: UNREACHABLE });
export const refuses =
  (message: string): PostScript =>
  () => ({ outcome: 'refused', message });

/** Taken in, and decided later: see `onAsked`. */
export const accepts: PostScript = ({ key }) => ({ outcome: 'accepted', handle: `job-of-${key}` });

/** A document as the ERP has taken it. */
export interface HeldDocument {
  readonly documentId: string;
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: number;
}

/** A group as the books hold it, with what a conflict shows of it. */
interface HeldGroup {
  readonly posted: PostedGroup;
  /** Milliseconds of the ERP's clock. */
  readonly heldAt: number;
  readonly content: readonly EntryContent[];
}

/** An ERP in memory: the company of the worked examples, keyed posting, and a script for what goes wrong. */
export class FakeErp extends ErpLedger {
  /** What it promises, and keeps to the letter: a key that has died lets a second entry pass, and so does one at `none`. */
  guarantee: PostingGuarantee = { level: 'permanent-key' };
  /** Milliseconds, for the life of its keys and the lag of its search. */
  now: () => number = () => 0;
  readonly companyId = toErpCompanyId('erp-company');
  masterData: ErpMasterData | undefined = companyData;
  /** In order; a call beyond the script posts as an ERP in good health. */
  readonly script: PostScript[] = [];
  readonly calls: FakeErpCall[] = [];
  /** Runs as a call to post arrives, before its effect. */
  onPost: (groups: readonly PostingGroup[]) => Promise<void> = () => Promise.resolve();
  /** What it declares of outcomes that it reports later. */
  outcomeLater: { readonly mayTakeMs: number } | undefined;
  /** What it says of a group that it has accepted. */
  onAsked: (accepted: AcceptedGroup) => PostOutcome | AcceptedOutcome = () => {
    throw new Error('nobody has said what becomes of it');
  };
  /** Runs once a call to reverse has had its effect, before its answer. */
  onReversed: (keys: readonly string[]) => Promise<void> = () => Promise.resolve();
  /** Set: every question, post and reversal fails so. */
  failure: ErpFailure | undefined;
  /** Set: look-ups by key fail so. */
  lookUpFailure: ErpFailure | undefined;
  /** Set: the ERP reverses, or settles, nothing, in these words. */
  reversalRefusal: string | undefined;
  settlementRefusal: string | undefined;
  /** What it warns of when it posts, by key. */
  readonly warnings = new Map<string, readonly string[]>();
  /** Every call that stored a document, in order; the same bytes have the same id. */
  readonly stored: HeldDocument[] = [];
  /** Runs as a document arrives, before it is read; what it answers is the outcome. */
  onDocument: (document: ErpDocument) => Promise<StoreDocumentOutcome | undefined> = () => Promise.resolve(undefined);
  /** By key, what is behind the entry, in order. */
  private readonly attached = new Map<string, readonly DocumentReference[]>();
  /** What it shows when it is inspected: as posted, and as changed behind our back. */
  readonly store = new ErpStore();
  /** Every revision by key, oldest first. */
  private readonly held = new Map<string, readonly HeldGroup[]>();

  /** Back to an ERP in good health, which keeps its entries. */
  restore(): void {
    this.masterData = companyData;
    this.script.length = 0;
    this.outcomeLater = undefined;
    this.calls.length = 0;
    this.onPost = () => Promise.resolve();
    this.onReversed = () => Promise.resolve();
    this.failure = undefined;
    this.lookUpFailure = undefined;
    this.reversalRefusal = undefined;
    this.settlementRefusal = undefined;
    this.warnings.clear();
    this.stored.length = 0;
    this.onDocument = () => Promise.resolve(undefined);
  }

  /**
   * Puts an entry into the books, as the next revision of its key.
   * @param content what a conflict shows of it
   */
  seedDocument(
    key: string,
    contentDigest: string,
    content: readonly EntryContent[] = [],
    revision = this.nextRevision(key),
  ): PostedGroup {
    const earlier = this.held.get(key) ?? [];
    const id = revision === 1 ? `journal-${key}` : `journal-${key}-${revision.toString()}`;
    const entries = [{ role: 'entry' as const, id, number: undefined, url: `erp://${key}` }];
    const warnings = this.warnings.get(key) ?? [];
    const posted = { key, revision, contentDigest, reversed: false, entries, warnings };
    this.held.set(key, [...earlier, { posted, content, heldAt: this.now() }]);
    return posted;
  }

  /** Puts a group into the books, whatever they hold: as the revision that it names, or as the next one. */
  acceptGroup(group: PostingGroup): PostedGroup {
    this.attach(group);
    const revision = Math.max(group.revision, this.nextRevision(group.key));
    const posted = this.seedDocument(group.key, group.contentDigest, group.entries.map(contentOf), revision);
    this.store.put(toStoredGroup(group, posted));
    return posted;
  }

  /** Puts the group's documents behind its entry; what is there is not put there twice. */
  attach({ key, documents }: PostingGroup): void {
    const present = this.documentsOf(key);
    const isNew = ({ documentId }: DocumentReference) =>
      present.every((document) => document.documentId !== documentId);
    this.attached.set(key, [...present, ...documents.filter(isNew)]);
  }

  documentsOf(key: string): readonly DocumentReference[] {
    return this.attached.get(key) ?? [];
  }

  /** What a person does in the ERP: everything under the key is reversed. */
  reverseByHand(key: string): void {
    const groups = this.held.get(key) ?? [];
    this.store.change(key, (entry) => ({ ...entry, state: 'reversed' }));
    this.held.set(
      key,
      groups.map(({ posted, ...rest }) => ({ posted: reversedByHand(posted), ...rest })),
    );
  }

  /**
   * As if nothing had ever been posted under the key.
   * @param from the oldest revision that is lost
   * @returns puts it back, as an ERP that was restored does
   */
  forget(key: string, from = 1): () => void {
    const held = this.held.get(key) ?? [];
    const putBack = this.store.remove(key, from);
    this.held.set(
      key,
      held.filter(({ posted }) => posted.revision < from),
    );
    return () => {
      const lost = held.filter(({ posted }) => posted.revision >= from);
      this.held.set(key, [...(this.held.get(key) ?? []), ...lost].toSorted(byRevision));
      putBack();
    };
  }

  /** Keys of the calls to post, call by call. */
  get posts(): readonly (readonly string[])[] {
    return this.keysOf('post');
  }

  /** Keys of the calls to reverse, call by call. */
  get reversals(): readonly (readonly string[])[] {
    return this.keysOf('reverse');
  }

  override listCompanies(): Promise<readonly ErpCompany[]> {
    return Promise.resolve([{ id: this.companyId, name: 'Example', registrationNumber: undefined }]);
  }

  override async loadMasterData(): Promise<ErpMasterData | undefined> {
    await this.respond(this.failure);
    return this.masterData;
  }

  override async findRates(): Promise<readonly ExchangeRate[]> {
    await this.respond(this.failure);
    return companyData.rates;
  }

  /** What it does with a vendor that is to be created. */
  onVendor: NonNullable<ErpLedger['createVendor']> = () =>
    Promise.resolve({ outcome: 'refused', message: 'this ERP takes no vendors' });

  override createVendor(...asked: Parameters<FakeErp['onVendor']>): Promise<CreateVendorOutcome> {
    return this.onVendor(...asked);
  }

  override async storeDocument(_call: ErpCall, document: ErpDocument): Promise<StoreDocumentOutcome> {
    const { failure } = this;
    const outcome =
      failure === undefined ? await this.onDocument(document) : { outcome: 'unavailable' as const, failure };
    if (outcome !== undefined) {
      return outcome;
    }
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of document.content) {
      hash.update(chunk as Buffer);
      bytes += (chunk as Buffer).length;
    }
    const documentId = hash.digest('hex');
    this.stored.push({ documentId, name: document.name, mediaType: document.mediaType, bytes });
    return { outcome: 'stored', documentId };
  }

  override async outcomesOf(
    _call: ErpCall,
    accepted: readonly AcceptedGroup[],
  ): Promise<readonly (PostOutcome | AcceptedOutcome)[]> {
    this.calls.push({ call: 'ask', keys: accepted.map(({ key }) => key) });
    await this.respond(this.failure);
    return accepted.map((each) => this.onAsked(each));
  }

  override async post(
    _call: ErpCall,
    groups: readonly PostingGroup[],
  ): Promise<readonly (PostOutcome | AcceptedOutcome)[]> {
    this.calls.push({ call: 'post', keys: groups.map(({ key }) => key) });
    await this.onPost(groups);
    const { failure } = this;
    if (failure !== undefined) {
      return groups.map(() => ({ outcome: 'not-sent', failure }));
    }
    const step = this.script.shift() ?? settle;
    return groups.map((group) => step(group, this));
  }

  override async reverse(_call: ErpCall, keys: readonly string[]): Promise<readonly ReverseOutcome[]> {
    this.calls.push({ call: 'reverse', keys });
    const { failure, reversalRefusal } = this;
    if (failure !== undefined) {
      return keys.map(() => ({ outcome: 'unavailable', failure }));
    }
    if (this.guarantee.level === 'none') {
      return keys.map(() => ({ outcome: 'refused', message: 'this ERP reverses nothing by key' }));
    }
    if (reversalRefusal !== undefined) {
      return keys.map(() => ({ outcome: 'refused', message: reversalRefusal }));
    }
    const outcomes = keys.map((key): ReverseOutcome => {
      this.reverseByHand(key);
      return this.find(key) !== undefined ? { outcome: 'reversed' } : { outcome: 'absent' };
    });
    await this.onReversed(keys);
    return outcomes;
  }

  override async settle(_call: ErpCall, keys: readonly string[]): Promise<readonly SettleOutcome[]> {
    this.calls.push({ call: 'settle', keys });
    await Promise.resolve();
    const { failure, settlementRefusal } = this;
    if (failure !== undefined) {
      return keys.map(() => ({ outcome: 'unavailable', failure }));
    }
    if (settlementRefusal !== undefined) {
      return keys.map(() => ({ outcome: 'refused', message: settlementRefusal }));
    }
    for (const key of keys) {
      this.store.change(key, (entry) => ({ ...entry, settlementOpen: false }));
    }
    return keys.map(() => ({ outcome: 'settled' }));
  }

  override async findPosted(_call: ErpCall, keys: readonly string[]): Promise<ReadonlyMap<string, PostedGroup>> {
    this.calls.push({ call: 'find', keys });
    if (this.guarantee.level === 'none') {
      throw new ErpNotSearchable('this ERP cannot be searched');
    }
    await this.respond(this.failure ?? this.lookUpFailure);
    return new Map(
      keys.flatMap((key) => {
        const found = this.shown(key);
        return found === undefined ? [] : [[key, found] as const];
      }),
    );
  }

  override async inspect(
    _call: ErpCall,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, readonly InspectedGroup[]>> {
    await this.respond(this.failure ?? this.lookUpFailure);
    if (this.guarantee.level === 'none') {
      throw new ErpNotSearchable('this ERP cannot be searched');
    }
    return this.store.inspect(keys);
  }

  override async listGroups(
    _call: ErpCall,
    days: { readonly from: LocalDate; readonly to: LocalDate },
    after: string | undefined,
  ): Promise<ListedGroups> {
    await this.respond(this.failure);
    return this.store.list(days, after, 1_000);
  }

  override accountBalances(_call: ErpCall, days: { from: LocalDate; to: LocalDate }) {
    return this.respond(this.failure).then(() => this.store.balances(days));
  }

  /** What stands under the key, if anything: its newest revision. */
  find(key: string): PostedGroup | undefined {
    return this.held.get(key)?.at(-1)?.posted;
  }

  /** Milliseconds since the newest revision under the key was posted. */
  ageOf(key: string): number {
    return this.now() - (this.held.get(key)?.at(-1)?.heldAt ?? this.now());
  }

  /** How many entries under the key are in the balances; more than one is what must never happen. */
  standing(key: string): number {
    return this.revisionsOf(key).filter(({ reversed }) => !reversed).length;
  }

  /** Every revision that was ever posted under the key, oldest first. */
  revisionsOf(key: string): readonly PostedGroup[] {
    return (this.held.get(key) ?? []).map(({ posted }) => posted);
  }

  /** What a conflict shows of the newest revision. */
  contentOf(key: string): readonly EntryContent[] {
    return this.held.get(key)?.at(-1)?.content ?? [];
  }

  /** What a search shows: at `searchable-reference` it misses what is younger than its lag. */
  private shown(key: string): PostedGroup | undefined {
    const { guarantee } = this;
    const lagMs = guarantee.level === 'searchable-reference' ? guarantee.searchLagMs : 0;
    const shown = (this.held.get(key) ?? []).filter(({ heldAt }) => this.now() - heldAt >= lagMs);
    return shown.at(-1)?.posted;
  }

  private nextRevision(key: string): number {
    return (this.find(key)?.revision ?? 0) + 1;
  }

  private readonly keysOf = (call: FakeErpCall['call']): readonly (readonly string[])[] =>
    this.calls.filter((each) => each.call === call).map(({ keys }) => keys);

  private respond(failure: ErpFailure | undefined): Promise<void> {
    return failure === undefined ? Promise.resolve() : Promise.reject(new ErpUnavailable(failure));
  }
}

function reversedByHand(posted: PostedGroup): PostedGroup {
  const entries = posted.entries.map((entry) => ({
    ...entry,
    reversedBy: { id: `reversal-of-${entry.id}`, number: undefined, on: '2026-03-05' as LocalDate },
  }));
  return posted.reversed ? posted : { ...posted, reversed: true, entries };
}

function settle(group: PostingGroup, erp: FakeErp): PostOutcome {
  const existing = erp.find(group.key);
  if (existing === undefined || group.revision > existing.revision) {
    return (existing?.reversed ?? true)
      ? { outcome: 'created', posted: erp.acceptGroup(group) }
      : {
          outcome: 'refused',
          message: `Revision ${existing?.revision.toString() ?? ''} of ${group.key} is not reversed.`,
        };
  }
  const { guarantee } = erp;
  if (
    guarantee.level === 'none' ||
    (guarantee.level === 'expiring-key' && erp.ageOf(group.key) >= guarantee.keyLifeMs)
  ) {
    return { outcome: 'created', posted: erp.acceptGroup(group) };
  }
  if (guarantee.level === 'searchable-reference') {
    return { outcome: 'unknown', failure: { kind: 'server-error', message: 'the reference is taken' } };
  }
  if (existing.contentDigest !== group.contentDigest) {
    return { outcome: 'conflict', existing, existingContent: erp.contentOf(group.key) };
  }
  erp.attach(group);
  return { outcome: 'existed', posted: existing };
}

function byRevision({ posted: one }: HeldGroup, { posted: other }: HeldGroup): number {
  return one.revision - other.revision;
}

function contentOf(entry: PostingGroup['entries'][number]): EntryContent {
  const { role, postingDate, currency, lines } = entry;
  return {
    role,
    postingDate,
    currency,
    lines: lines.map(({ account, amountMinor }) => ({ accountCode: account.code, amountMinor })),
  };
}
