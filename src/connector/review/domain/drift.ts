// Pure: what the mapping points at, and what happened to it in the ERP.
import type { BookkeepingData, BookkeepingSettings, ErpVendor } from '../../bookkeeping/item/bookkeeping-context.js';
import { tagKeyOf, type MappingRule } from '../../bookkeeping/accounts/rule-index.js';

type MasterData = Pick<BookkeepingData, 'accounts' | 'taxCodes' | 'dimensions' | 'vendors'>;
type TargetKind = 'account' | 'tax-code' | 'dimension-value' | 'vendor';
type TargetState = 'usable' | 'missing' | 'archived' | 'blocked';

export interface MappedTarget {
  readonly kind: TargetKind;
  /** Of a dimension value: its dimension; else empty. */
  readonly group: string;
  /** External id or code, as the mapping names it; of a vendor its id. */
  readonly target: string;
  /** "setting wallet-EUR", "rule 17", "entries of the last 90 days"; the first 10. */
  readonly usedBy: readonly string[];
}

export interface SeenTarget extends MappedTarget {
  readonly state: TargetState;
  readonly since: Date;
  readonly name: string | null;
  readonly nameBefore: string | null;
  readonly renamedAt: Date | null;
}

const MAX_USERS = 10;
/** After so long a new name is no news. */
const RENAMED_FOR_MS = 30 * 24 * 60 * 60 * 1_000;

/** @param vendorIds of vendors that entries were booked on */
export function mappedTargets(
  accounts: BookkeepingSettings,
  rules: readonly MappingRule[],
  vendorIds: readonly string[],
): readonly MappedTarget[] {
  const byKey = new Map<string, MappedTarget>();
  const add = (kind: TargetKind, group: string, target: string | undefined, user: string) => {
    if (target === undefined || target === '') return;
    const key = keyOf({ kind, group, target });
    const usedBy = byKey.get(key)?.usedBy ?? [];
    byKey.set(key, { kind, group, target, usedBy: [...usedBy, user].slice(0, MAX_USERS) });
  };
  for (const [setting, account] of settingsOf(accounts)) add('account', '', account, `setting ${setting}`);
  for (const rule of rules) {
    const user = `rule ${rule.id}`;
    if (rule.subject === 'tag') add('dimension-value', rule.target.groupCode, rule.target.code, user);
    else add(rule.subject, '', rule.target, user);
  }
  for (const id of vendorIds) add('vendor', '', id, 'entries of the last 90 days');
  return [...byKey.values()];
}

/**
 * What a check makes of what the one before has seen.
 *
 * @param before what is pointed at for the first time is not in it: it has not changed, whatever it is
 */
export function seeTargets(
  targets: readonly MappedTarget[],
  books: MasterData,
  before: readonly SeenTarget[],
  now: Date,
): readonly SeenTarget[] {
  const known = new Map(before.map((seen) => [keyOf(seen), seen]));
  const look = targetLookUpIn(books);
  return targets.map((target) => {
    const old = known.get(keyOf(target));
    const { state, name } = look(target);
    const isRenamed = old?.name != null && name !== null && old.name !== name;
    return {
      ...target,
      state,
      since: old?.state === state ? old.since : now,
      name: name ?? old?.name ?? null,
      nameBefore: isRenamed ? old.name : (old?.nameBefore ?? null),
      renamedAt: isRenamed ? now : (old?.renamedAt ?? null),
    };
  });
}

/** What is to be stored of a check: most find everything as it was. */
export interface SeenChanges {
  /** New, or not as before. */
  readonly changed: readonly SeenTarget[];
  /** The mapping no longer points at it. */
  readonly unused: readonly SeenTarget[];
}

/** @param before what the check before has seen, and @param after this one */
export function seenChanges(before: readonly SeenTarget[], after: readonly SeenTarget[]): SeenChanges {
  const known = new Map(before.map((seen) => [keyOf(seen), seen]));
  const changed = after.filter((seen) => contentOf(seen) !== contentOf(known.get(keyOf(seen))));
  after.forEach((seen) => known.delete(keyOf(seen)));
  return { changed, unused: [...known.values()] };
}

/** @returns one text for the same content; undefined for nothing */
function contentOf(seen: SeenTarget | undefined): string | undefined {
  return seen && JSON.stringify([seen.usedBy, seen.state, seen.since, seen.name, seen.nameBefore, seen.renamedAt]);
}

