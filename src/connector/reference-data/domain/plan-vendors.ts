// Vendors, both ways: the ERP's vendors are on the platform under their number; a draft of the platform is linked to the
// vendor it is, or created in the ERP when the policy says so.
import type { ItemVendor } from '../../bookkeeping/item/export-item.js';
import type { MasterVendor, MasterVendorList } from '../../bookkeeping/item/master-data.js';
import { normalizedTaxNumber } from '../../bookkeeping/accounts/vendor-keys.js';
import { countryOf } from './countries.js';
import { findConflictingDrafts, wantedNumber } from './conflicting-drafts.js';
import {
  linkVendors,
  type PlatformVendor,
  type VendorDecision,
  type VendorLinks,
  type WaitingReason,
} from './link-vendors.js';
import { keyProblem, platformName, type PlannedChange, type SyncPlan, type SyncProblem } from './sync-plan.js';
import { numberWarnings, storableNumber } from './vendor-numbers.js';

/** Everything of a vendor, because an update replaces everything. Undefined: unknown. */
export interface VendorContent {
  readonly name: string;
  readonly defaultCurrency: string;
  readonly externalId: string;
  readonly code: string;
  readonly country: string | undefined;
  readonly registrationNumber: string | undefined;
  readonly taxRegistrationNumber: string | undefined;
}

export type VendorStep = PlannedChange & { readonly subject: 'vendor' } & (
    | { readonly action: 'create'; readonly content: VendorContent }
    | { readonly action: 'update' | 'unarchive'; readonly id: string; readonly content: VendorContent }
    /** Without `isSame` it also takes on the ERP's data. */
    | {
        readonly action: 'activate';
        readonly id: string;
        readonly isSame: boolean;
        readonly content: VendorContent;
      }
    | { readonly action: 'archive'; readonly id: string }
    | { readonly action: 'create-in-erp'; readonly id: string; readonly vendor: PlatformVendor }
  );

/** A vendor of the platform that waits for a person, with the ERP's vendors it could be. */
export interface WaitingVendor {
  readonly platformVendorId: string;
  readonly name: string;
  readonly reason: WaitingReason;
  readonly candidates: readonly MasterVendor[];
}

export interface VendorPlan extends SyncPlan<VendorStep> {
  readonly waiting: readonly WaitingVendor[];
}

export interface VendorSources {
  readonly erp: MasterVendorList;
  readonly platform: readonly PlatformVendor[];
  /** By the platform's id. */
  readonly decisions: ReadonlyMap<string, VendorDecision>;
  /** What happens to a draft that the ERP does not know. */
  readonly unknownVendor: 'create' | 'fail';
  /** By number, the state of a vendor of the platform that is not compared, since its state is unknown. */
  readonly held?: ReadonlyMap<string, string>;
}

const ORDER: Readonly<Record<VendorStep['action'], number>> = {
  archive: 0,
  update: 1,
  unarchive: 1,
  activate: 1,
  // Before what is new on the platform: a vendor that the ERP has made for a draft already, in an attempt that was killed, gets its
  // number here, and the platform refuses to have it twice.
  'create-in-erp': 2,
  create: 3,
};

/** @returns archives first, what makes something new last */
export function planVendors(sides: VendorSources): VendorPlan {
  const matches = linkVendors(sides.erp.vendors, sides.platform, sides.decisions);
  const numberById = new Map([...matches.linked].map(([number, { id }]) => [id, number]));
  const byNumber = new Map(sides.erp.vendors.map((vendor) => [vendor.number, vendor]));
  const creates = planCreates(sides, matches);
  const plans = sides.platform.map((vendor) =>
    planOne(vendor, byNumber.get(numberById.get(vendor.id) ?? ''), sides, matches),
  );
  const planned = plans.flatMap(({ step }) => step ?? []);
  const rivals = findConflictingDrafts(
    planned.flatMap(draftOf),
    numbersAfter(planned, sides.platform),
    sides.decisions,
  );
  const kept = planned.filter((step) => !('id' in step && rivals.has(step.id)));
  return {
    steps: [...creates.steps, ...kept].toSorted((a, b) => ORDER[a.action] - ORDER[b.action]),
    problems: [...creates.problems, ...kept.flatMap(draftOf).flatMap(draftProblems)],
    waiting: [
      ...plans.flatMap(({ waits }) => waits ?? []),
      ...sides.platform.filter(({ id }) => rivals.has(id)).map((vendor) => waitingVendor(vendor, 'ambiguous', [])),
    ],
  };
}

