import { MaxLength } from 'class-validator';
import { input } from '../../../foundation/http/input.js';
import { field, shape, shapeWith } from '../../../foundation/http/shape.js';
import { formatDecimal } from '../../../kernel/decimal.js';
import { REFERENCE_STATES } from '../../review/domain/reference-state.js';
import { REFERENCE_SORTS, type ReferencePage, type ReferenceView } from '../../review/list-references.js';
import { MoneyResponse, moneyOfWire } from '../http/money.dto.js';
import { LongPageQuery, PageResponse } from '../http/page.dto.js';

export class ReferencesQuery extends shapeWith(LongPageQuery, {
  search: input
    .text(
      'words that are all part of code, name or group, or of what it is mapped to, whatever their case and accents',
      MaxLength(100),
    )
    .optional(),
  state: input.oneOf(REFERENCE_STATES).optional(),
  active: input.oneOf(['true', 'false'], 'false: only what is archived on the platform').optional(),
  sort: input.oneOf(REFERENCE_SORTS, {
    default: 'state',
    description: '`state`: unmapped first, of these the most used; with `-` descending',
  }),
}) {}

export class ReferenceTargetResponse extends shape({
  group: field.text('dimension of a value').nullable(),
  code: field.text({ example: '6110' }),
  name: field.text({ example: 'Travel' }).nullable(),
}) {}

export class ReferenceResponse extends shape({
  id: field.uuid('on the platform'),
  code: field.text({ example: '6420' }).nullable(),
  name: field.text({ example: 'Tools' }),
  group: field.text('of a tag: code of its group').nullable(),
  groupName: field.text().nullable(),
  active: field.flag('false: archived on the platform'),
  state: field.oneOf(
    REFERENCE_STATES,
    'unmapped: entries with it fail · broken: its rule, or what it is linked to, cannot be posted to · partly: rules for some types of entries only · mapped',
  ),
  ruleId: field
    .text('the rule that maps it (GET /api/v1/mapping/rules/{id}); null: by its own code or number, or not at all')
    .nullable(),
  furtherRules: field.number('rules besides it for some types of entries'),
  target: field.one(ReferenceTargetResponse, 'account, tax code, value or vendor').nullable(),
  entries: field.number({ description: 'entries that named it since `usedSince`', example: 14 }),
  amounts: field.many(MoneyResponse, 'of these entries’ lines, by currency'),
  lastUsed: field.day('day of the newest of these entries').nullable(),
}) {}

export class ReferenceCountsResponse extends shape({
  unmapped: field.number(),
  broken: field.number(),
  partly: field.number(),
  mapped: field.number(),
}) {}

export class ReferencesResponse extends shapeWith(PageResponse, {
  total: field.number({ description: 'of this filter, on all pages', example: 147 }),
  counts: field.one(ReferenceCountsResponse, 'of all that is not archived, whatever the filter'),
  usedSince: field.instant('uses are counted in exports since then, 90 days'),
  data: field.many(ReferenceResponse),
}) {}

export function toReferencesResponse(
  { total, counts, usedSince }: ReferencePage,
  rows: readonly ReferenceView[],
  nextCursor: string | null,
): ReferencesResponse {
  return { total, counts, usedSince, data: rows.map(toReferenceResponse), nextCursor };
}

function toReferenceResponse({ use, groupCode, groupName, ...row }: ReferenceView): ReferenceResponse {
  const { id, code, name, active, state, ruleId, furtherRules, target } = row;
  const amounts = [...(use?.hundredths ?? [])].flatMap(
    ([currency, hundredths]) => moneyOfWire({ currency, value: formatDecimal(hundredths) }) ?? [],
  );
  return {
    ...{
      id,
      code,
      name,
      group: groupCode ?? null,
      groupName: groupName ?? null,
      active,
      state,
      ruleId,
      furtherRules,
      target,
    },
    ...{ entries: use?.entries ?? 0, amounts, lastUsed: use?.lastDay ?? null },
  };
}
