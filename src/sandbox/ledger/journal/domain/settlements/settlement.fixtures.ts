import { itemKey, laterOf, type ActiveSettlement, type ItemRef, type OpenItem } from './open-item.js';
import {
  planSettlements,
  type PlannedSettlement,
  type SettlementPlan,
  type SettlementView,
} from './plan-settlements.js';
import type { PostingSettlement } from '../posting-group.js';

// Vendors' items in memory, kept by the rules that the schema keeps for the real ones.

export const DAYS = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04'] as const;
const ACCOUNTS = ['2440', '2441', '7960'];

type ItemOptions = Partial<Omit<OpenItem, 'intent'>> & {
  readonly base?: bigint;
  readonly fxAccount?: string | null;
};

function itemOf(name: string, minor: bigint, options: ItemOptions): OpenItem {
  const { base = minor } = options;
  return {
    entryId: name,
    lineNo: 1,
    groupId: name,
    role: 'invoice',
    vendorNumber: 'V-7',
    accountCode: '2440',
    currency: 'EUR',
    documentNumber: null,
    intent: null,
    postedOn: DAYS[0],
    amountMinor: minor,
    openMinor: minor,
    openBaseMinor: base,
    ...options,
  };
}

/** Dollars of V-8, with their base. */
export const usd = (base: bigint) => ({ vendorNumber: 'V-8', currency: 'USD', base });

/** @param minor positive, like the base in the options */
export function invoice(name: string, documentNumber: string, minor: bigint, options: ItemOptions = {}) {
  return itemOf(name, -minor, { documentNumber, ...options, base: -(options.base ?? minor) });
}

export function creditNote(name: string, documentNumber: string, minor: bigint, options: ItemOptions = {}) {
  return itemOf(name, minor, { role: 'credit-note', documentNumber, ...options });
}

export function payment(name: string, numbers: readonly string[], minor: bigint, options: ItemOptions = {}): OpenItem {
  const item = itemOf(name, minor, { role: 'payment', ...options });
  return { ...item, intent: intentFor(item, numbers.length === 0 ? 'within' : 'settles', numbers, options) };
}

/** Money that comes back. */
export function receipt(name: string, numbers: readonly string[], minor: bigint, options: ItemOptions = {}): OpenItem {
  const item = itemOf(name, -minor, { role: 'receipt', ...options, base: -(options.base ?? minor) });
  return { ...item, intent: intentFor(item, numbers.length === 0 ? 'within' : 'reopens', numbers, options) };
}

function intentFor(
  { vendorNumber, currency, amountMinor }: OpenItem,
  kind: PostingSettlement['kind'],
  numbers: readonly string[],
  { fxAccount = '7960' }: ItemOptions,
): PostingSettlement {
  return { kind, vendorNumber, numbers, currency, amountMinor, realizedFxAccountCode: fxAccount };
}

type MadeSettlement = ActiveSettlement & Pick<PlannedSettlement, 'fx' | 'transfer'> & { readonly fxBaseMinor: bigint };

export class InMemoryBooks {
  private readonly items = new Map<string, OpenItem>();
  private active: readonly MadeSettlement[] = [];
  private settlements = 0;
  private readonly bases = new Map<string, bigint>();
  readonly messages: string[] = [];

  constructor(private readonly options: Partial<Pick<SettlementView, 'activeAccounts' | 'openDays'>> = {}) {}

  /** Posts items together, and does what is planned for them. */
  post(...added: readonly OpenItem[]): SettlementPlan {
    const view = this.view(added);
    const plan = planSettlements(view);
    for (const item of added) {
      this.items.set(itemKey(item), item);
      this.bases.set(itemKey(item), item.openBaseMinor);
    }
    this.apply(plan);
    for (const [groupId, warnings] of plan.warnings) {
      this.messages.push(...warnings.map(({ code }) => `${groupId}: ${code}`));
    }
    return plan;
  }

