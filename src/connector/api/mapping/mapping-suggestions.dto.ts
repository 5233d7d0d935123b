import { input } from '../../../foundation/http/input.js';
import { field, shape } from '../../../foundation/http/shape.js';
import { SUBJECTS } from '../../mapping/domain/rule-fields.js';

export class SuggestionsQuery extends shape({
  limit: input.digits({ minimum: 1, maximum: 1_000, default: 50, description: 'the most frequent ones' }),
}) {}

export class ProposalResponse extends shape({
  targetGroup: field.text('of a tag').nullable(),
  target: field.text({ example: '6071' }),
  because: field.oneOf(
    ['used-before', 'same-code', 'same-name', 'most-used'],
    'used-before: a rule of this key sent or sends there; most-used: most rules of this kind do',
  ),
}) {}

export class SuggestionResponse extends shape({
  subject: field.oneOf(SUBJECTS),
  sourceGroup: field.text('of a tag').nullable(),
  source: field.text({ description: 'ready for a rule', example: '06071' }),
  name: field.text({ example: 'Meals' }).nullable(),
  items: field.number({ description: 'failed entries that name it', example: 500 }),
  lastSeen: field.instant(),
  proposals: field.many(ProposalResponse, 'the best first'),
}) {}

export class SuggestionsResponse extends shape({
  data: field.many(SuggestionResponse),
  more: field.flag('whether there are more than `limit`'),
}) {}