/** Something that the next export should not find out by itself. */
export interface DriftFinding {
  readonly kind: TargetKind;
  readonly group: string;
  readonly target: string;
  readonly name: string | null;
  readonly what: 'missing' | 'archived' | 'blocked' | 'renamed';
  readonly since: Date;
  readonly usedBy: readonly string[];
  /** Of one that was renamed. */
  readonly nameBefore: string | null;
}

/** A rename is reported for 30 days; everything else for as long as it lasts. */
export function driftFindings(seen: readonly SeenTarget[], now: Date): readonly DriftFinding[] {
  return seen.flatMap((one): readonly DriftFinding[] => {
    const { kind, group, target, name, usedBy, state, nameBefore, renamedAt } = one;
    const finding = { kind, group, target, name, usedBy, nameBefore };
    if (state !== 'usable') {
      return [{ ...finding, what: state, since: one.since }];
    }
    if (renamedAt === null || now.getTime() - renamedAt.getTime() > RENAMED_FOR_MS) return [];
    return [{ ...finding, what: 'renamed', since: renamedAt }];
  });
}

function keyOf({ kind, group, target }: Pick<MappedTarget, 'kind' | 'group' | 'target'>): string {
  return JSON.stringify([kind, group, target]);
}

function settingsOf(accounts: BookkeepingSettings): readonly (readonly [string, string | undefined])[] {
  const named = (prefix: string, map: Readonly<Record<string, string>>) =>
    Object.entries(map).map(([key, account]) => [`${prefix}-${key}`, account] as const);
  return [
    ...named('wallet', accounts.wallets),
    ['company-bank', accounts.companyBank],
    ...named('company-bank', accounts.companyBankByCurrency),
    ['out-of-pocket', accounts.outOfPocket],
    ['accounts-payable', accounts.accountsPayable],
    ['fx-rounding', accounts.fxRounding],
    ['realized-fx', accounts.realizedFx],
    ...named('fallback', accounts.fallbackAccounts),
  ];
}

interface TargetLookUp {
  readonly state: TargetState;
  readonly name: string | null;
}

interface Coded {
  readonly externalId: string;
  readonly code: string;
  readonly name: string;
  readonly active: boolean;
}

const NOT_FOUND: TargetLookUp = { state: 'missing', name: null };

function targetLookUpIn({
  accounts,
  taxCodes,
  dimensions,
  vendors,
}: MasterData): (target: MappedTarget) => TargetLookUp {
  const byKind = { account: indexCoded(accounts), 'tax-code': indexCoded(taxCodes) };
  const vendorsById = new Map<string, ErpVendor>(vendors.map((vendor) => [vendor.id, vendor]));
  const values = new Map<string, boolean>();
  for (const dimension of dimensions) {
    for (const value of dimension.values) {
      const key = tagKeyOf({ groupCode: dimension.code, code: value.code });
      values.set(key, values.get(key) === true || (dimension.active && value.active));
    }
  }
  return ({ kind, group, target }) => {
    switch (kind) {
      case 'account':
      case 'tax-code': {
        const found = byKind[kind].get(target);
        return found === undefined ? NOT_FOUND : { state: found.active ? 'usable' : 'archived', name: found.name };
      }
      case 'dimension-value': {
        const isActive = values.get(tagKeyOf({ groupCode: group, code: target }));
        return isActive === undefined ? NOT_FOUND : { state: isActive ? 'usable' : 'archived', name: null };
      }
      case 'vendor': {
        const vendor = vendorsById.get(target);
        if (vendor === undefined) return NOT_FOUND;
        return { state: vendor.blocked ? 'blocked' : 'usable', name: `${vendor.code}, ${vendor.name}` };
      }
    }
  };
}

// An active one before one that is not, an id before a code: as the planner finds them.
function indexCoded(all: readonly Coded[]): ReadonlyMap<string, Coded> {
  const index = new Map<string, Coded>();
  const ordered = all.toSorted((one, other) => Number(other.active) - Number(one.active));
  for (const one of ordered) if (!index.has(one.externalId)) index.set(one.externalId, one);
  for (const one of ordered) if (!index.has(one.code)) index.set(one.code, one);
  return index;
}