  /** Takes an item out of the books; what it had settled is matched with others again. */
  cancel(name: string): void {
    const undone = this.active
      .filter(({ debit, credit }) => debit.entryId === name || credit.entryId === name)
      .map((settlement) => ({ settlement, undoneOn: settlement.settledOn }));
    const sides = new Set(undone.flatMap(({ settlement: { debit, credit } }) => [debit.entryId, credit.entryId]));
    this.apply({ undone, settled: [] });
    this.items.delete(itemKey({ entryId: name, lineNo: 1 }));
    const reopened = this.all.filter(({ entryId }) => sides.has(entryId));
    const others = this.all.filter((item) => !reopened.includes(item));
    const from = undone.map(({ undoneOn }) => undoneOn).reduce(laterOf, '');
    this.apply(planSettlements({ ...this.view(reopened), others, from }));
  }

  view(added: readonly OpenItem[]): SettlementView {
    return {
      added,
      others: [...this.items.values()],
      active: this.active,
      activeAccounts: new Set(ACCOUNTS),
      openDays: new Map(DAYS.map((day) => [day, day])),
      ...this.options,
    };
  }

  /** What is open of the items that are not closed: amount and base by name. */
  get open(): Readonly<Record<string, readonly [bigint, bigint]>> {
    const left = [...this.items.values()].filter((item) => item.openMinor !== 0n);
    return Object.fromEntries(left.map((item) => [item.entryId, [item.openMinor, item.openBaseMinor]]));
  }

  get all(): readonly OpenItem[] {
    return [...this.items.values()];
  }

  get standing(): readonly ActiveSettlement[] {
    return this.active;
  }

  /** Debit of the account of realized differences, over the settlements that stand. */
  get realized(): bigint {
    return this.active.reduce((sum, settlement) => sum + settlement.fxBaseMinor, 0n);
  }

  private apply({ undone, settled }: Pick<SettlementPlan, 'undone' | 'settled'>): void {
    for (const { settlement, undoneOn } of undone) {
      if (!this.active.some(({ id }) => id === settlement.id) || undoneOn < settlement.settledOn) {
        throw new Error(`settlement ${settlement.id} cannot be undone on ${undoneOn}`);
      }
      this.active = this.active.filter(({ id }) => id !== settlement.id);
      this.reduceOpen(settlement.debit, -settlement.amountMinor, -settlement.debitBaseMinor);
      this.reduceOpen(settlement.credit, settlement.amountMinor, settlement.creditBaseMinor);
    }
    for (const { fx, transfer, ...pair } of settled) {
      this.settlements += 1;
      this.check(pair);
      const fxBaseMinor = pair.debitBaseMinor - pair.creditBaseMinor;
      if (pair.amountMinor <= 0n || (fx?.baseMinor ?? 0n) !== fxBaseMinor) {
        throw new Error(`${itemKey(pair.debit)} and ${itemKey(pair.credit)} do not settle like this`);
      }
      this.reduceOpen(pair.debit, pair.amountMinor, pair.debitBaseMinor);
      this.reduceOpen(pair.credit, -pair.amountMinor, -pair.creditBaseMinor);
      const accountCodes = fx === undefined ? [] : [fx.accountCode, fx.payableAccountCode];
      const id = this.settlements.toString();
      const transferEntryId = transfer ? `transfer ${id}` : null;
      const entries = { fxEntryId: fx ? `fx ${id}` : null, transferEntryId, accountCodes };
      const made = { ...pair, id, ...entries, fxBaseMinor, ...(fx && { fx }), ...(transfer && { transfer }) };
      this.active = [...this.active, made];
    }
    this.checkOpen();
  }

  private check({ debit, credit, settledOn }: Pick<ActiveSettlement, 'debit' | 'credit' | 'settledOn'>): void {
    const [one, other] = [this.find(debit), this.find(credit)];
    const fit = one.vendorNumber === other.vendorNumber && one.currency === other.currency;
    if (!fit || one.amountMinor < 0n || other.amountMinor > 0n) {
      throw new Error(`${itemKey(debit)} and ${itemKey(credit)} do not fit each other`);
    }
    if (settledOn < one.postedOn || settledOn < other.postedOn) {
      throw new Error(`${itemKey(debit)} and ${itemKey(credit)} are settled before they are there`);
    }
  }

