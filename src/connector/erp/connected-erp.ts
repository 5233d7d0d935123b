// One company of an installation's ERP, as the use cases see it: adds caller and deadline to each call, and calls no operation that
// the adapter does not declare.
import type { Clock } from '../../kernel/clock.js';
import { isTimeZone, type LocalDate } from '../../kernel/local-date.js';
import { cutText } from '../../kernel/text.js';
import type { ExchangeRate } from '../bookkeeping/item/bookkeeping-context.js';
import type { ItemVendor } from '../bookkeeping/item/export-item.js';
import type { PlannedEntry } from '../bookkeeping/item/posting-plan.js';
import type {
  MasterAccount,
  MasterDimension,
  MasterTaxCode,
  MasterVendorList,
} from '../bookkeeping/item/master-data.js';
import { AcceptedPosts, isDecided } from './accepted-posts.js';
import type { ErpCall, ErpCaller } from './erp-call.js';
import type { AccountBalance, InspectedGroup, ListedGroups } from './erp-books.js';
import {
  ErpResponseTooLong,
  ErpNotSearchable,
  ErpUnavailable,
  type AcceptedGroup,
  type AcceptedOutcome,
  type CreateVendorOutcome,
  type PostingGuarantee,
  type ErpCompany,
  type ErpDocument,
  type ErpFailure,
  type ErpMasterData,
  type PostedGroup,
  type PostingGroup,
  type PostOutcome,
  type RateRequest,
  type ReverseOutcome,
  type SettleOutcome,
  type StoreDocumentOutcome,
} from './erp-ledger.js';
import { guaranteeOf, reusableForMs, type ErpCapabilities } from './kit/capabilities.js';
import type { ConnectedAdapter } from './kit/define-erp.js';
import type { ConnectionCache } from './kit/cached-master-data.js';

export interface ConnectedSurroundings {
  readonly clock: Clock;
  /** Wraps each call. */
  during<T>(call: () => Promise<T>): Promise<T>;
  findUploadedRates(request: RateRequest): Promise<readonly ExchangeRate[]>;
  /** Master data that was read recently; without it each caller reads its own. */
  readonly cache?: ConnectionCache | undefined;
}

/** The ports `ErpLedger` and `ErpReferenceData`, bound to one caller and one company. */
export class ConnectedErp {
  /** What may follow a post whose outcome is unknown. */
  readonly guarantee: PostingGuarantee;
  private readonly acceptedPosts: AcceptedPosts;

  constructor(
    private readonly adapter: ConnectedAdapter,
    readonly capabilities: ErpCapabilities,
    private readonly caller: ErpCaller & Pick<ErpCall, 'company'>,
    private readonly surroundings: ConnectedSurroundings,
  ) {
    this.guarantee = guaranteeOf(capabilities);
    const isOutcomeLater = capabilities.outcomeLater !== undefined;
    this.acceptedPosts = new AcceptedPosts(adapter.ledger, isOutcomeLater, surroundings.clock);
  }

  /** The same ERP for another caller, or another of its companies. */
  for(caller: Partial<ErpCaller & Pick<ErpCall, 'company'>>): ConnectedErp {
    return new ConnectedErp(this.adapter, this.capabilities, { ...this.caller, ...caller }, this.surroundings);
  }

  /** Reads from the ERP and refreshes the cache. @throws ErpUnavailable */
  async loadMasterData(): Promise<ErpMasterData | undefined> {
    return this.readAndCache(({ ledger }, call) => ledger.loadMasterData(call));
  }

