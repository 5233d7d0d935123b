// Pure: which rules do not do what they seem to.
import { message, type Message } from '../../../kernel/message.js';
import type { MappingRule } from '../../bookkeeping/accounts/rule-index.js';
import { tagKeyOf } from '../../bookkeeping/accounts/rule-index.js';
import { activeAccount } from '../../bookkeeping/accounts/settings-accounts.js';
import { TYPES_WITH_LINES, TYPES_WITHOUT_LINES } from './item-types.js';
import { targetProblem, type Targets, type TargetProblem } from './targets.js';
import { fieldsOf, ruleParameters, type RuleContent } from './rule-fields.js';
import { identityOf } from './rule-identity.js';

export interface RuleFinding {
  readonly ruleId: string;
  /**
   * `fails-items`: what it decides is not exported · `never-applies`: it decides nothing · `changes-nothing`: without it
   * the same would be decided.
   */
  readonly effect: 'fails-items' | 'never-applies' | 'changes-nothing';
  readonly code:
    | TargetProblem['code']
    | 'unknown-item-type'
    | 'item-type-without-lines'
    | 'every-item-type-has-its-own'
    | 'hidden-by-identifier'
    | 'same-without-it';
  /** What is wrong and what to do about it. */
  readonly detail: Message;
  /** The rules that make it so. */
  readonly otherRuleIds: readonly string[];
}

/** @param targets undefined while the ERP's data is not at hand: then targets are not looked at */
export function findRuleFindings(rules: readonly MappingRule[], targets: Targets | undefined): readonly RuleFinding[] {
  const byIdentity = new Map(rules.map((rule) => [identityOf(rule), rule]));
  const bySource = groupBySource(rules, targets);
  return rules.flatMap((rule) => {
    const found = deadByItemType(rule) ?? deadByOthers(rule, byIdentity, targets);
    if (found !== undefined) return [found];
    const indexes = { byIdentity, bySource };
    const idle = targets && (brokenTarget(rule, targets) ?? idleRule(rule, indexes, targets));
    return idle === undefined ? [] : [idle];
  });
}

function deadByItemType(rule: MappingRule): RuleFinding | undefined {
  const itemType = rule.when?.itemType;
  if (itemType === undefined || TYPES_WITH_LINES.some((type) => type === itemType)) return undefined;
  const isTotal = TYPES_WITHOUT_LINES.some((type) => type === itemType);
  return {
    ruleId: rule.id,
    effect: 'never-applies',
    code: isTotal ? 'item-type-without-lines' : 'unknown-item-type',
    detail: isTotal
      ? message('rule-finding.item-type-without-lines', { itemType })
      : message('rule-finding.unknown-item-type', { itemType }),
    otherRuleIds: [],
  };
}

type RulesByIdentity = ReadonlyMap<string, MappingRule>;

interface RuleIndexes {
  readonly byIdentity: RulesByIdentity;
  /** Whatever their conditions; an account's code and identifier are one source. */
  readonly bySource: ReadonlyMap<string, readonly MappingRule[]>;
}

function deadByOthers(
  rule: MappingRule,
  byIdentity: RulesByIdentity,
  targets: Targets | undefined,
): RuleFinding | undefined {
  const narrower = rule.when
    ? []
    : TYPES_WITH_LINES.map((itemType) => byIdentity.get(identityOf(under(rule, { itemType }))));
  const others = narrower.flatMap((other) => (other === undefined ? [] : [other.id]));
  if (others.length === TYPES_WITH_LINES.length) {
    return {
      ruleId: rule.id,
      effect: 'never-applies',
      code: 'every-item-type-has-its-own',
      detail: message('rule-finding.every-item-type-has-its-own', ruleParameters(rule)),
      otherRuleIds: others,
    };
  }
  return targets && hiddenByIdentifier(rule, byIdentity, targets);
}