  /** By payable account, what its lines add up to: of items, transfers and realized differences. */
  private get balances(): ReadonlyMap<string, readonly [bigint, bigint]> {
    const parts = [
      ...this.all.map(({ accountCode, amountMinor, entryId, lineNo }) => {
        return [accountCode, amountMinor, this.bases.get(itemKey({ entryId, lineNo })) ?? 0n] as const;
      }),
      ...this.active.flatMap(({ transfer, fx }) => [
        ...(transfer
          ? [
              [transfer.toAccountCode, transfer.amountMinor, transfer.baseMinor] as const,
              [transfer.fromAccountCode, -transfer.amountMinor, -transfer.baseMinor] as const,
            ]
          : []),
        ...(fx ? [[fx.payableAccountCode, 0n, -fx.baseMinor] as const] : []),
      ]),
    ];
    return sums(parts);
  }

  private checkOpen(): void {
    const open = sums(this.all.map((item) => [item.accountCode, item.openMinor, item.openBaseMinor]));
    for (const [account, [minor, base]] of this.balances) {
      const [openMinor = 0n, openBase = 0n] = open.get(account) ?? [];
      if (minor !== openMinor || base !== openBase) {
        throw new Error(
          `account ${account} has ${minor} and ${base} in base, its open items ${openMinor} and ${openBase}`,
        );
      }
    }

    for (const item of this.items.values()) {
      const { amountMinor, openMinor, openBaseMinor } = item;
      const isWithin = amountMinor > 0n ? between(0n, openMinor, amountMinor) : between(amountMinor, openMinor, 0n);
      const isSameSide = openMinor === 0n ? openBaseMinor === 0n : openMinor * openBaseMinor >= 0n;
      if (!isWithin || !isSameSide) {
        throw new Error(`${itemKey(item)} of ${amountMinor} has ${openMinor} open and ${openBaseMinor} in base`);
      }
    }
  }

  private reduceOpen(ref: ItemRef, amount: bigint, base: bigint): void {
    const item = this.find(ref);
    const openMinor = item.openMinor - amount;
    this.items.set(itemKey(ref), { ...item, openMinor, openBaseMinor: item.openBaseMinor - base });
  }

  private find(ref: ItemRef): OpenItem {
    const item = this.items.get(itemKey(ref));
    if (item === undefined) throw new Error(`there is no item ${itemKey(ref)}`);
    return item;
  }
}

function sums(
  parts: readonly (readonly [account: string, amount: bigint, base: bigint])[],
): ReadonlyMap<string, readonly [bigint, bigint]> {
  const result = new Map<string, readonly [bigint, bigint]>();
  for (const [account, amount, base] of parts) {
    const [amountSoFar = 0n, baseSoFar = 0n] = result.get(account) ?? [];
    result.set(account, [amountSoFar + amount, baseSoFar + base]);
  }
  return result;
}

function between(low: bigint, value: bigint, high: bigint): boolean {
  return low <= value && value <= high;
}

/** Items posted one after the other or together, and what happens to them. */
export interface Case {
  readonly name: string;
  readonly posted: readonly (OpenItem | readonly OpenItem[])[];
  /** What is not closed in the end: amount and base by name. */
  readonly open: InMemoryBooks['open'];
  /** Warnings as "group: code". */
  readonly messages?: readonly string[];
  /** Debit of the account of realized differences. */
  readonly realized?: bigint;
}

export function endOf(posted: Case['posted']): Pick<InMemoryBooks, 'open' | 'messages' | 'realized'> {
  const books = new InMemoryBooks();
  for (const step of posted) books.post(...[step].flat());
  const { open, messages, realized } = books;
  return { open, messages, realized };
}
