// What is shown of a month when it is closed. A month is that of the jobs: what was exported in it.
import type { CurrencyCode } from '../../../kernel/currency.js';
import { addDays, localDateIn, parseLocalDate, type LocalDate } from '../../../kernel/local-date.js';
import type { DiscrepancyClass } from './discrepancy-class.js';

export interface AccountTotal {
  readonly currency: CurrencyCode;
  readonly accountCode: string;
  /** Minor units, both positive. */
  readonly debitMinor: bigint;
  readonly creditMinor: bigint;
}

export interface ReportedDiscrepancy {
  readonly id: string;
  readonly class: DiscrepancyClass;
  readonly subject: string;
  readonly state: 'open' | 'accepted';
  readonly ageDays: number;
  readonly currency: CurrencyCode | undefined;
  readonly amountMinor: bigint | undefined;
  readonly note: string | undefined;
}

/** How much of what was posted is explained, to the minor unit. */
export interface Explained {
  readonly currency: CurrencyCode;
  /** Sum of the debits in any source. */
  readonly totalMinor: bigint;
  readonly explainedMinor: bigint;
  /** As a decimal text from 0 to 1, cut after the ninth digit: 1 only when nothing is left, with or without an amount. */
  readonly fraction: string;
}

export interface CloseReport {
  /** `YYYY-MM`. */
  readonly month: string;
  readonly companyName: string;
  readonly timeZone: string;
  readonly madeAt: Date;
  /** When a run that covers the whole month has ended last; undefined: none has. */
  readonly reconciledAt: Date | undefined;
  readonly jobs: number;
  readonly items: {
    readonly exported: number;
    readonly posted: number;
    readonly failed: number;
    readonly open: number;
  };
  readonly accounts: readonly AccountTotal[];
  readonly explained: readonly Explained[];
  /** Open discrepancies with an unknown amount; they are in no figure. */
  readonly withoutAmount: number;
  readonly discrepancies: readonly ReportedDiscrepancy[];
  /** The list is truncated; the figures include every discrepancy. */
  readonly discrepanciesTruncated: boolean;
}

const SCALE = 1_000_000_000n;
/** What the offsets of all zones are multiples of. */
const QUARTER_HOUR_MS = 900_000;
/** Hours before UTC's midnight at which a day begins in the zone furthest ahead. */
const FURTHEST_AHEAD_MS = 14 * 3_600_000;

/**
 * @param month `YYYY-MM`
 * @returns from (included) to (excluded); undefined for an invalid month
 */
export function monthIn(month: string, timeZone: string): { readonly from: Date; readonly until: Date } | undefined {
  const first = parseLocalDate(`${month}-01`);
  if (first === undefined) {
    return undefined;
  }
  const inNext = addDays(first, 31);
  const next = parseLocalDate(`${inNext.slice(0, 7)}-01`);
  return next && { from: startOfDay(first, timeZone), until: startOfDay(next, timeZone) };
}

/**
 * @param totalMinor sum of the debits in any source
 * @param unexplained minor units without an explanation; at most the total counts
 * @param withoutAmount open discrepancies that may be of this currency, and of any amount
 */
export function explainedPart(
  currency: CurrencyCode,
  totalMinor: bigint,
  unexplained: bigint,
  withoutAmount: number,
): Explained {
  const left = unexplained > totalMinor ? totalMinor : unexplained;
  const explainedMinor = totalMinor - left;
  const isDone = left === 0n && withoutAmount === 0;
  const part = totalMinor === 0n ? 0n : (explainedMinor * SCALE) / totalMinor;
  const scaled = isDone ? SCALE : part < SCALE ? part : SCALE - 1n;
  const [whole, rest] = [scaled / SCALE, scaled % SCALE];
  const fraction = `${whole.toString()}.${rest.toString().padStart(9, '0')}`;
  return { currency, totalMinor, explainedMinor, fraction };
}

/** Sums of several jobs, by currency and account. */
export class AccountTotalAccumulator {
  private readonly sums = new Map<string, AccountTotal>();

  add(totals: readonly AccountTotal[]): void {
    for (const total of totals) {
      const key = JSON.stringify([total.currency, total.accountCode]);
      const known = this.sums.get(key);
      this.sums.set(key, {
        ...total,
        debitMinor: total.debitMinor + (known?.debitMinor ?? 0n),
        creditMinor: total.creditMinor + (known?.creditMinor ?? 0n),
      });
    }
  }

  /** By currency and account code. */
  sorted(): readonly AccountTotal[] {
    return [...this.sums.entries()].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
  }

  /** Sum of the debits by currency. */
  debits(): ReadonlyMap<CurrencyCode, bigint> {
    const debits = new Map<CurrencyCode, bigint>();
    for (const { currency, debitMinor } of this.sums.values()) {
      debits.set(currency, (debits.get(currency) ?? 0n) + debitMinor);
    }
    return debits;
  }
}

function startOfDay(day: LocalDate, timeZone: string): Date {
  let at = Date.parse(`${day}T00:00:00Z`) - FURTHEST_AHEAD_MS;
  while (localDateIn(new Date(at), timeZone) < day) {
    at += QUARTER_HOUR_MS;
  }
  return new Date(at);
}
