// What the clauses share: the ERP under test, groups to post to its company, and questions about them.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'expect';
import type { ErpAccount, ErpTaxCode, ErpVendor } from '../../connector/bookkeeping/item/bookkeeping-context.js';
import type { PlannedEntry, PlannedLine, PostingAccount } from '../../connector/bookkeeping/item/posting-plan.js';
import type { ConnectedErp } from '../../connector/erp/connected-erp.js';
import type {
  PostingGuarantee,
  ErpMasterData,
  PostedGroup,
  PostingGroup,
  PostOutcome,
} from '../../connector/erp/erp-ledger.js';
import { guaranteeOf } from '../../connector/erp/kit/capabilities.js';
import type { ErpStore } from '../../connector/erp/kit/erp-store.js';
import { CachedMasterData, type ConnectionCache } from '../../connector/erp/kit/cached-master-data.js';
import { openAdapter, type OpenAdapter } from '../../connector/erp/kit/open-adapter.js';
import { SystemClock } from '../../foundation/clock/system-clock.js';
import type { Clock } from '../../kernel/clock.js';
import { it } from '../clauses.js';
import type { BookedDocument, BookedEntry, ErpHarness, KnownCompany, StartedErp } from '../harness.js';
import { HurriedClock } from '../hurried-clock.js';
import { HttpLine, StoreLine, type Disturbance, type Exchange, type Line } from '../line.js';
import { MemoryErpStore } from '../memory-erp-store.js';
import { currency, plannedEntry, postingGroup } from '../posting-group.builder.js';
import { present } from './assertions.js';
import { settleInDoubt, type InDoubtPost } from './settle-in-doubt.js';

const POLL_EVERY_MS = 100;
const PATIENCE_MS = 300_000;

/** What an adapter may lack. */
type Part =
  | 'outcome later'
  | 'changes since'
  | 'balances'
  | 'documents'
  | 'drafts'
  | 'settlement'
  | 'vendors'
  | 'rates'
  | 'reversal'
  | 'HTTP';

export class Contract {
  readonly guarantee: PostingGuarantee;
  readonly level: PostingGuarantee['level'];
  private running: StartedErp | undefined;
  private masterData: ErpMasterData | undefined;
  private store: ErpStore = new MemoryErpStore();
  private direct: ConnectedErp | undefined;
  /** The line of `behindLine`, and the instance behind it. */
  private lined: { readonly line: Line; readonly erp: ConnectedErp } | undefined;
  private readonly opened: OpenAdapter[] = [];

  constructor(readonly harness: ErpHarness) {
    this.guarantee = guaranteeOf(harness.capabilities);
    this.level = this.guarantee.level;
  }

  async start(): Promise<void> {
    this.running = await this.harness.start();
    this.store = this.running.store ?? this.store;
    this.direct = this.connect();
    this.lined = await this.openLine();
    this.masterData = await this.erp.loadMasterData();
  }

  async stop(): Promise<void> {
    for (const adapter of this.opened) {
      adapter.close();
    }
    await this.lined?.line.close();
    await this.running?.stop();
  }

  get started(): StartedErp {
    return present(this.running, 'the harness has started');
  }

  /** `it`, or its skipping form where the adapter does not declare what the clause is about. */
  itWith(...parts: readonly Part[]) {
    return it.unless(parts.map((part) => this.without(part)).find((reason) => reason !== undefined));
  }

  /** @returns why clauses about a part are skipped; undefined when it is declared */
  without(part: Part): string | undefined {
    const { outcomeLater, masterData, balances, documents, drafts, settlement, vendorCreation, rates, reversal } =
      this.harness.capabilities;
    const declared = {
      'outcome later': outcomeLater !== undefined,
      'changes since': masterData?.changesSince === true,
      balances: balances === true,
      documents: documents === 'before',
      drafts,
      settlement: settlement && this.level !== 'none',
      vendors: vendorCreation,
      rates,
      reversal: reversal && this.level !== 'none',
      HTTP: this.harness.speaksHttp !== false,
    };
    return declared[part] ? undefined : `${part}: not declared`;
  }

  /** The adapter, connected to the company, with nothing between it and the ERP. */
  get erp(): ConnectedErp {
    return present(this.direct, 'the adapter is connected');
  }

  get company(): KnownCompany {
    return this.started.company;
  }

  /** One more instance of the adapter that goes on from the lists which it has read. */
  connectWithLists(): ConnectedErp {
    return this.connect(undefined, undefined, undefined, new CachedMasterData().of('contract'));
  }