  /**
   * Cached master data, where the adapter allows that. A caller whose work fails by it has to repeat it by `loadMasterData`.
   * @param withinMs maximum age; by default as the adapter declares it
   * @returns `isReused`: it may be outdated
   * @throws ErpUnavailable
   */
  async reuseMasterData(
    withinMs = reusableForMs(this.capabilities),
  ): Promise<{ readonly masterData: ErpMasterData | undefined; readonly isReused: boolean }> {
    const cached = this.surroundings.cache?.find(this.caller.company);
    if (cached === undefined) {
      return { masterData: await this.loadMasterData(), isReused: false };
    }
    const { masterData, readAt } = cached;
    if (this.surroundings.clock.now().getTime() - readAt.getTime() < withinMs) {
      return { masterData, isReused: true };
    }
    const updated =
      this.capabilities.masterData?.changesSince === true
        ? this.readAndCache(
            ({ ledger }, call) => ledger.updateMasterData?.(call, masterData, readAt) ?? ledger.loadMasterData(call),
          )
        : undefined;
    // Updated lists still count as reused: a removed entry may not show as a change.
    return updated === undefined
      ? { masterData: await this.loadMasterData(), isReused: false }
      : { masterData: await updated, isReused: true };
  }

  /** For an ERP without rates, the uploaded ones. @throws ErpUnavailable */
  async findRates(request: RateRequest): Promise<readonly ExchangeRate[]> {
    const { rates } = this.capabilities;
    return rates
      ? this.use(({ ledger }, call) => ledger.findRates?.(call, request) ?? [])
      : this.surroundings.findUploadedRates(request);
  }

  async createVendor(vendor: ItemVendor, key: string): Promise<CreateVendorOutcome> {
    const message = 'the accounting system takes no new vendors from here; create the vendor there';
    const refused = { outcome: 'refused', message } as const;
    this.dropCached();
    return this.capabilities.vendorCreation
      ? this.use(({ ledger }, call) => ledger.createVendor?.(call, vendor, key) ?? refused)
      : refused;
  }

  /** @throws the error of `content` when it fails */
  async storeDocument(document: ErpDocument): Promise<StoreDocumentOutcome> {
    const message = 'the accounting system takes no documents from here; attach them there';
    return this.use(({ ledger }, call) => ledger.storeDocument?.(call, document) ?? { outcome: 'refused', message });
  }

  /**
   * Groups that the ERP accepts for a later decision are queried until their outcome is known; at the deadline it is `unknown`.
   * @param recordAccepted is awaited before such groups are queried
   * @returns one outcome per group, in the same order
   */
  async post(
    groups: readonly PostingGroup[],
    recordAccepted: (accepted: readonly AcceptedGroup[]) => Promise<void> = () => Promise.resolve(),
  ): Promise<readonly PostOutcome[]> {
    const missing = { outcome: 'unknown', failure: TOO_FEW_OUTCOMES } as const;
    // An ERP without drafts would post them finally.
    const isTaken = ({ entries }: PostingGroup) =>
      this.capabilities.drafts || entries.every(({ state }) => state === 'posted');
    const sent = await this.outcomesInPieces<PostingGroup, PostOutcome>(groups.filter(isTaken), missing, (piece) =>
      this.use(async ({ ledger }, call) => {
        const outcomes = await ledger.post(call, piece);
        return this.acceptedPosts.queryUntilKnown(call, piece, outcomes, recordAccepted);
      }),
    );
    const left = [...sent];
    const outcomes = groups.map((group) => (isTaken(group) ? (left.shift() ?? missing) : NO_DRAFTS));
    return this.capabilities.settlement
      ? outcomes
      : outcomes.map((outcome, index) => withLeftOpen(outcome, groups[index]?.entries ?? []));
  }

  /**
   * Outcomes of groups that were accepted earlier, by this process or another.
   * @returns by key; without groups that the ERP has not decided or does not know
   * @throws ErpUnavailable
   */
  async outcomesOf(accepted: readonly AcceptedGroup[]): Promise<ReadonlyMap<string, PostOutcome>> {
    if (accepted.length === 0 || this.capabilities.outcomeLater === undefined) {
      return new Map();
    }
    const missing = { outcome: 'unknown', failure: TOO_FEW_OUTCOMES } as const;
    const outcomes = await this.outcomesInPieces<AcceptedGroup, PostOutcome | AcceptedOutcome>(
      accepted,
      missing,
      (piece) => this.use(({ ledger }, call) => ledger.outcomesOf?.(call, piece) ?? []),
    );
    return new Map(
      outcomes.flatMap((outcome, index) => {
        const key = accepted[index]?.key ?? '';
        return isDecided(outcome) && outcome.outcome !== 'unknown' ? [[key, outcome] as const] : [];
      }),
    );
  }

