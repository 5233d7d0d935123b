import { indexRules } from '../../bookkeeping/accounts/rule-index.js';
import { fieldsOf, type RuleContent } from './rule-fields.js';

/**
 * What a rule is about: its subject, source and conditions as the planner compares them. Of two rules with the same one
 * only one could decide, so a mapping never holds both.
 */
export function identityOf(rule: RuleContent): string {
  const { accounts, taxCodes, tags } = indexRules([{ ...rule, id: '' }]);
  return [rule.subject, ...accounts.keys(), ...taxCodes.keys(), ...tags.keys()].join(' ');
}

/** Whether two rules also send it to the same place. */
export function isSameRule(one: RuleContent, other: RuleContent): boolean {
  return JSON.stringify(fieldsOf(one)) === JSON.stringify(fieldsOf(other));
}
