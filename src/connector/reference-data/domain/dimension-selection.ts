// Which dimensions of the ERP become tag groups of the platform (P9.10, "scope").
import type { MasterDimension } from '../../bookkeeping/item/master-data.js';
import { compareText } from './sync-plan.js';

/** Tags an expense can carry, and so tag groups that are synced. */
export const MAX_DIMENSIONS = 5;

/** Codes of dimensions and values are one code when they differ only in case, or in the form of Unicode. */
export function codeKey(code: string): string {
  return code.trim().normalize('NFC').toLowerCase();
}

/**
 * The choice before a person makes one: the dimensions for which the platform has a tag group.
 * @returns undefined when there is none: no choice is stored then, and no tag group of the platform is changed
 */
export function selectDimensions(
  erp: readonly MasterDimension[],
  groups: readonly { readonly code: string; readonly archived: boolean }[],
): readonly string[] | undefined {
  const active = new Set(groups.filter(({ archived }) => !archived).map(({ code }) => codeKey(code)));
  const matching = activeDimensions(erp).filter(({ code }) => active.has(codeKey(code)));
  return matching.length === 0 ? undefined : matching.slice(0, MAX_DIMENSIONS).map(({ code }) => code);
}

/** The chosen ones that the ERP still has: one that became inactive is no longer chosen. */
export function stillActive(erp: readonly MasterDimension[], chosen: readonly string[]): readonly MasterDimension[] {
  const byKey = new Map(activeDimensions(erp).map((dimension) => [codeKey(dimension.code), dimension]));
  const keys = new Set(chosen.map(codeKey));
  return [...keys].flatMap((key) => byKey.get(key) ?? []).slice(0, MAX_DIMENSIONS);
}

/** In the order of their codes; of two with one code the first. */
function activeDimensions(erp: readonly MasterDimension[]): readonly MasterDimension[] {
  const sorted = erp
    .filter(({ active, code }) => active && codeKey(code) !== '')
    .toSorted((a, b) => compareText(codeKey(a.code), codeKey(b.code)) || compareText(a.code, b.code));
  return sorted.filter(({ code }, index) => index === 0 || codeKey(sorted[index - 1]?.code ?? '') !== codeKey(code));
}
