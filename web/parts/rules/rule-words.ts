import type { RuleResponse } from '../../api/schema.js';
import { t, word } from '../../messages/text.js';

type Conditions = Pick<RuleResponse, 'itemType' | 'tagGroup' | 'tag'>;

/** For which entries a rule applies. */
export function conditionsOf(rule: Conditions): string {
  return narrowedBy(rule) || t('mapping.always');
}

/** A rule in one line, with the entries that it applies for where these are not all. */
export function ruleInWords(rule: RuleResponse): string {
  const from = [rule.sourceGroup, rule.source].filter(Boolean).join('/');
  const to = [rule.targetGroup, rule.target].filter(Boolean).join('/');
  const conditions = narrowedBy(rule);
  return `${from} → ${to}${conditions === '' ? '' : ` (${conditions})`}`;
}

function narrowedBy({ itemType, tagGroup, tag }: Conditions): string {
  const parts = [itemType === null ? '' : word('item-type', itemType), tag === null ? '' : `${tagGroup ?? ''} ${tag}`];
  return parts.filter((part) => part !== '').join(', ');
}
