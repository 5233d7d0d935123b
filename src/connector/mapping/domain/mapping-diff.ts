// Pure: what is different between two versions of a mapping.
import type { MappingRule } from '../../bookkeeping/accounts/rule-index.js';
import type { MappingSettings, RuleCounts } from './mapping.js';
import { isSameRule } from './rule-identity.js';

/** One value of the settings; null where there is none. */
export interface SettingChange {
  /** JSON pointer into the settings: "/accounts/wallets/EUR". */
  readonly pointer: string;
  readonly before: string | null;
  readonly after: string | null;
}

export type RuleChange =
  | { readonly change: 'added'; readonly id: string; readonly before: undefined; readonly after: MappingRule }
  | {
      readonly change: 'changed';
      readonly id: string;
      readonly before: MappingRule;
      readonly after: MappingRule;
    }
  | {
      readonly change: 'removed';
      readonly id: string;
      readonly before: MappingRule;
      readonly after: undefined;
    };

export interface MappingContent {
  readonly settings: MappingSettings;
  readonly rules: readonly MappingRule[];
}

export interface MappingDiff {
  readonly settings: readonly SettingChange[];
  /** By number. */
  readonly rules: readonly RuleChange[];
}

/** @param before undefined: before anything was saved */
export function diffMappings(before: MappingContent | undefined, after: MappingContent | undefined): MappingDiff {
  return {
    settings: diffSettings(before?.settings, after?.settings),
    rules: diffRules(before?.rules ?? [], after?.rules ?? []),
  };
}

/** In the order of the pointers. */
export function diffSettings(
  before: MappingSettings | undefined,
  after: MappingSettings | undefined,
): readonly SettingChange[] {
  const [old, now] = [leavesOf(before), leavesOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((pointer) => ({ pointer, before: old.get(pointer) ?? null, after: now.get(pointer) ?? null }))
    .filter((change) => change.before !== change.after)
    .sort((one, other) => (one.pointer < other.pointer ? -1 : 1));
}

/** A rule is the same one as long as it has the same number. */
export function diffRules(before: readonly MappingRule[], after: readonly MappingRule[]): readonly RuleChange[] {
  const old = new Map(before.map((rule) => [rule.id, rule]));
  const now = new Map(after.map((rule) => [rule.id, rule]));
  const changes: RuleChange[] = [];
  for (const rule of after) {
    const known = old.get(rule.id);
    if (known === undefined) changes.push({ change: 'added', id: rule.id, before: undefined, after: rule });
    else if (!isSameRule(known, rule)) changes.push({ change: 'changed', id: rule.id, before: known, after: rule });
  }
  for (const rule of before) {
    if (!now.has(rule.id)) changes.push({ change: 'removed', id: rule.id, before: rule, after: undefined });
  }
  return changes.sort((one, other) => Number(one.id) - Number(other.id));
}

export function countChanges(changes: readonly RuleChange[]): RuleCounts {
  const count = (change: RuleChange['change']) => changes.filter((one) => one.change === change).length;
  return { added: count('added'), changed: count('changed'), removed: count('removed') };
}

function leavesOf(value: unknown, pointer = '', leaves = new Map<string, string>()): Map<string, string> {
  if (value !== null && typeof value === 'object') {
    for (const [key, inner] of Object.entries(value)) {
      leavesOf(inner, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, leaves);
    }
  } else if (value !== undefined && value !== null) {
    leaves.set(pointer, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return leaves;
}
