// What the exported items of a job come to, against what their entries book, currency by currency (invariant I12).
import type { CurrencyCode } from '../../../kernel/currency.js';
import type { Decision, EntryRole } from '../../bookkeeping/item/posting-plan.js';

export interface Amount {
  readonly currency: CurrencyCode;
  /** Minor units, positive. */
  readonly minor: bigint;
}

/** One item and what is booked of it. */
export interface EntryTotal {
  readonly item: Amount;
  readonly booked: Amount;
}

/** Of one currency, in minor units. */
export interface CurrencyTotal {
  readonly currency: CurrencyCode;
  readonly itemsMinor: bigint;
  readonly bookedMinor: bigint;
}

/** An entry of a plan. Where it was found in the ERP, and not planned here, its lines say nothing of decisions. */
interface DecidedEntry {
  readonly role: EntryRole;
  readonly currency: CurrencyCode;
  readonly lines: readonly {
    readonly account: { readonly decision?: Pick<Decision, 'by'> };
    readonly amountMinor: string | bigint;
  }[];
}

/** Decisions that choose accounts of wallets, banks, payables and employees: the contra accounts of an expense. */
const COUNTER_DECISIONS: ReadonlySet<Decision['by']> = new Set(['contra-account', 'setting', 'vendor']);

/**
 * @param item amount of the item as the platform gave it
 * @param plan its entries; the first counts with its other parts, which is the document where a payment follows
 * @returns undefined when the entry was not planned here
 */
export function entryTotal(item: Amount, plan: readonly DecidedEntry[]): EntryTotal | undefined {
  const [main] = plan;
  const lines = plan.filter(({ role }) => role === main?.role).flatMap((entry) => entry.lines);
  const isPlanned = lines.every(({ account }) => account.decision !== undefined);
  return main === undefined || !isPlanned
    ? undefined
    : { item, booked: { currency: main.currency, minor: expenseDebits(lines) } };
}

/**
 * What the lines and their taxes come to, less what is credited among them (a reverse charge, a discount, a refund); of an
 * entry between two counter accounts, such as a top-up, its debits.
 */
function expenseDebits(lines: DecidedEntry['lines']): bigint {
  const isCounter = ({ account: { decision } }: DecidedEntry['lines'][number]) =>
    decision !== undefined && COUNTER_DECISIONS.has(decision.by);
  const sum = (some: DecidedEntry['lines']) => some.reduce((total, { amountMinor }) => total + BigInt(amountMinor), 0n);
  const own = lines.filter((line) => !isCounter(line));
  const counted = own.length > 0 ? own : lines.filter(({ amountMinor }) => BigInt(amountMinor) > 0n);
  const total = sum(counted);
  return total < 0n ? -total : total;
}

/** Adds up as the entries come: a number or two per currency, however many they are. */
export class JobTotals {
  private readonly sums = new Map<CurrencyCode, { readonly items: bigint; readonly booked: bigint }>();

  add({ item, booked }: EntryTotal): void {
    this.grow(item.currency, item.minor, 0n);
    this.grow(booked.currency, 0n, booked.minor);
  }

  /** @returns the currencies in which the two sums are not the same */
  differing(): readonly CurrencyTotal[] {
    return [...this.sums]
      .filter(([, { items, booked }]) => items !== booked)
      .map(([currency, { items, booked }]) => ({ currency, itemsMinor: items, bookedMinor: booked }));
  }

  private grow(currency: CurrencyCode, items: bigint, booked: bigint): void {
    const known = this.sums.get(currency) ?? { items: 0n, booked: 0n };
    this.sums.set(currency, { items: known.items + items, booked: known.booked + booked });
  }
}
