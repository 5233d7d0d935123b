// Drafts with the same data are one vendor to a reader, so only one of them may be created in the
// ERP: the others wait for a person.
import { normalizedTaxNumber, vendorNameKey } from '../../bookkeeping/accounts/vendor-keys.js';
import { countryOf } from './countries.js';
import type { PlatformVendor, VendorDecision } from './link-vendors.js';
import { compareText } from './sync-plan.js';

/**
 * @param drafts those that are to be created
 * @param numbers who has which number on the platform once the rest of the plan is carried out: no two can have one
 * @returns ids of the drafts that must not be created
 */
export function findConflictingDrafts(
  drafts: readonly PlatformVendor[],
  numbers: ReadonlyMap<string, string>,
  decisions: ReadonlyMap<string, VendorDecision>,
): ReadonlySet<string> {
  const seen = new Set<string>();
  const rivals = new Set<string>();
  // First those whose creation is decided: the ERP may have made one of them already, though its response was lost.
  const rank = ({ id }: PlatformVendor) => (decisions.has(id) ? 0 : 1);
  for (const draft of drafts.toSorted((a, b) => rank(a) - rank(b) || compareText(a.id, b.id))) {
    const { id } = draft;
    const number = wantedNumber(draft);
    const isTaken = number !== undefined && ((numbers.get(number) ?? id) !== id || seen.has(numberKey(number)));
    const keys = keysOf(draft);
    // Two vendors may have one name, which a person can decide; two vendors never have one number.
    const isAlike = !decisions.has(id) && keys.some((key) => seen.has(key));
    if (isTaken || isAlike) {
      rivals.add(id);
    } else {
      keys.forEach((key) => seen.add(key));
    }
  }
  return rivals;
}

/** The number it is to have in the ERP; undefined when the ERP gives it one. */
export function wantedNumber({ externalId, code }: PlatformVendor): string | undefined {
  return externalId ?? code ?? undefined;
}

function keysOf(draft: PlatformVendor): readonly string[] {
  const number = wantedNumber(draft);
  const taxNumber = normalizedTaxNumber(draft.taxRegistrationNumber);
  const name = vendorNameKey(draft.name, countryOf(draft.country));
  return [
    ...(number === undefined ? [] : [numberKey(number)]),
    ...(taxNumber === undefined ? [] : [`tax ${taxNumber}`]),
    ...(name === undefined ? [] : [`name ${name}`]),
  ];
}

function numberKey(number: string): string {
  return `number ${number}`;
}