/** By number, who has it on the platform after the plan. */
function numbersAfter(steps: readonly VendorStep[], platform: readonly PlatformVendor[]): ReadonlyMap<string, string> {
  const changed = new Map(
    steps.flatMap((step) => ('id' in step && 'content' in step ? [[step.id, step.content.externalId]] : [])),
  );
  return new Map(
    platform.flatMap(({ id, externalId }) => {
      const number = changed.get(id) ?? externalId;
      return number === null ? [] : [[number, id]];
    }),
  );
}

function draftOf(step: VendorStep): readonly PlatformVendor[] {
  return step.action === 'create-in-erp' ? [step.vendor] : [];
}

/** What the platform is to know of a draft that the ERP has just taken under this number. */
export function planActivation(
  vendor: PlatformVendor,
  created: Pick<MasterVendor, 'number' | 'name' | 'country' | 'taxNumber'>,
): Extract<VendorStep, { readonly action: 'activate' }> {
  const content = contentOf({ ...created, isEmployee: false, usable: true }, vendor.defaultCurrency, vendor);
  const isSame = isEqual(vendor, content);
  return {
    subject: 'vendor',
    action: 'activate',
    key: created.number,
    name: content.name,
    id: vendor.id,
    content,
    isSame,
  };
}

interface VendorStepPlan {
  readonly step?: VendorStep;
  readonly waits?: WaitingVendor;
}

/** @param erp the vendor of the ERP that it is, if any */
function planOne(
  vendor: PlatformVendor,
  erp: MasterVendor | undefined,
  sides: VendorSources,
  { waiting, duplicates }: VendorLinks,
): VendorStepPlan {
  const decision = sides.decisions.get(vendor.id)?.decision;
  const waits = waiting.get(vendor.id);
  if (waits !== undefined) {
    return { waits: waitingVendor(vendor, waits.reason, waits.candidates) };
  }
  if (erp !== undefined) {
    return planLinked(vendor, erp, sides);
  }
  if (vendor.state === 'ARCHIVED') {
    return {};
  }
  if (decision === 'archive' || duplicates.has(vendor.id)) {
    return { step: archive(vendor) };
  }
  if (decision === 'link') {
    return { waits: waitingVendor(vendor, 'unknown', []) };
  }
  const isNew = vendor.state === 'DRAFT' && sides.unknownVendor === 'create';
  if (decision === 'create' || isNew) {
    return { step: createInErp(vendor) };
  }
  return vendor.state === 'ACTIVE' ? { step: archive(vendor) } : { waits: waitingVendor(vendor, 'unknown', []) };
}

function planLinked(vendor: PlatformVendor, erp: MasterVendor, sides: VendorSources): VendorStepPlan {
  if (!erp.usable) {
    switch (vendor.state) {
      case 'ARCHIVED':
        return {};
      case 'ACTIVE':
        return { step: archive(vendor) };
      case 'DRAFT':
        return { waits: waitingVendor(vendor, 'blocked', [erp]) };
    }
  }
  const content = contentOf(erp, sides.erp.functionalCurrency, vendor);
  const shown = { subject: 'vendor', key: erp.number, name: content.name, id: vendor.id, content } as const;
  const isSame = isEqual(vendor, content);
  switch (vendor.state) {
    case 'ARCHIVED':
      // Employees are no vendors to a user of the platform; a person who was archived there stays archived.
      return erp.isEmployee ? {} : { step: { ...shown, action: 'unarchive' } };
    case 'DRAFT':
      return { step: { ...shown, action: 'activate', isSame } };
    case 'ACTIVE':
      return isSame && hasNumber(vendor, erp.number) ? {} : { step: { ...shown, action: 'update' } };
  }
}