  /** One more instance of the adapter, as another worker would have it. */
  connect(
    address = this.started.address ?? '',
    store = this.store,
    clock: Clock = this.harness.isLocal === true ? new HurriedClock() : new SystemClock(),
    cache?: ConnectionCache,
  ): ConnectedErp {
    const adapter = openAdapter(this.harness.definition, this.started.settings(address), {
      connectionId: 'contract',
      clock,
      store,
      log: () => undefined,
      client: {},
      ...(cache && { cache }),
    });
    this.opened.push(adapter);
    return adapter.forCompany({
      signal: new AbortController().signal,
      deadline: () => new Date(Date.now() + PATIENCE_MS),
      assertOwner: () => undefined,
      company: this.company.id,
    });
  }

  /**
   * Does something with an adapter whose exchanges are disturbed.
   * @returns what `act` returned, with the exchanges that there were
   */
  async behindLine<T>(
    disturb: (exchange: Exchange) => Disturbance | undefined,
    act: (erp: ConnectedErp) => Promise<T>,
  ): Promise<{ readonly result: T; readonly seen: readonly Exchange[] }> {
    const { line, erp } = present(this.lined, 'the line to the ERP is open');
    line.disturb(disturb);
    try {
      const result = await act(erp);
      // A group that was accepted without a reported outcome has had its effect, or never will.
      await this.carriedOut();
      return { result, seen: [...line.seen] };
    } finally {
      line.disturb(() => undefined);
    }
  }

  /** What a disturbed line has held back arrives. */
  async deliverLate(): Promise<void> {
    await present(this.lined, 'the line to the ERP is open').line.deliverLate();
    await this.carriedOut();
  }

  private async carriedOut(): Promise<void> {
    await (this.started.carriedOut?.() ?? delay(this.harness.capabilities.outcomeLater?.mayTakeMs ?? 0));
  }

  /** `request`: nothing that the adapter sends arrives. `answer`: all takes effect, and no answer to a commit arrives. */
  async lose<T>(part: 'request' | 'answer', act: (erp: ConnectedErp) => Promise<T>): Promise<T> {
    const disturb = ({ commits }: Exchange) => (part === 'request' || commits ? { lost: part } : undefined);
    return (await this.behindLine(disturb, act)).result;
  }

  private async openLine(): Promise<{ readonly line: Line; readonly erp: ConnectedErp }> {
    const { address } = this.started;
    if (address === undefined) {
      const line = new StoreLine(this.store);
      return { line, erp: this.connect('', line, new HurriedClock()) };
    }
    const commits = ({ method }: { readonly method: string }) => !['GET', 'HEAD'].includes(method);
    const line = await HttpLine.open(address, (request) => this.started.commits?.(request) ?? commits(request));
    return { line, erp: this.connect(line.address, this.store, new HurriedClock()) };
  }

  /** A line in the functional currency, on one of the company's known accounts. */
  line(account: keyof KnownCompany['accounts'], minor: bigint, more: Partial<PlannedLine> = {}): PlannedLine {
    return {
      account: this.postingAccount(account),
      amountMinor: minor,
      baseMinor: minor,
      dimensions: [],
      ...more,
    };
  }

  postingAccount(account: keyof KnownCompany['accounts']): PostingAccount {
    const { code, externalId } = this.account(account);
    return { id: externalId, code, decision: { by: 'code' } };
  }

  /** An expense of 100.00 paid from the wallet by default. */
  entry(more: Partial<PlannedEntry> = {}, lines = this.balanced(10_000n)): PlannedEntry {
    const functionalCurrency = currency(this.company.functionalCurrency);
    return plannedEntry(lines, {
      postingDate: this.company.openDay,
      currency: functionalCurrency,
      functionalCurrency,
      ...more,
    });
  }

  balanced(minor: bigint): readonly PlannedLine[] {
    return [this.line('expense', minor), this.line('wallet', -minor)];
  }

  /** A valid group, under a new key by default. */
  group(more: Partial<PostingGroup> = {}): PostingGroup {
    return postingGroup(randomUUID(), { contentDigest: digest('a'), entries: [this.entry()], ...more });
  }

  /** The same key with other content: 120.00. */
  changed(group: PostingGroup): PostingGroup {
    return { ...group, contentDigest: digest('b'), entries: [this.entry({}, this.balanced(12_000n))] };
  }

