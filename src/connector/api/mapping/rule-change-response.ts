import type { RuleChange } from '../../mapping/domain/mapping-diff.js';
import type { RuleChangeResponse } from './mapping-files.dto.js';
import { toRuleResponse } from './mapping-rules.dto.js';

export function toRuleChangeResponse({ change, id, before, after }: RuleChange): RuleChangeResponse {
  return {
    change,
    id,
    before: before === undefined ? null : toRuleResponse(before),
    after: after === undefined ? null : toRuleResponse(after),
  };
}
