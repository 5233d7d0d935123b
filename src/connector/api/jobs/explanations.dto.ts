import { ApiProperty } from '@nestjs/swagger';
import type { CurrentPlan, Explanation } from '../../review/explain-entry.js';
import { RuleChangeResponse } from '../mapping/mapping-files.dto.js';
import { RuleResponse, toRuleResponse } from '../mapping/mapping-rules.dto.js';
import { SettingChangeResponse, toVersionResponse, VersionResponse } from '../mapping/mapping-versions.dto.js';
import { PlannedEntryResponse, toPlannedEntries } from '../previews/planned-entries.dto.js';
import { PreviewDifferenceResponse } from '../previews/previews.dto.js';
import { toRuleChangeResponse } from '../mapping/rule-change-response.js';

export class LaterChangeResponse {
  @ApiProperty({ type: VersionResponse }) readonly version!: VersionResponse;
  @ApiProperty({ type: [SettingChangeResponse] }) readonly settings!: readonly SettingChangeResponse[];
  @ApiProperty({ type: [RuleChangeResponse] }) readonly rules!: readonly RuleChangeResponse[];
}

export class TodayResponse {
  @ApiProperty({ enum: ['same', 'different', 'fails', 'not-known'] }) readonly outcome!: string;
  @ApiProperty({
    enum: ['platform', 'stored'],
    nullable: true,
    type: String,
    description: 'what it was planned from: the platform’s data of today, or what the connector keeps',
  })
  readonly source!: string | null;
  @ApiProperty({ type: Number, nullable: true, example: 14 }) readonly mappingVersion!: number | null;
  @ApiProperty({ type: [PlannedEntryResponse] }) readonly entries!: readonly PlannedEntryResponse[];
  @ApiProperty({
    type: [PreviewDifferenceResponse],
    description: 'before: as posted; after: as it would be today',
  })
  readonly differences!: readonly PreviewDifferenceResponse[];
  @ApiProperty({ type: String, nullable: true, description: 'why it would fail' })
  readonly reason!: string | null;
}

export class ExplanationResponse {
  @ApiProperty({ format: 'uuid' }) readonly accountingEntryId!: string;
  @ApiProperty({ enum: ['sent', 'uncertain', 'posted', 'rejected', 'reversed'] }) readonly state!: string;
  @ApiProperty({ example: 1 }) readonly revision!: number;
  @ApiProperty({ type: String, nullable: true }) readonly externalId!: string | null;
  @ApiProperty({ type: String, nullable: true }) readonly externalUrl!: string | null;
  @ApiProperty({ format: 'uuid' }) readonly exportJobId!: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) readonly postedAt!: Date | null;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'what the connector keeps of the item: no names of persons, notes or receipts',
  })
  readonly item!: object | null;
  @ApiProperty({
    type: [PlannedEntryResponse],
    description:
      'as posted: every line with what decided its account, tax code and dimensions (`decision`), the `rate`, and with `originalDate` the day from which a closed period moved the posting',
  })
  readonly entries!: readonly PlannedEntryResponse[];
  @ApiProperty({ type: VersionResponse, nullable: true, description: 'the mapping that it was booked with' })
  readonly version!: VersionResponse | null;
  @ApiProperty({ type: [RuleResponse], description: 'the rules that decided something of it, as they were' })
  readonly rules!: readonly RuleResponse[];
  @ApiProperty({
    type: [LaterChangeResponse],
    description: 'saves since then that changed something which had decided it, the newest first',
  })
  readonly laterChanges!: readonly LaterChangeResponse[];
  @ApiProperty({ description: 'whether there are more than 50 saves since' }) readonly moreVersions!: boolean;
  @ApiProperty({ type: TodayResponse, description: 'what it would be today' }) readonly today!: TodayResponse;
}

export function toExplanationResponse(explanation: Explanation): ExplanationResponse {
  const { record, item, version, rules, laterChanges, moreVersions, today } = explanation;
  return {
    accountingEntryId: record.accountingEntryId,
    state: record.state,
    revision: record.revision,
    externalId: record.externalId,
    externalUrl: record.externalUrl,
    exportJobId: record.exportJobId,
    postedAt: record.postedAt,
    item: item ?? null,
    entries: toPlannedEntries(record.plan),
    version: version ? toVersionResponse(version) : null,
    rules: rules.map(toRuleResponse),
    laterChanges: laterChanges.map((change) => ({
      version: toVersionResponse(change.version),
      settings: change.settings,
      rules: change.rules.map(toRuleChangeResponse),
    })),
    moreVersions,
    today: toTodayResponse(today),
  };
}

function toTodayResponse(today: CurrentPlan): TodayResponse {
  const nothing = { source: null, mappingVersion: null, entries: [], differences: [], reason: null };
  const { entries, ...found } = { ...nothing, ...today };
  return { ...found, entries: toPlannedEntries(entries) };
}
