import { companyData } from '../../src/connector/bookkeeping/planning.fixtures.js';
import type { ExchangeRate } from '../../src/connector/bookkeeping/bookkeeping-context.js';
import {
  ErpLedger,
  ErpUnavailable,
  type CreateVendorOutcome,
  type ErpBooks,
  type ErpCompany,
  type ErpFailure,
  type PostedGroup,
  type PostingGroup,
  type PostOutcome,
} from '../../src/connector/erp/erp-ledger.js';
import { toErpCompanyId, type ErpCompanyId } from '../../src/kernel/ids.js';

export interface ErpCall {
  readonly call: 'post' | 'find';
  readonly keys: readonly string[];
}

/** What one call to post does with each of its groups. */
export type PostScript = (group: PostingGroup, erp: FakeErp) => PostOutcome;

export const NO_ANSWER: ErpFailure = { kind: 'timeout', message: 'no answer in time' };
export const UNREACHABLE: ErpFailure = { kind: 'unreachable', message: 'connection refused' };

/** The effect is there, its answer is not. */
export const postsWithoutAnswer: PostScript = (group, erp) => {
  erp.hold(group.key, group.contentDigest);
  return { outcome: 'unknown', failure: NO_ANSWER };
};
/** Neither effect nor answer. */
export const losesRequest: PostScript = () => ({ outcome: 'unknown', failure: NO_ANSWER });
export const isNotReached: PostScript = () => ({ outcome: 'not-sent', failure: UNREACHABLE });
export const refuses =
  (message: string): PostScript =>
  () => ({ outcome: 'refused', message });

/** An ERP in memory: the company of the worked examples, keyed posting, and a script for what goes wrong. */
export class FakeErp extends ErpLedger {
  readonly level = 'E3';
  readonly companyId = toErpCompanyId('erp-company');
  books: ErpBooks | undefined = companyData;
  /** In order; a call beyond the script posts as an ERP in good health. */
  readonly script: PostScript[] = [];
  readonly calls: ErpCall[] = [];
  /** Runs as a call to post arrives, before its effect. */
  onPost: (groups: readonly PostingGroup[]) => Promise<void> = () => Promise.resolve();
  /** Set: every question and post fails so. */
  failure: ErpFailure | undefined;
  /** Set: look-ups by key fail so. */
  lookUpFailure: ErpFailure | undefined;
  private readonly held = new Map<string, PostedGroup>();

  /** Back to an ERP in good health, which keeps its entries. */
  heal(): void {
    this.books = companyData;
    this.script.length = 0;
    this.calls.length = 0;
    this.onPost = () => Promise.resolve();
    this.failure = undefined;
    this.lookUpFailure = undefined;
  }

  /** Puts an entry into the books. */
  hold(key: string, contentDigest: string): PostedGroup {
    const entries = [
      { role: 'entry' as const, id: `journal-${key}`, number: undefined, url: `erp://${key}` },
    ];
    const posted = { key, contentDigest, entries };
    this.held.set(key, posted);
    return posted;
  }

  /** Keys of the calls to post, call by call. */
  get posts(): readonly (readonly string[])[] {
    return this.calls.filter(({ call }) => call === 'post').map(({ keys }) => keys);
  }

  override listCompanies(): Promise<readonly ErpCompany[]> {
    return Promise.resolve([{ id: this.companyId, name: 'Example', registrationNumber: undefined }]);
  }

  override async loadBooks(): Promise<ErpBooks | undefined> {
    await this.answer(this.failure);
    return this.books;
  }

  override async findRates(): Promise<readonly ExchangeRate[]> {
    await this.answer(this.failure);
    return companyData.rates;
  }

  override createVendor(): Promise<CreateVendorOutcome> {
    return Promise.resolve({ outcome: 'refused', message: 'this ERP takes no vendors' });
  }

  override async post(
    _company: ErpCompanyId,
    groups: readonly PostingGroup[],
  ): Promise<readonly PostOutcome[]> {
    this.calls.push({ call: 'post', keys: groups.map(({ key }) => key) });
    await this.onPost(groups);
    const { failure } = this;
    if (failure !== undefined) {
      return groups.map(() => ({ outcome: 'not-sent', failure }));
    }
    const step = this.script.shift() ?? settle;
    return groups.map((group) => step(group, this));
  }

  override async findPosted(
    _company: ErpCompanyId,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, PostedGroup>> {
    this.calls.push({ call: 'find', keys });
    await this.answer(this.failure ?? this.lookUpFailure);
    return new Map([...this.held].filter(([key]) => keys.includes(key)));
  }

  /** What stands under the key, if anything. */
  find(key: string): PostedGroup | undefined {
    return this.held.get(key);
  }

  private answer(failure: ErpFailure | undefined): Promise<void> {
    return failure === undefined ? Promise.resolve() : Promise.reject(new ErpUnavailable(failure));
  }
}

function settle(group: PostingGroup, erp: FakeErp): PostOutcome {
  const existing = erp.find(group.key);
  if (existing === undefined) {
    return { outcome: 'created', posted: erp.hold(group.key, group.contentDigest) };
  }
  return existing.contentDigest === group.contentDigest
    ? { outcome: 'existed', posted: existing }
    : { outcome: 'conflict', existing };
}
