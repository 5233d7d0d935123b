// Which vendor of the platform is which of the ERP. The number decides; a draft that has none is compared by what it says
// of itself, in the order in which bookkeeping resolves vendors (B3.5); a person decides when the match is ambiguous.
import type { MasterVendor } from '../../bookkeeping/item/master-data.js';
import { normalizedTaxNumber, vendorNameKey } from '../../bookkeeping/accounts/vendor-keys.js';
import { countryOf } from './countries.js';
import { compareText } from './sync-plan.js';

export type VendorState = 'DRAFT' | 'ACTIVE' | 'ARCHIVED';

export interface PlatformVendor {
  readonly id: string;
  readonly state: VendorState;
  readonly name: string;
  readonly defaultCurrency: string;
  readonly code: string | null;
  readonly externalId: string | null;
  /** A code of the platform's list, or `UNDEFINED`. */
  readonly country: string;
  readonly registrationNumber: string | null;
  readonly taxRegistrationNumber: string | null;
}

/** What a person, or an export that has created the vendor, has decided about a vendor of the platform. */
export type VendorDecision =
  | { readonly decision: 'link'; readonly number: string }
  | { readonly decision: 'create' }
  | { readonly decision: 'archive' };

/** Why a vendor of the platform waits for a person. */
export type WaitingReason =
  /** Several vendors of the ERP could be it. */
  | 'ambiguous'
  /** The vendor of the ERP that it is has another counterpart on the platform. */
  | 'already-linked'
  /** The vendor of the ERP that it is may not be used. */
  | 'blocked'
  /** The ERP has none like it, and the policy is not to create vendors. */
  | 'unknown'
  /** The ERP did not take it. */
  | 'refused';

export interface VendorLinks {
  /** By the ERP's number, the vendor of the platform that is this one. */
  readonly linked: ReadonlyMap<string, PlatformVendor>;
  /** By the platform's id, the candidates of those that wait. */
  readonly waiting: ReadonlyMap<
    string,
    { readonly reason: WaitingReason; readonly candidates: readonly MasterVendor[] }
  >;
  /** On the platform a second time, by the platform's id. */
  readonly duplicates: ReadonlySet<string>;
}

/** Candidates shown to a person: a longer list is not read. */
const MAX_CANDIDATES = 20;

/**
 * Each vendor of the ERP gets at most one of the platform: the one that a decision or its number names, else the only one
 * that resembles it and nothing else. An ambiguous match waits for a person.
 * @param decisions by the platform's id
 */
export function linkVendors(
  erp: readonly MasterVendor[],
  platform: readonly PlatformVendor[],
  decisions: ReadonlyMap<string, VendorDecision>,
): VendorLinks {
  const index = indexVendors(erp);
  const linked = new Map<string, PlatformVendor>();
  const waiting = new Map<string, { reason: WaitingReason; candidates: readonly MasterVendor[] }>();
  const duplicates = new Set<string>();
  const settled = new Set<string>();
  const named = platform.map((vendor) => ({ vendor, number: numberOf(vendor, index, decisions) }));
  const rank = rankOf(decisions);
  for (const { vendor, number } of named.toSorted(
    (a, b) => rank(a) - rank(b) || compareText(a.vendor.id, b.vendor.id),
  )) {
    if (number === undefined) continue;
    settled.add(vendor.id);
    if (!linked.has(number)) {
      linked.set(number, vendor);
    } else if (vendor.state === 'DRAFT') {
      waiting.set(vendor.id, { reason: 'already-linked', candidates: listed(index.byNumber.get(number)) });
    } else {
      duplicates.add(vendor.id);
    }
  }
  const open = platform.filter(({ id, state }) => state !== 'ARCHIVED' && !settled.has(id) && !decisions.has(id));
  const alike = open.map((vendor) => ({ vendor, candidates: candidatesOf(vendor, index) }));
  const claims = Map.groupBy(
    alike.filter(({ candidates }) => candidates.length === 1),
    ({ candidates }) => candidates[0]?.number ?? '',
  );
  for (const { vendor, candidates } of alike) {
    const [only] = candidates;
    if (only === undefined) continue;
    if (candidates.length > 1 || (claims.get(only.number)?.length ?? 0) > 1) {
      waiting.set(vendor.id, { reason: 'ambiguous', candidates: candidates.slice(0, MAX_CANDIDATES) });
    } else if (!linked.has(only.number)) {
      linked.set(only.number, vendor);
    } else if (vendor.state === 'DRAFT') {
      waiting.set(vendor.id, { reason: 'already-linked', candidates });
    } else {
      duplicates.add(vendor.id);
    }
  }
  return { linked, waiting, duplicates };
}

