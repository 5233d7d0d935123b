// What the clauses share: the ERP under test, groups to post to its company, and questions about them.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import type {
  ErpAccount,
  ErpTaxCode,
  ErpVendor,
} from '../../../../src/connector/bookkeeping/item/bookkeeping-context.js';
import type { PlannedEntry, PlannedLine } from '../../../../src/connector/bookkeeping/item/posting-plan.js';
import type {
  ErpMasterData,
  PostedGroup,
  PostingGroup,
  PostOutcome,
} from '../../../../src/connector/erp/erp-ledger.js';
import type { ConnectedErp } from '../../../../src/connector/erp/connected-erp.js';
import type { BookedEntry, ErpHarness, KnownCompany, StartedErp, Undeclared } from '../harness.js';
import { currency, plannedEntry, postingGroup } from '../posting-group.builder.js';

const POLL_EVERY_MS = 100;

export class Contract {
  readonly level: ErpHarness['capability']['level'];
  private running: StartedErp | undefined;
  private masterData: ErpMasterData | undefined;

  constructor(readonly harness: ErpHarness) {
    this.level = harness.capability.level;
  }

  async start(): Promise<void> {
    this.running = await this.harness.start();
    this.masterData = await this.erp.loadMasterData();
  }

  async stop(): Promise<void> {
    await this.running?.stop();
  }

  get started(): StartedErp {
    return present(this.running, 'the harness has started');
  }

  /** `it`, or its skipping form where the adapter does not declare what the clause is about. */
  itWith(part: Undeclared): typeof it | typeof it.skip {
    return this.harness.without?.[part] === undefined ? it : it.skip;
  }

  get erp(): ConnectedErp {
    return this.started.erp;
  }

  get company(): KnownCompany {
    return this.started.company;
  }

  /** A line in the functional currency, on one of the company's known accounts. */
  line(account: keyof KnownCompany['accounts'], minor: bigint, more: Partial<PlannedLine> = {}): PlannedLine {
    const { code, externalId } = this.account(account);
    return {
      account: { id: externalId, code, decision: { by: 'code' } },
      amountMinor: minor,
      baseMinor: minor,
      dimensions: [],
      ...more,
    };
  }

  /** An expense of 100.00 paid from the wallet, unless told otherwise. */
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

  /** A good group under a new key, unless told otherwise. */
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
    const { capability } = this.harness;
    const lagEnds = Date.now() + (capability.level === 'searchable-reference' ? capability.searchLagMs : 0);
    for (;;) {
      const asked = Date.now();
      const found = (await this.erp.findPosted([key])).get(key);
      if ((found !== undefined && wanted(found)) || asked >= lagEnds) {
        return found;
      }
      await delay(POLL_EVERY_MS);
    }
  }

  async entriesUnder(key: string): Promise<readonly BookedEntry[]> {
    return this.started.entriesUnder(key);
  }

  /** How often a single-entry group took effect, whether it was reversed later or not. */
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
    return present(found, `account ${code} in the books`);
  }
}

/** As long as the connector's own: SHA-256 in hex. */
export function digest(letter: string): string {
  return letter.repeat(64);
}

/** The failure of a question that has no answer; recognized by its shape, as the adapter may bring its own copy of the port. */
export async function failureOf(asked: Promise<unknown>): Promise<Error> {
  const failure: unknown = await asked.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ failure: { kind: expect.any(String), message: expect.any(String) } });
  return failure as Error;
}

/** @throws Error naming `what` is missing */
export function present<T>(value: T | undefined, what: string): T {
  if (value === undefined) {
    throw new Error(`missing: ${what}`);
  }
  return value;
}
