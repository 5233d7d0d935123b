import { companyData } from '../../bookkeeping/item/planning.fixtures.js';
import type { MappingRule } from '../../bookkeeping/accounts/rule-index.js';
import { targetsIn } from './targets.js';
import { readRule, type RuleContent, type RuleFields } from './rule-fields.js';

/** The company of the worked examples, as a mapping sees it. */
export const exampleTargets = targetsIn(companyData, {
  accounts: companyData.settings,
  policies: companyData.policies,
});

/** @throws Error when the fields make no rule */
export function ruleOf(fields: RuleFields): RuleContent {
  const read = readRule(fields);
  if ('problems' in read) throw new Error(read.problems.map(({ detail }) => detail.code).join(' '));
  return read.rule;
}

/** A rule about account 404, or whatever the changes say. */
export function numbered(id: number, changes: RuleFields = {}): MappingRule {
  const rule = ruleOf({ subject: 'account', source: '404', target: '6071', ...changes });
  return { ...rule, id: id.toString() };
}

/** A tag rule from group Team. */
export function tagRule(id: number, changes: RuleFields = {}): MappingRule {
  return numbered(id, {
    subject: 'tag',
    sourceGroup: 'Team',
    source: 'North',
    targetGroup: 'CC',
    target: '100',
    ...changes,
  });
}