/** Numbers of the ERP's vendors that one of these could be: other vendors of the platform with these numbers are compared too. */
export function possibleNumbers(
  erp: readonly MasterVendor[],
  platform: readonly PlatformVendor[],
  decisions: ReadonlyMap<string, VendorDecision>,
): readonly string[] {
  const index = indexVendors(erp);
  const numbers = platform.flatMap((vendor) => {
    const number = numberOf(vendor, index, decisions);
    return number === undefined ? candidatesOf(vendor, index).map((each) => each.number) : [number];
  });
  return [...new Set(numbers)];
}

interface VendorIndex {
  readonly byNumber: ReadonlyMap<string, MasterVendor>;
  readonly byExternalId: ReadonlyMap<string, readonly MasterVendor[]>;
  readonly byTaxNumber: ReadonlyMap<string, readonly MasterVendor[]>;
  readonly byName: ReadonlyMap<string, readonly MasterVendor[]>;
}

function indexVendors(erp: readonly MasterVendor[]): VendorIndex {
  const by = (key: (vendor: MasterVendor) => string | undefined) =>
    Map.groupBy(
      erp.filter((vendor) => key(vendor) !== undefined),
      (vendor) => key(vendor) ?? '',
    );
  return {
    byNumber: new Map(erp.map((vendor) => [vendor.number, vendor])),
    byExternalId: by(({ externalId }) => externalId),
    byTaxNumber: by(({ taxNumber }) => normalizedTaxNumber(taxNumber)),
    byName: by(({ name, country }) => vendorNameKey(name, countryOf(country))),
  };
}

/** The number it has, or that was decided for it; undefined when it has none that the ERP knows. */
function numberOf(
  vendor: PlatformVendor,
  { byNumber }: VendorIndex,
  decisions: ReadonlyMap<string, VendorDecision>,
): string | undefined {
  const decided = decisions.get(vendor.id);
  if (decided !== undefined) {
    return decided.decision === 'link' && byNumber.has(decided.number) ? decided.number : undefined;
  }
  return [vendor.externalId, vendor.code].find((key): key is string => key !== null && byNumber.has(key));
}

/** The vendor with the number as `externalId` comes first: on the platform it is unique. */
function rankOf(decisions: ReadonlyMap<string, VendorDecision>) {
  const states: Readonly<Record<VendorState, number>> = { ACTIVE: 0, DRAFT: 1, ARCHIVED: 2 };
  return ({ vendor, number }: { readonly vendor: PlatformVendor; readonly number: string | undefined }) => {
    const decided = decisions.has(vendor.id) ? 1 : 2;
    const how = vendor.externalId === number ? 0 : decided;
    return how * 3 + states[vendor.state];
  };
}

/** The first key with a hit decides; two hits by tax number or name are ambiguous. */
function candidatesOf(vendor: PlatformVendor, index: VendorIndex): readonly MasterVendor[] {
  const taxNumber = normalizedTaxNumber(vendor.taxRegistrationNumber);
  const name = vendorNameKey(vendor.name, countryOf(vendor.country));
  return (
    index.byExternalId.get(vendor.externalId ?? '') ??
    index.byTaxNumber.get(taxNumber ?? '') ??
    index.byName.get(name ?? '') ??
    []
  );
}

function listed(vendor: MasterVendor | undefined): readonly MasterVendor[] {
  return vendor === undefined ? [] : [vendor];
}