/** The ERP's vendors that the platform does not have; a candidate of a draft that waits for a decision is left out. */
function planCreates(
  { erp, held }: VendorSources,
  { linked, waiting }: VendorLinks,
): { readonly steps: readonly VendorStep[]; readonly problems: readonly SyncProblem[] } {
  const reserved = new Set([...waiting.values()].flatMap(({ candidates }) => candidates.map(({ number }) => number)));
  const steps: VendorStep[] = [];
  const problems: SyncProblem[] = [];
  for (const vendor of erp.vendors.filter(({ usable }) => usable)) {
    const { number: key, name } = vendor;
    const problem = keyProblem(key);
    const warnings = problem === undefined ? numberWarnings(vendor) : [problem];
    problems.push(...warnings.map((detail) => ({ subject: 'vendor' as const, key, name, detail })));
    const isMissing = problem === undefined && !vendor.isEmployee && !linked.has(key) && !reserved.has(key);
    const holder = isMissing ? held?.get(key) : undefined;
    if (holder !== undefined) {
      problems.push({ subject: 'vendor', key, name, detail: heldBy(holder) });
    } else if (isMissing) {
      const content = contentOf(vendor, erp.functionalCurrency, undefined);
      steps.push({ subject: 'vendor', action: 'create', key, name: content.name, content });
    }
  }
  return { steps, problems };
}

/** The platform has each number once, and would refuse a second vendor with it at every run. */
function heldBy(state: string): string {
  return `A vendor in the state "${state}" has its number on the platform, which the connector leaves alone: activate or archive that vendor there.`;
}

/** A field without a value in the ERP keeps the platform's value, and so does another spelling of the same value. */
function contentOf(erp: MasterVendor, functionalCurrency: string, vendor: PlatformVendor | undefined): VendorContent {
  const country = countryOf(erp.country);
  const known = vendor?.country === 'UNDEFINED' ? undefined : vendor?.country;
  return {
    name: platformName(erp.name, erp.number),
    defaultCurrency: erp.currency ?? vendor?.defaultCurrency ?? functionalCurrency,
    externalId: erp.number,
    code: erp.number,
    country: country === undefined || countryOf(known) === country ? known : country,
    registrationNumber: sameOr(storableNumber(erp.registrationNumber), vendor?.registrationNumber),
    taxRegistrationNumber: sameOr(storableNumber(erp.taxNumber), vendor?.taxRegistrationNumber),
  };
}

function sameOr(wanted: string | undefined, known: string | null | undefined): string | undefined {
  const isSame = wanted === undefined || normalizedTaxNumber(wanted) === normalizedTaxNumber(known);
  return isSame ? (known ?? undefined) : wanted;
}

function hasNumber({ externalId, code }: PlatformVendor, number: string): boolean {
  return externalId === number && code === number;
}

/** All but the number, which an activation brings. */
function isEqual(vendor: PlatformVendor, wanted: VendorContent): boolean {
  return (
    vendor.name === wanted.name &&
    vendor.defaultCurrency === wanted.defaultCurrency &&
    (vendor.country === 'UNDEFINED' ? undefined : vendor.country) === wanted.country &&
    (vendor.registrationNumber ?? undefined) === wanted.registrationNumber &&
    (vendor.taxRegistrationNumber ?? undefined) === wanted.taxRegistrationNumber
  );
}

function archive({ id, externalId, code, name }: PlatformVendor): VendorStep {
  return { subject: 'vendor', action: 'archive', key: externalId ?? code ?? id, name, id };
}

function createInErp(vendor: PlatformVendor): VendorStep {
  const { id, name } = vendor;
  return { subject: 'vendor', action: 'create-in-erp', key: id, name, id, vendor };
}

/** A vendor as it is created in the ERP, without an unknown country or a number that cannot be stored. */
export function itemVendorOf(vendor: PlatformVendor): ItemVendor {
  const { id, name, defaultCurrency, externalId } = vendor;
  return {
    id,
    name,
    defaultCurrency,
    code: wantedNumber(vendor),
    externalId,
    country: countryOf(vendor.country),
    registrationNumber: storableNumber(vendor.registrationNumber),
    taxRegistrationNumber: storableNumber(vendor.taxRegistrationNumber),
  };
}

function draftProblems(vendor: PlatformVendor): readonly SyncProblem[] {
  const { id: key, name, country, registrationNumber, taxRegistrationNumber: taxNumber } = vendor;
  return numberWarnings({ country, registrationNumber, taxNumber }).map((detail) => ({
    subject: 'vendor',
    key,
    name,
    detail,
  }));
}

function waitingVendor(
  { id, name }: PlatformVendor,
  reason: WaitingReason,
  candidates: readonly MasterVendor[],
): WaitingVendor {
  return { platformVendorId: id, name, reason, candidates };
}