  /** @returns one outcome per key, in the same order */
  async reverse(keys: readonly string[]): Promise<readonly ReverseOutcome[]> {
    if (!this.capabilities.reversal) {
      const message = 'the accounting system cannot reverse entries from here; reverse the entry there';
      return keys.map(() => ({ outcome: 'refused', message }));
    }
    return this.outcomesInPieces(keys, { outcome: 'unavailable', failure: TOO_FEW_OUTCOMES }, (piece) =>
      this.use(({ ledger }, call) => ledger.reverse(call, piece)),
    );
  }

  /** @returns one outcome per key, in the same order */
  async settle(keys: readonly string[], realizedFx?: string): Promise<readonly SettleOutcome[]> {
    const message = 'the accounting system cannot settle items from here; settle them there';
    const refused = keys.map(() => ({ outcome: 'refused', message }) as const);
    if (!this.capabilities.settlement) {
      return refused;
    }
    return this.outcomesInPieces(keys, { outcome: 'unavailable', failure: TOO_FEW_OUTCOMES }, (piece) =>
      this.use(({ ledger }, call) => ledger.settle?.(call, piece, realizedFx) ?? refused.slice(0, piece.length)),
    );
  }

  /** @throws ErpUnavailable, ErpNotSearchable */
  async findPosted(keys: readonly string[]): Promise<ReadonlyMap<string, PostedGroup>> {
    this.assertSearchable();
    const found = await this.read(keys, (piece) => this.use(({ ledger }, call) => ledger.findPosted(call, piece)));
    return new Map(found.flatMap((groups) => [...groups]));
  }

  /** @throws ErpUnavailable, ErpNotSearchable */
  async inspect(keys: readonly string[]): Promise<ReadonlyMap<string, readonly InspectedGroup[]>> {
    this.assertSearchable();
    const found = await this.read(keys, (piece) => this.use(({ ledger }, call) => ledger.inspect(call, piece)));
    return new Map(found.flatMap((groups) => [...groups]));
  }

  /** @throws ErpUnavailable, ErpNotSearchable */
  async listGroups(
    days: { readonly from: LocalDate; readonly to: LocalDate },
    after: string | undefined,
  ): Promise<ListedGroups> {
    this.assertSearchable();
    return this.use(({ ledger }, call) => ledger.listGroups(call, days, after));
  }

  /** @returns undefined where the ERP does not report balances @throws ErpUnavailable */
  async accountBalances(days: {
    readonly from: LocalDate;
    readonly to: LocalDate;
  }): Promise<readonly AccountBalance[] | undefined> {
    return this.capabilities.balances === true
      ? this.use(({ ledger }, call) => ledger.accountBalances?.(call, days))
      : undefined;
  }

  /** All companies that the credentials give access to. @throws ErpUnavailable */
  async listCompanies(): Promise<readonly ErpCompany[]> {
    return this.use(({ ledger }, call) => ledger.listCompanies(call));
  }

  // Callers of whole lists see changes, so that the cached ones are dropped: no job continues with older ones.

  /** @throws ErpUnavailable */
  async accounts(): Promise<readonly MasterAccount[] | undefined> {
    this.dropCached();
    return this.use(({ referenceData }, call) => referenceData.accounts(call));
  }

  /** @throws ErpUnavailable */
  async taxCodes(): Promise<readonly MasterTaxCode[] | undefined> {
    this.dropCached();
    return this.use(({ referenceData }, call) => referenceData.taxCodes(call));
  }

  /** @throws ErpUnavailable */
  async dimensions(): Promise<readonly MasterDimension[] | undefined> {
    this.dropCached();
    return this.capabilities.dimensions ? this.use(({ referenceData }, call) => referenceData.dimensions(call)) : [];
  }

  /** @throws ErpUnavailable */
  async vendors(): Promise<MasterVendorList | undefined> {
    this.dropCached();
    return this.use(({ referenceData }, call) => referenceData.vendors(call));
  }

  private dropCached(): void {
    this.surroundings.cache?.drop(this.caller.company);
  }

