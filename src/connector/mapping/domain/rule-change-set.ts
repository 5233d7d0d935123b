// Pure: what a change of rules makes of the rules there are, or everything that stands against it.
import { message, type Message } from '../../../kernel/message.js';
import type { MappingRule } from '../../bookkeeping/accounts/rule-index.js';
import type { RuleCounts } from './mapping.js';
import { ruleParameters, type RuleContent, type RuleField } from './rule-fields.js';
import { identityOf, isSameRule } from './rule-identity.js';

/** Most rules of one installation. */
export const MAX_RULES = 50_000;

/** With an id the rule of that number gets this content; without one it is a new rule. */
export interface RuleUpsert {
  readonly id?: string;
  readonly rule: RuleContent;
}

export interface RuleChangeSet {
  readonly upserts: readonly RuleUpsert[];
  /** Numbers of the rules that go. */
  readonly deletes: readonly string[];
}

export interface ChangeProblem {
  /** Which part of the request, and which one of it from 0. */
  readonly list: keyof RuleChangeSet;
  readonly index: number;
  readonly field?: RuleField;
  /** Stable, kebab-case. */
  readonly code: string;
  /** What is wrong and what to do about it. */
  readonly detail: Message;
}

/** What is written: rows that end and rows that begin; a changed rule is in both. */
export interface RulePlan {
  readonly ended: readonly string[];
  readonly begun: readonly MappingRule[];
  /** Numbers of the upserts, in their order. */
  readonly ids: readonly string[];
  readonly counts: RuleCounts;
  readonly ruleCount: number;
}

export type RulePlanResult =
  | { readonly outcome: 'planned'; readonly plan: RulePlan }
  | { readonly outcome: 'refused'; readonly problems: readonly ChangeProblem[] };

/**
 * @param current the rules there are
 * @param nextId the first number that was never given to a rule of this installation
 */
export function planChanges(current: readonly MappingRule[], changes: RuleChangeSet, nextId: number): RulePlanResult {
  const byId = new Map(current.map((rule) => [rule.id, rule]));
  const problems = [...numberProblems(byId, changes), ...overlaps(current, changes), ...tooMany(byId, changes)];
  if (problems.length > 0) return { outcome: 'refused', problems };
  let next = nextId;
  const numbered: MappingRule[] = changes.upserts.map(({ id, rule }) => {
    if (id !== undefined) return { ...rule, id };
    next += 1;
    return { ...rule, id: (next - 1).toString() };
  });
  const begun = numbered.filter((rule) => {
    const before = byId.get(rule.id);
    return before === undefined || !isSameRule(before, rule);
  });
  const changed = begun.filter(({ id }) => byId.has(id)).map(({ id }) => id);
  const counts = {
    added: begun.length - changed.length,
    changed: changed.length,
    removed: changes.deletes.length,
  };
  return {
    outcome: 'planned',
    plan: {
      ended: [...changed, ...changes.deletes],
      begun,
      ids: numbered.map(({ id }) => id),
      counts,
      ruleCount: current.length + counts.added - counts.removed,
    },
  };
}

/** The plan that turns one set of numbered rules into another. */
export function planReplacement(current: readonly MappingRule[], wanted: readonly MappingRule[]): RulePlan {
  const before = new Map(current.map((rule) => [rule.id, rule]));
  const kept = new Set(wanted.map(({ id }) => id));
  const changed: string[] = [];
  const begun = wanted.filter((rule) => {
    const known = before.get(rule.id);
    if (known !== undefined && isSameRule(known, rule)) return false;
    if (known !== undefined) changed.push(rule.id);
    return true;
  });
  const removed = current.filter(({ id }) => !kept.has(id)).map(({ id }) => id);
  return {
    ended: [...changed, ...removed],
    begun,
    ids: [],
    counts: { added: begun.length - changed.length, changed: changed.length, removed: removed.length },
    ruleCount: wanted.length,
  };
}

function numberProblems(byId: ReadonlyMap<string, MappingRule>, changes: RuleChangeSet): readonly ChangeProblem[] {
  const seen = new Set<string>();
  const named = [
    ...changes.upserts.map(({ id }, index) => ({ list: 'upserts' as const, index, id })),
    ...changes.deletes.map((id, index) => ({ list: 'deletes' as const, index, id })),
  ];
  return named.flatMap(({ list, index, id }) => {
    if (id === undefined) return [];
    if (!byId.has(id)) {
      return [{ list, index, code: 'unknown-rule', detail: message('rule-change.unknown-rule', { rule: id }) }];
    }
    if (seen.has(id)) {
      return [
        {
          list,
          index,
          code: 'named-twice',
          detail: message('rule-change.named-twice', { rule: id }),
        },
      ];
    }
    seen.add(id);
    return [];
  });
}

/** A rule by its number, or an entry of the request by its position from 1. */
interface OtherRule {
  readonly is: 'rule' | 'entry';
  readonly other: string | number;
}

/** Rules of which only one could decide, since others of the same mapping are for the same. */
export function overlaps(
  current: readonly MappingRule[],
  { upserts, deletes }: RuleChangeSet,
): readonly ChangeProblem[] {
  const replaced = new Set([...deletes, ...upserts.map(({ id }) => id)]);
  const staying = new Map<string, OtherRule>(
    current.filter(({ id }) => !replaced.has(id)).map((rule) => [identityOf(rule), { is: 'rule', other: rule.id }]),
  );
  const problems: ChangeProblem[] = [];
  upserts.forEach(({ id, rule }, index) => {
    const identity = identityOf(rule);
    const other = staying.get(identity);
    if (other === undefined) {
      staying.set(identity, id === undefined ? { is: 'entry', other: index + 1 } : { is: 'rule', other: id });
      return;
    }
    problems.push({
      list: 'upserts',
      index,
      field: 'source',
      code: 'overlap',
      detail: message('rule-change.overlap', { own: id ?? 'new', ...other, ...ruleParameters(rule) }),
    });
  });
  return problems;
}

function tooMany(
  byId: ReadonlyMap<string, MappingRule>,
  { upserts, deletes }: RuleChangeSet,
): readonly ChangeProblem[] {
  const added = upserts.filter(({ id }) => id === undefined).length;
  if (byId.size + added - deletes.length <= MAX_RULES) return [];
  const detail = message('rule-change.too-many-rules', { limit: MAX_RULES });
  return [{ list: 'upserts', index: 0, code: 'too-many-rules', detail }];
}
