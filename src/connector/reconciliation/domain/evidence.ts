// What a person is shown of a difference: all three sides, in JSON.
import type { CurrencyCode } from '../../../kernel/currency.js';
import type { DifferenceClass } from './difference-class.js';
import { debitsOf, isStanding, type ComparedEntry, type ThreeSides } from './three-sides.js';

/** Most lines of an entry that are kept as evidence. */
const MOST_LINES = 20;

export interface Evidence {
  readonly platform: unknown;
  readonly record: unknown;
  readonly erp: unknown;
}

/** A difference as it is written down. */
export interface Difference {
  readonly class: DifferenceClass;
  /** What it is about: an accounting entry, a job, or a key of the ERP. */
  readonly subject: string;
  readonly accountingEntryId: string | undefined;
  readonly exportJobId: string | undefined;
  readonly evidence: Evidence;
  /** What it leaves unexplained, in minor units; undefined where nobody can say. */
  readonly amount: { readonly currency: CurrencyCode; readonly minor: bigint } | undefined;
}

export function evidenceOf({ platform, record, erp }: ThreeSides): Evidence {
  return {
    platform: { jobStatus: platform.jobStatus ?? null, item: platform.item ?? null },
    record: {
      jobState: record.jobState,
      item: record.item ?? null,
      posting: record.posting && { ...record.posting, entries: record.posting.entries.map(shown) },
    },
    erp:
      erp.kind === 'groups'
        ? erp.groups.map(({ entries, ...group }) => ({ ...group, entries: entries.map(shown) }))
        : erp.kind,
  };
}

/** The whole entry: a difference in one line leaves all of it unexplained. */
export function amountOf({ record, erp }: ThreeSides): Difference['amount'] {
  const booked = erp.kind === 'groups' ? erp.groups.flatMap(({ entries }) => entries.filter(isStanding)) : [];
  const planned = record.posting?.entries ?? [];
  const entries = planned.length > 0 ? planned : booked;
  const [first] = entries;
  return first && { currency: first.currency, minor: debitsOf(entries.slice(0, 1)) };
}

function shown({ lines, ...entry }: ComparedEntry): unknown {
  return {
    ...entry,
    lineCount: lines.length,
    lines: lines
      .slice(0, MOST_LINES)
      .map(({ amountMinor, ...line }) => ({ ...line, amountMinor: amountMinor.toString() })),
  };
}
