// In what an entry in the books differs from the one that was planned.
import type { DiscrepancyClass } from './discrepancy-class.js';
import { debitsOf, dimensionKey, taxText, type ComparedEntry, type ComparedLine } from './compared-sources.js';

type Aspect = (line: ComparedLine) => string;

/**
 * @param planned the plan; empty when the connector did not plan the entry: then nothing can have drifted
 * @param booked entries of one group that stand in the books
 * @returns the classes, each once
 */
export function driftOf(
  planned: readonly ComparedEntry[],
  booked: readonly ComparedEntry[],
): readonly DiscrepancyClass[] {
  if (planned.length === 0) {
    return [];
  }
  const byPlace = new Map(booked.map((entry) => [placeOf(entry), entry]));
  if (planned.length !== booked.length || planned.some((entry) => !byPlace.has(placeOf(entry)))) {
    return ['state-drift'];
  }
  const found = planned.flatMap((entry) => {
    const other = byPlace.get(placeOf(entry));
    return other === undefined ? [] : entryDrift(entry, other);
  });
  return [...new Set(found)];
}

function placeOf({ role, part = 1 }: ComparedEntry): string {
  return `${role} ${part.toString()}`;
}

function entryDrift(planned: ComparedEntry, booked: ComparedEntry): readonly DiscrepancyClass[] {
  const drift: DiscrepancyClass[] = [];
  // The other way round is a draft that a person has posted, which is what drafts are for.
  if (planned.state === 'posted' && booked.state === 'draft') {
    drift.push('state-drift');
  }
  if (planned.postingDate !== booked.postingDate) {
    drift.push('date-drift');
  }
  if (planned.currency !== booked.currency) {
    return [...drift, 'currency-drift'];
  }
  return [...drift, ...lineDrift(planned, booked)];
}

/** Lines are compared as a set: an ERP may return them in another order. */
function lineDrift(planned: ComparedEntry, booked: ComparedEntry): readonly DiscrepancyClass[] {
  const differs = (aspect: Aspect) => bagOf(planned.lines, aspect) !== bagOf(booked.lines, aspect);
  if (debitsOf([planned]) !== debitsOf([booked])) {
    return ['amount-drift'];
  }
  const hasTax = [...planned.lines, ...booked.lines].some(({ taxCode }) => taxCode !== undefined);
  if (differs(amountOf)) {
    return [hasTax ? 'tax-drift' : 'account-drift'];
  }
  const drift = (Object.keys(ASPECTS) as (keyof typeof ASPECTS)[]).filter((name) =>
    differs((line) => `${amountOf(line)} ${ASPECTS[name](line)}`),
  );
  // Each is the same by itself, and not all together: two lines of one amount have swapped something.
  const isSwapped = drift.length === 0 && differs((line) => JSON.stringify([amountOf(line), ...aspectsOf(line)]));
  return isSwapped ? ['account-drift'] : drift;
}

/** What a line has beside its amount, by the class of a difference in it. */
const ASPECTS = {
  'account-drift': ({ accountCode }) => accountCode,
  'tax-drift': (line) => `${line.taxCode ?? ''} ${taxText(line) ?? ''}`,
  'vendor-drift': ({ vendorCode }) => vendorCode ?? '',
  'dimension-drift': dimensionsOf,
} satisfies Partial<Record<DiscrepancyClass, Aspect>>;

function aspectsOf(line: ComparedLine): readonly string[] {
  return Object.values(ASPECTS).map((aspect) => aspect(line));
}

function amountOf({ amountMinor }: ComparedLine): string {
  return amountMinor.toString();
}

function dimensionsOf({ dimensions }: ComparedLine): string {
  return Object.entries(dimensions)
    .map(([dimension, value]) => dimensionKey(dimension, value))
    .toSorted()
    .join();
}

function bagOf(lines: readonly ComparedLine[], aspect: Aspect): string {
  return JSON.stringify(lines.map(aspect).toSorted());
}
