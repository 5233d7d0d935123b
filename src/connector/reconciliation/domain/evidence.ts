// What a person sees of a discrepancy: all three sources, in JSON.
import { parseCurrency, type CurrencyCode } from '../../../kernel/currency.js';
import { roundedMinorFromHundredths } from '../../../kernel/money.js';
import type { WireMoney } from '../../bookkeeping/item/export-item.js';
import type { DiscrepancyClass } from './discrepancy-class.js';
import {
  debitsOf,
  isStanding,
  taxText,
  type ErpEntry,
  type ComparedEntry,
  type RecordedPosting,
  type ComparedSources,
} from './compared-sources.js';

/** Most lines of an entry that are kept as evidence. */
const MAX_LINES = 20;

export interface Evidence {
  readonly platform: unknown;
  readonly record: unknown;
  readonly erp: unknown;
  /** Why the ERP, or the platform, refused the repair, in its own words, and what to do. */
  readonly refusal?: string;
}

/** A discrepancy as it is written down. */
export interface Discrepancy {
  readonly class: DiscrepancyClass;
  /** What it is about: an accounting entry, a job, or a key of the ERP. */
  readonly subject: string;
  readonly accountingEntryId: string | undefined;
  readonly exportJobId: string | undefined;
  readonly evidence: Evidence;
  /** The unexplained amount, in minor units; undefined when unknown. */
  readonly amount: { readonly currency: CurrencyCode; readonly minor: bigint } | undefined;
}

export function evidenceOf({ platform, record, erp }: ComparedSources): Evidence {
  return {
    platform: { jobStatus: platform.jobStatus ?? null, item: platform.item ?? null },
    record: {
      jobState: record.jobState,
      item: record.item ?? null,
      posting: record.posting && shownPosting(record.posting),
    },
    erp:
      erp.kind === 'groups'
        ? erp.groups.map(({ entries, ...group }) => ({ ...group, entries: entries.map(shown) }))
        : erp.kind,
  };
}

/**
 * Everything that is posted under the entry: a discrepancy in one line leaves all of it unexplained. Where plan and books
 * have different amounts it is the greater one, in the currency of the plan.
 * @returns undefined when it was neither planned nor is in the books
 */
export function amountOf({ record, erp }: ComparedSources): Discrepancy['amount'] {
  const booked = erp.kind === 'groups' ? erp.groups.flatMap(({ entries }) => entries.filter(isStanding)) : [];
  const planned = record.posting?.entries ?? [];
  const currency = (planned[0] ?? booked[0])?.currency;
  if (currency === undefined) {
    return undefined;
  }
  const debits = (entries: readonly ComparedEntry[]) =>
    debitsOf(entries.filter((entry) => entry.currency === currency));
  const [meant, found] = [debits(planned), debits(booked)];
  return { currency, minor: meant > found ? meant : found };
}

/**
 * @param money of the whole entry, as the platform gave it
 * @returns undefined when it was not kept or is no money we know
 */
export function amountOfItem(money: WireMoney | undefined): Discrepancy['amount'] {
  const currency = money && parseCurrency(money.currency);
  const minor = currency && roundedMinorFromHundredths(money.value, currency);
  return currency && minor !== undefined ? { currency, minor: minor < 0n ? -minor : minor } : undefined;
}

/** Without what is seldom so: it would make other evidence of discrepancies that were accepted before it was known. */
function shownPosting({ lost, entries, ...posting }: RecordedPosting): unknown {
  return { ...posting, ...(lost && { lost }), entries: entries.map(shown) };
}

function shown(entry: ComparedEntry & Partial<Pick<ErpEntry, 'id' | 'settlementOpen'>>): unknown {
  const { id, role, part, state, postingDate, currency, settlementOpen, lines } = entry;
  return {
    ...(id !== undefined && { id }),
    ...{ role, part, state, postingDate, currency },
    ...(settlementOpen === true && { settlementOpen }),
    lineCount: lines.length,
    lines: lines
      .slice(0, MAX_LINES)
      .map((line) => ({ ...line, amountMinor: line.amountMinor.toString(), tax: taxText(line) })),
  };
}
