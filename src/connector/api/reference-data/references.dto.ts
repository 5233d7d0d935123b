import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsString, MaxLength } from 'class-validator';
import { OptionalField } from '../../../foundation/http/optional-field.js';
import { parseCurrency } from '../../../kernel/currency.js';
import { roundedMinorFromHundredths } from '../../../kernel/money.js';
import { REFERENCE_STATES, type ReferenceState } from '../../review/domain/reference-state.js';
import { REFERENCE_SORTS, type ReferencePage, type ReferenceView } from '../../review/list-references.js';
import { MoneyResponse, moneyOf } from '../http/money.dto.js';
import { LongPageQuery, PageResponse } from '../http/page.dto.js';

export class ReferencesQuery extends LongPageQuery {
  @ApiPropertyOptional({
    description:
      'words that are all part of code, name or group, or of what it is mapped to, whatever their case and accents',
  })
  @OptionalField()
  @IsString()
  @MaxLength(100)
  readonly search?: string;

  @ApiPropertyOptional({ enum: REFERENCE_STATES })
  @OptionalField()
  @IsIn(REFERENCE_STATES)
  readonly state?: ReferenceState;

  @ApiPropertyOptional({ enum: ['true', 'false'], description: 'false: only what is archived on the platform' })
  @OptionalField()
  @IsIn(['true', 'false'])
  readonly active?: 'true' | 'false';

  @ApiPropertyOptional({
    enum: REFERENCE_SORTS,
    default: 'state',
    description: '`state`: unmapped first, of these the most used; with `-` descending',
  })
  @IsIn(REFERENCE_SORTS)
  readonly sort: (typeof REFERENCE_SORTS)[number] = 'state';
}

export class ReferenceTargetResponse {
  @ApiProperty({ type: String, nullable: true, description: 'dimension of a value' }) readonly group!: string | null;
  @ApiProperty({ example: '6110' }) readonly code!: string;
  @ApiProperty({ type: String, nullable: true, example: 'Travel' }) readonly name!: string | null;
}

export class ReferenceResponse {
  @ApiProperty({ format: 'uuid', description: 'on the platform' }) readonly id!: string;
  @ApiProperty({ type: String, nullable: true, example: '6420' }) readonly code!: string | null;
  @ApiProperty({ example: 'Tools' }) readonly name!: string;
  @ApiProperty({ type: String, nullable: true, description: 'of a tag: code of its group' })
  readonly group!: string | null;
  @ApiProperty({ type: String, nullable: true }) readonly groupName!: string | null;
  @ApiProperty({ description: 'false: archived on the platform' }) readonly active!: boolean;
  @ApiProperty({
    enum: REFERENCE_STATES,
    description:
      'unmapped: entries with it fail · broken: its rule, or what it is linked to, cannot be posted to · partly: rules for some types of entries only · mapped',
  })
  readonly state!: ReferenceState;
  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'the rule that maps it (GET /api/v1/mapping/rules/{id}); null: by its own code or number, or not at all',
  })
  readonly ruleId!: string | null;
  @ApiProperty({ description: 'rules besides it for some types of entries' }) readonly furtherRules!: number;
  @ApiProperty({ type: ReferenceTargetResponse, nullable: true, description: 'account, tax code, value or vendor' })
  readonly target!: ReferenceTargetResponse | null;
  @ApiProperty({ description: 'entries that named it since `usedSince`', example: 14 }) readonly entries!: number;
  @ApiProperty({ type: [MoneyResponse], description: 'of these entries’ lines, by currency' })
  readonly amounts!: readonly MoneyResponse[];
  @ApiProperty({ type: String, format: 'date', nullable: true, description: 'day of the newest of these entries' })
  readonly lastUsed!: string | null;
}

export class ReferenceCountsResponse {
  @ApiProperty() readonly unmapped!: number;
  @ApiProperty() readonly broken!: number;
  @ApiProperty() readonly partly!: number;
  @ApiProperty() readonly mapped!: number;
}

export class ReferencesResponse extends PageResponse {
  @ApiProperty({ description: 'of this filter, on all pages', example: 147 }) readonly total!: number;
  @ApiProperty({ type: ReferenceCountsResponse, description: 'of all that is not archived, whatever the filter' })
  readonly counts!: ReferenceCountsResponse;
  @ApiProperty({ format: 'date-time', description: 'uses are counted in exports since then, 90 days' })
  readonly usedSince!: Date;
  @ApiProperty({ type: [ReferenceResponse] }) readonly data!: readonly ReferenceResponse[];
}

export function toReferencesResponse(
  { total, counts, usedSince }: ReferencePage,
  rows: readonly ReferenceView[],
  nextCursor: string | null,
): ReferencesResponse {
  return { total, counts, usedSince, data: rows.map(toReferenceResponse), nextCursor };
}

function toReferenceResponse({ use, groupCode, groupName, ...row }: ReferenceView): ReferenceResponse {
  const { id, code, name, active, state, ruleId, furtherRules, target } = row;
  const amounts = [...(use?.hundredths ?? [])].flatMap(([text, hundredths]) => {
    const currency = parseCurrency(text);
    return (currency && moneyOf(roundedMinorFromHundredths(hundredths.toString(), currency), currency)) ?? [];
  });
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
