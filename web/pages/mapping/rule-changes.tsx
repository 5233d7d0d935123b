import type { RuleChangeResponse, RuleResponse } from '../../api/schema.js';
import { Diff } from '../../parts/diff.js';

const textOf = (rule: RuleResponse | null | undefined) =>
  rule
    ? `${[rule.sourceGroup, rule.source].filter(Boolean).join('/')} → ${[rule.targetGroup, rule.target].filter(Boolean).join('/')}`
    : null;

/** Each changed rule as it was and as it is. */
export function RuleChanges({ changes }: { readonly changes: readonly RuleChangeResponse[] }) {
  return (
    <Diff
      differences={changes.map(({ id, before, after }) => ({
        pointer: id,
        before: textOf(before),
        after: textOf(after),
      }))}
    />
  );
}
