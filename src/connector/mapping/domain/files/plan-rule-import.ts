// Pure: what a file of rules changes in the rules there are.
import type { MappingRule } from '../../../bookkeeping/accounts/rule-index.js';
import type { RuleChangeSet } from '../rule-change-set.js';
import type { FileProblem, RuleLine } from './file-problem.js';
import { identityOf, isSameRule } from '../rule-identity.js';
import { targetProblem, type Targets } from '../targets.js';

/** `merge`: the file adds and changes · `replace`: what is not in the file goes. */
export type ImportMode = 'merge' | 'replace';

/** A rule of the file is the rule there is that has the same subject, source and conditions, and keeps its number. */
export function planRuleImport(
  current: readonly MappingRule[],
  file: readonly RuleLine[],
  mode: ImportMode,
): RuleChangeSet {
  const byIdentity = new Map(current.map((rule) => [identityOf(rule), rule]));
  const named = new Set<string>();
  const upserts = file.map(({ rule }) => {
    const known = byIdentity.get(identityOf(rule));
    if (known === undefined) return { rule };
    named.add(known.id);
    return { id: known.id, rule };
  });
  const gone = mode === 'replace' ? current.filter(({ id }) => !named.has(id)) : [];
  return { upserts, deletes: gone.map(({ id }) => id) };
}

/** Lines that send to what the ERP does not have, or not any more; a rule that is there already is not looked at. */
export function importTargetProblems(
  current: readonly MappingRule[],
  file: readonly RuleLine[],
  targets: Targets,
): readonly FileProblem[] {
  const byIdentity = new Map(current.map((rule) => [identityOf(rule), rule]));
  return file.flatMap(({ line, rule }) => {
    const known = byIdentity.get(identityOf(rule));
    if (known !== undefined && isSameRule(known, rule)) return [];
    const problem = targetProblem(rule, targets);
    return problem === undefined ? [] : [{ line, column: 'target', ...problem }];
  });
}
