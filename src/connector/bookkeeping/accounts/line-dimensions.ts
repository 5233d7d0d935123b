import { message } from '../../../kernel/message.js';
import { entryIssue } from '../item/issues.js';
import type { BookkeepingContext } from '../item/bookkeeping-context.js';
import type { ItemLine, ItemTag } from '../item/export-item.js';
import type { Findings } from '../item/findings.js';
import type { PostingDimension } from '../item/posting-plan.js';
import { findRule, tagKeyOf, type RuleScope } from './rule-index.js';

/** @returns the line's tags without the empty places the platform allows in the list. */
export function tagsOf(line: ItemLine): readonly ItemTag[] {
  return (line.tags ?? []).filter((tag) => tag !== null && tag !== undefined);
}

/**
 * The dimension values of one line's tags (B5.1, B5.2): each tag must resolve, and a dimension takes one value.
 *
 * @returns undefined after a finding.
 */
export function resolveDimensions(
  source: ItemLine,
  line: number,
  scope: RuleScope,
  context: BookkeepingContext,
  findings: Findings,
): readonly PostingDimension[] | undefined {
  const byDimension = new Map<string, PostingDimension>();
  let isComplete = true;
  for (const tag of tagsOf(source)) {
    const found = resolveTag(tag, line, scope, context, findings);
    const other = found && byDimension.get(found.dimension);
    if (found === undefined) isComplete = false;
    else if (other === undefined) byDimension.set(found.dimension, found);
    else if (other.value !== found.value) {
      isComplete = false;
      findings.fail(
        'validation_failure',
        message('reason.two-dimension-values', {
          line,
          dimension: found.dimension,
          one: other.value,
          other: found.value,
        }),
        entryIssue('two-dimension-values'),
      );
    }
  }
  return isComplete ? [...byDimension.values()] : undefined;
}

function resolveTag(
  tag: ItemTag,
  line: number,
  scope: RuleScope,
  context: BookkeepingContext,
  findings: Findings,
): PostingDimension | undefined {
  const rule = findRule(context.ruleIndex.tags, [tagKeyOf(tag)], scope);
  if (rule !== undefined) {
    const target = context.dimensionValues.get(tagKeyOf(rule.target));
    if (target !== undefined) return { ...target, decision: { by: 'rule', ruleId: rule.id } };
    findings.fail(
      'tag_unknown',
      context.dimensionValues.isAmbiguous(tagKeyOf(rule.target))
        ? message('reason.rule.ambiguous', { rule: rule.id, what: 'tag', target: rule.target.code })
        : message('reason.rule.tag', {
            rule: rule.id,
            tag: tag.code,
            group: tag.groupCode,
            value: rule.target.code,
            dimension: rule.target.groupCode,
          }),
      { kind: 'rule', reference: rule.id },
    );
    return undefined;
  }
  const value = context.dimensionValues.get(tagKeyOf(tag));
  if (value !== undefined) return { ...value, decision: { by: 'code' } };
  const isAmbiguous = context.dimensionValues.isAmbiguous(tagKeyOf(tag));
  findings.fail(
    'tag_unknown',
    message(isAmbiguous ? 'reason.tag.ambiguous' : 'reason.tag', { line, tag: tag.code, group: tag.groupCode }),
    { kind: 'tag', group: tag.groupCode, reference: tag.code },
  );
  return undefined;
}