  /** Posts one group through the adapter. */
  async post(group: PostingGroup, erp: ConnectedErp = this.erp): Promise<PostOutcome> {
    const outcomes = await erp.post([group]);
    expect(outcomes).toHaveLength(1);
    return present(outcomes[0], 'one outcome');
  }

  async reverse(key: string, erp: ConnectedErp = this.erp) {
    const outcomes = await erp.reverse([key]);
    expect(outcomes).toHaveLength(1);
    return present(outcomes[0], 'one outcome');
  }

  /**
   * What the adapter finds under a key. At `searchable-reference` a search that does not show what is `wanted` yet is repeated until the lag
   * has passed since the call: by then it has to.
   */
  async find(key: string, wanted: (found: PostedGroup) => boolean = () => true): Promise<PostedGroup | undefined> {
    const { guarantee } = this;
    const lagEnds = Date.now() + (guarantee.level === 'searchable-reference' ? guarantee.searchLagMs : 0);
    for (;;) {
      const asked = Date.now();
      const found = (await this.erp.findPosted([key])).get(key);
      if ((found !== undefined && wanted(found)) || asked >= lagEnds) {
        return found;
      }
      await delay(POLL_EVERY_MS);
    }
  }

  /** Finds out as the level allows what happened to a post that was disturbed; what was not sent is sent again. */
  async settle(inDoubt: InDoubtPost, outcome: PostOutcome): Promise<PostOutcome> {
    await this.expectTrue(inDoubt.group, outcome);
    switch (outcome.outcome) {
      case 'not-sent':
        return this.post(inDoubt.group);
      case 'unknown':
        return settleInDoubt(this.erp, inDoubt);
      default:
        return outcome;
    }
  }

  /** What a post may be answered with when its key is taken already, by its own content or another. */
  takenOutcomes(taken: 'existed' | 'conflict'): readonly PostOutcome['outcome'][] {
    return this.level === 'searchable-reference' ? ['unknown', taken] : [taken];
  }

  /** An outcome agrees with the books: of a first revision, under whose key nothing else was posted. */
  async expectTrue({ key, entries, revision }: PostingGroup, { outcome }: PostOutcome): Promise<void> {
    if (outcome === 'unknown' || revision > 1) {
      return;
    }
    const isThere = outcome === 'created' || outcome === 'existed';
    expect({ outcome, entries: await this.effects(key) }).toEqual({ outcome, entries: isThere ? entries.length : 0 });
  }

  async entriesUnder(key: string): Promise<readonly BookedEntry[]> {
    return this.started.entriesUnder(key);
  }

  async openMinorUnder(key: string): Promise<bigint> {
    return present(await this.started.openMinorUnder?.(key), 'openMinorUnder of the harness');
  }

  async documentsUnder(key: string): Promise<readonly BookedDocument[]> {
    return present(await this.started.documentsUnder?.(key), 'documentsUnder of the harness');
  }

  /** How many entries a key has put into the books, whether they were reversed later or not. */
  async effects(key: string): Promise<number> {
    return (await this.entriesUnder(key)).filter(({ role }) => role !== 'reversal').length;
  }

  /** What a key leaves in the balances, by account, in both currencies; accounts that come to nothing are left out. */
  async balances(key: string): Promise<ReadonlyMap<string, readonly [amount: bigint, base: bigint]>> {
    const lines = (await this.entriesUnder(key)).flatMap((entry) => entry.lines);
    const sums = [...Map.groupBy(lines, (line) => line.accountCode)].map(
      ([code, some]) =>
        [
          code,
          [
            some.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
            some.reduce((sum, { baseMinor }) => sum + baseMinor, 0n),
          ],
        ] as const,
    );
    return new Map(sums.filter(([, [amount, base]]) => amount !== 0n || base !== 0n));
  }

  vendorId(code: string): ErpVendor['id'] {
    return present(
      this.masterData?.vendors.find((vendor) => vendor.code === code),
      `vendor ${code}`,
    ).id;
  }

  taxCodeId(code: string): ErpTaxCode['externalId'] {
    return present(
      this.masterData?.taxCodes.find((taxCode) => taxCode.code === code),
      `tax code ${code}`,
    ).externalId;
  }

  private account(name: keyof KnownCompany['accounts']): ErpAccount {
    const code = this.company.accounts[name];
    const found = this.masterData?.accounts.find((account) => account.code === code);
    return present(found, `account ${name} in the books`);
  }
}

/** As long as the connector's own: SHA-256 in hex. */
export function digest(letter: string): string {
  return letter.repeat(64);
}
