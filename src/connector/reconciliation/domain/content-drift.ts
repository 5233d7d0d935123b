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
  return [
    ...(differs((line) => `${amountOf(line)} ${line.accountCode}`) ? (['account-drift'] as const) : []),
    ...(differs((line) => `${amountOf(line)} ${line.taxCode ?? ''} ${taxText(line) ?? ''}`)
      ? (['tax-drift'] as const)
      : []),
    ...(differs((line) => `${amountOf(line)} ${line.vendorCode ?? ''}`) ? (['vendor-drift'] as const) : []),
    ...(differs((line) => `${amountOf(line)} ${dimensionsOf(line)}`) ? (['dimension-drift'] as const) : []),
  ];
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