  private async readAndCache(
    read: (adapter: ConnectedAdapter, call: ErpCall) => Promise<ErpMasterData | undefined> | undefined,
  ): Promise<ErpMasterData | undefined> {
    const { cache, clock } = this.surroundings;
    const { company } = this.caller;
    const readAt = clock.now();
    cache?.drop(company);
    const masterData = await this.use(read);
    if (masterData !== undefined) {
      assertTimeZone(masterData);
      cache?.store(company, { masterData, readAt });
    }
    return masterData;
  }

  private async use<T>(work: (adapter: ConnectedAdapter, call: ErpCall) => Promise<T> | T): Promise<T> {
    return this.surroundings.during(async () =>
      work(this.adapter, { ...this.caller, deadline: this.caller.deadline() }),
    );
  }

  private assertSearchable(): void {
    if (this.capabilities.search.kind === 'none') {
      throw new ErpNotSearchable('the accounting system cannot be searched by key');
    }
  }

  private async outcomesInPieces<T, R>(
    values: readonly T[],
    missing: R,
    work: (piece: readonly T[]) => Promise<readonly R[]>,
  ): Promise<readonly R[]> {
    const pieces = await this.inPieces(values, async (piece) => {
      const outcomes = await work(piece);
      return piece.map((_, index) => outcomes[index] ?? missing);
    });
    return pieces.flat();
  }

  /** As `inPieces`; a piece whose answer is too long is read in halves, down to a single key. */
  private async read<R>(
    keys: readonly string[],
    work: (piece: readonly string[]) => Promise<R>,
  ): Promise<readonly R[]> {
    const inHalves = async (piece: readonly string[]): Promise<readonly R[]> => {
      try {
        return [await work(piece)];
      } catch (error) {
        if (!(error instanceof ErpResponseTooLong) || piece.length < 2) throw error;
      }
      const middle = Math.ceil(piece.length / 2);
      return [...(await inHalves(piece.slice(0, middle))), ...(await inHalves(piece.slice(middle)))];
    };
    return (await this.inPieces(keys, inHalves)).flat();
  }

  /** Calls the adapter piece by piece, none larger than it allows. */
  private async inPieces<T, R>(values: readonly T[], work: (piece: readonly T[]) => Promise<R>): Promise<readonly R[]> {
    const size = this.capabilities.limits.groupsPerCall;
    const results: R[] = [];
    for (let start = 0; start < values.length; start += size) {
      results.push(await work(values.slice(start, start + size)));
    }
    return results;
  }
}

/** Adds a warning where entries were to settle earlier documents, which stay open in an ERP without settlement (B3.7, B9.2). */
function withLeftOpen(outcome: PostOutcome, entries: readonly PlannedEntry[]): PostOutcome {
  if (outcome.outcome !== 'created' && outcome.outcome !== 'existed') {
    return outcome;
  }
  const left = entries.flatMap(({ role, settlement }) =>
    settlement === undefined || settlement.kind === 'within'
      ? []
      : `The ${role} stays open on vendor ${settlement.vendor.code}, and so does ${settlement.numbers.join(', ')}: settle them in the accounting system, which cannot be asked to do it from here.`,
  );
  const { posted } = outcome;
  return { ...outcome, posted: { ...posted, warnings: [...posted.warnings, ...left] } };
}

const NO_DRAFTS: PostOutcome = {
  outcome: 'refused',
  message:
    'the accounting system keeps no drafts, and by the policy entries are drafts that a person posts; save the policy "posted" to have them posted at once',
};

const TOO_FEW_OUTCOMES: ErpFailure = {
  kind: 'server-error',
  message: 'the accounting system answered for fewer entries than it was sent',
};

/** What is planned by it would fail for each entry, and what is scheduled by it for every customer. @throws ErpUnavailable */
function assertTimeZone({ timeZone }: ErpMasterData): void {
  if (!isTimeZone(timeZone)) {
    const message = `the accounting system names a time zone that there is not: ${cutText(timeZone, 100)}`;
    throw new ErpUnavailable({ kind: 'server-error', message });
  }
}