// An account of the platform that carries both names of one ERP account is looked up by its identifier first.
function hiddenByIdentifier(
  rule: MappingRule,
  byIdentity: RulesByIdentity,
  { context }: Targets,
): RuleFinding | undefined {
  if (rule.subject !== 'account') return undefined;
  const identifier = context.accountsByCode.get(rule.sourceKey)?.externalId;
  if (identifier === undefined || identifier === rule.sourceKey) return undefined;
  const other = byIdentity.get(identityOf({ ...rule, sourceKey: identifier }));
  if (other === undefined) return undefined;
  return {
    ruleId: rule.id,
    effect: 'never-applies',
    code: 'hidden-by-identifier',
    detail: message('rule-finding.hidden-by-identifier', { other: other.id, identifier, source: rule.sourceKey }),
    otherRuleIds: [other.id],
  };
}

function brokenTarget(rule: MappingRule, targets: Targets): RuleFinding | undefined {
  const problem = targetProblem(rule, targets);
  return problem && { ruleId: rule.id, effect: 'fails-items', ...problem, otherRuleIds: [] };
}

// Only where no third rule could decide instead: otherwise deleting this one would let that one in.
function idleRule(rule: MappingRule, { byIdentity, bySource }: RuleIndexes, targets: Targets): RuleFinding | undefined {
  const general = rule.when && byIdentity.get(identityOf(under(rule, undefined)));
  const others = bySource.get(sourceOf(rule, targets)) ?? [];
  const isAlone = others.every(
    (other) =>
      other === rule || other === general || (other.when !== undefined && other.when.itemType !== rule.when?.itemType),
  );
  if (!isAlone) return undefined;
  const withoutIt = general === undefined ? plainTarget(rule, targets) : resolved(general, targets);
  if (withoutIt === undefined || withoutIt !== resolved(rule, targets)) return undefined;
  return {
    ruleId: rule.id,
    effect: 'changes-nothing',
    code: 'same-without-it',
    detail:
      general === undefined
        ? message('rule-finding.same-without-it')
        : message('rule-finding.same-as-general', { other: general.id }),
    otherRuleIds: general === undefined ? [] : [general.id],
  };
}

function groupBySource(
  rules: readonly MappingRule[],
  targets: Targets | undefined,
): ReadonlyMap<string, readonly MappingRule[]> {
  const bySource = new Map<string, MappingRule[]>();
  for (const rule of rules) {
    const source = sourceOf(rule, targets);
    const known = bySource.get(source);
    if (known === undefined) bySource.set(source, [rule]);
    else known.push(rule);
  }
  return bySource;
}

function sourceOf(rule: RuleContent, targets: Targets | undefined): string {
  const { subject } = rule;
  const account = subject === 'account' && targets && activeAccount(rule.sourceKey, targets.context);
  return identityOf(account ? { subject, sourceKey: account.externalId, target: rule.target } : under(rule, undefined));
}

/** The same rule under other conditions. */
function under(rule: RuleContent, when: RuleContent['when']): RuleContent {
  const conditions = when && { when };
  if (rule.subject === 'tag') {
    const { subject, source, target } = rule;
    return { subject, source, target, ...conditions };
  }
  const { subject, sourceKey, target } = rule;
  return { subject, sourceKey, target, ...conditions };
}

function plainTarget(rule: RuleContent, targets: Targets): string | undefined {
  const { source, sourceGroup } = fieldsOf(rule);
  const fields = { source: source ?? '', sourceGroup: sourceGroup ?? '' };
  return rule.subject === 'tag'
    ? lookUp('tag', fields.source, fields.sourceGroup, targets)
    : lookUp(rule.subject, fields.source, '', targets);
}

function resolved(rule: RuleContent, targets: Targets): string | undefined {
  const { target, targetGroup } = fieldsOf(rule);
  return lookUp(rule.subject, target ?? '', targetGroup ?? '', targets);
}

function lookUp(
  subject: RuleContent['subject'],
  key: string,
  groupCode: string,
  { context }: Targets,
): string | undefined {
  switch (subject) {
    case 'account':
      return activeAccount(key, context)?.externalId;
    case 'tax-code':
      return (context.taxCodesById.get(key) ?? context.taxCodesByCode.get(key))?.externalId;
    case 'tag': {
      const value = context.dimensionValues.get(tagKeyOf({ groupCode, code: key }));
      return value && tagKeyOf({ groupCode: value.dimension, code: value.value });
    }
  }
}
