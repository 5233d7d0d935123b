// What happens to one thing of the platform's reference data where nothing more is known of the line: by which rule, or as what of the ERP.
import { matchVendor } from '../../bookkeeping/accounts/vendor-resolution.js';
import { accountOnItem } from '../../bookkeeping/accounts/line-accounts.js';
import { sourceKeyOf, tagKeyOf, type MappingRule } from '../../bookkeeping/accounts/rule-index.js';
import { activeAccount } from '../../bookkeeping/accounts/settings-accounts.js';
import { textOf } from '../../bookkeeping/item/export-item.js';
import type { BookkeepingContext } from '../../bookkeeping/item/bookkeeping-context.js';
import type { UseKind } from '../../exports/domain/search/search-lines.js';

/** As the platform has it. */
export interface PlatformReference {
  readonly id: string;
  readonly code: string | null;
  readonly name: string;
  readonly active: boolean;
  /** Of a tag. */
  readonly groupCode?: string;
  readonly groupName?: string;
  /** Of an account or a vendor: what it is in the ERP, as the platform received it. */
  readonly externalId?: string | null;
  /** Of a vendor. */
  readonly country?: string;
  readonly taxRegistrationNumber?: string | null;
}

/**
 * `unmapped`: entries with it fail · `broken`: its rule, or what it is linked to, cannot be posted to · `partly`: rules for some types of
 * entries only
 */
export const REFERENCE_STATES = ['unmapped', 'broken', 'partly', 'mapped'] as const;
export type ReferenceState = (typeof REFERENCE_STATES)[number];

export interface ReferenceTarget {
  /** Dimension of a value. */
  readonly group: string | null;
  readonly code: string;
  /** Null where the ERP does not tell. */
  readonly name: string | null;
}

export interface ReferenceMapping {
  readonly state: ReferenceState;
  /** The rule that applies where no other one is more specific; null: it is found in the ERP by its own code or number. */
  readonly ruleId: string | null;
  /** Rules for some types of entries. */
  readonly furtherRules: number;
  readonly target: ReferenceTarget | null;
}

export interface ReferenceScope {
  readonly context: BookkeepingContext;
  readonly rulesByKey: ReadonlyMap<string, readonly MappingRule[]>;
  /** By tag key. */
  readonly valueNames: ReadonlyMap<string, string>;
}

const RULE_SUBJECTS = { categories: 'account', 'tax-codes': 'tax-code', tags: 'tag' } as const;

/** @returns the rules of a subject by what they are for */
export function rulesByKey(kind: UseKind, rules: readonly MappingRule[]): ReadonlyMap<string, readonly MappingRule[]> {
  const subject = kind === 'vendors' ? undefined : RULE_SUBJECTS[kind];
  return Map.groupBy(
    rules.filter((rule) => rule.subject === subject),
    (rule) => (rule.subject === 'tag' ? tagKeyOf(rule.source) : sourceKeyOf(rule.sourceKey)),
  );
}

export function mappingOf(kind: UseKind, reference: PlatformReference, scope: ReferenceScope): ReferenceMapping {
  const rules = keysOf(kind, reference).flatMap((key) => scope.rulesByKey.get(key) ?? []);
  const rule = rules.find(({ when }) => when === undefined);
  const furtherRules = rules.filter(({ when }) => when !== undefined).length;
  if (rule !== undefined) {
    const target = targetOfRule(rule, scope);
    return { state: target === null ? 'broken' : 'mapped', ruleId: rule.id, furtherRules, target };
  }
  const found = kind === 'vendors' ? vendorOf(reference, scope) : ownTarget(kind, reference, scope);
  if (found !== undefined) {
    return { state: found.usable ? 'mapped' : 'broken', ruleId: null, furtherRules, target: found.target };
  }
  return { state: furtherRules > 0 ? 'partly' : 'unmapped', ruleId: null, furtherRules, target: null };
}

/** In the order in which the planner looks for them (B5.1). */
function keysOf(kind: UseKind, { id, code, externalId, groupCode = '' }: PlatformReference): readonly string[] {
  if (kind === 'tags') return [tagKeyOf({ groupCode, code: code ?? '' })];
  return [kind === 'categories' ? textOf(externalId) : undefined, textOf(code), id]
    .filter((key) => key !== undefined)
    .map(sourceKeyOf);
}

function targetOfRule(rule: MappingRule, { context, valueNames }: ReferenceScope): ReferenceTarget | null {
  switch (rule.subject) {
    case 'account':
      return coded(activeAccount(rule.target, context));
    case 'tax-code':
      return coded(context.taxCodesById.get(rule.target) ?? context.taxCodesByCode.get(rule.target));
    case 'tag':
      return valueOf(tagKeyOf(rule.target), context, valueNames);
  }
}

function ownTarget(
  kind: Exclude<UseKind, 'vendors'>,
  { id, code, name, externalId, groupCode = '' }: PlatformReference,
  { context, valueNames }: ReferenceScope,
): { readonly usable: boolean; readonly target: ReferenceTarget } | undefined {
  const key = textOf(code) ?? id;
  const account = accountOnItem({ id, code, name, identifier: externalId }, context);
  const target = {
    categories: () => coded(account && context.accountsById.get(account.id)),
    'tax-codes': () => coded(context.taxCodesById.get(key) ?? context.taxCodesByCode.get(key)),
    tags: () => valueOf(tagKeyOf({ groupCode, code: code ?? '' }), context, valueNames),
  }[kind]();
  return target === null ? undefined : { usable: true, target };
}

function vendorOf(
  { id, name, code, externalId, country, taxRegistrationNumber }: PlatformReference,
  { context }: ReferenceScope,
) {
  const vendor = matchVendor({ id, name, code, externalId, country, taxRegistrationNumber }, context);
  return vendor && { usable: !vendor.blocked, target: { group: null, code: vendor.code, name: vendor.name } };
}

function coded(found: { readonly code: string; readonly name: string } | undefined): ReferenceTarget | null {
  return found === undefined ? null : { group: null, code: found.code, name: found.name };
}

function valueOf(key: string, context: BookkeepingContext, names: ReadonlyMap<string, string>): ReferenceTarget | null {
  const found = context.dimensionValues.get(key);
  return found === undefined ? null : { group: found.dimension, code: found.value, name: names.get(key) ?? null };
}
