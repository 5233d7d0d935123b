import type { RuleResponse } from '../../api/schema.js';
import { t, word } from '../../messages/text.js';

/** For which entries a rule applies. */
export function conditionsOf({ itemType, tagGroup, tag }: RuleResponse): string {
  const parts = [itemType === null ? '' : word('item-type', itemType), tag === null ? '' : `${tagGroup ?? ''} ${tag}`];
  return parts.filter((part) => part !== '').join(', ') || t('mapping.always');
}
