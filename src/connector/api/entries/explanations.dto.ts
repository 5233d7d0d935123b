import { ApiProperty } from '@nestjs/swagger';
import type { CurrentPlan, Explanation } from '../../review/explain-entry.js';
import { IssueResponse, toIssueResponse } from '../issues/issues.dto.js';
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
  @ApiProperty({
    enum: ['same', 'different', 'posts', 'fails', 'not-known'],
    description: 'posts: nothing of it was sent so far, today it would be posted like this',
  })
  readonly outcome!: string;
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
  @ApiProperty({
    enum: ['sent', 'uncertain', 'posted', 'rejected', 'reversed', 'pending', 'failed'],
    description: 'of what was sent last; pending, failed: nothing was, and how its newest export has it',
  })
  readonly state!: string;
  @ApiProperty({ example: 1, description: '0: nothing was sent' }) readonly revision!: number;
  @ApiProperty({ type: String, nullable: true }) readonly externalId!: string | null;
  @ApiProperty({ type: String, nullable: true }) readonly externalUrl!: string | null;
  @ApiProperty({ format: 'uuid', description: 'of what was sent last; else its newest one' })
  readonly exportJobId!: string;
  @ApiProperty({ type: String, nullable: true, description: 'why it failed in its newest export' })
  readonly failureReason!: string | null;
  @ApiProperty({ type: [IssueResponse], description: 'open issues that stop it; how each is resolved' })
  readonly blockedBy!: readonly IssueResponse[];
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

export function toExplanationResponse(explanation: Explanation, language: string): ExplanationResponse {
  const { record, listed, item, version, rules, laterChanges, moreVersions, today } = explanation;
  return {
    accountingEntryId: explanation.accountingEntryId,
    state: record?.state ?? listed?.state ?? 'pending',
    revision: record?.revision ?? 0,
    externalId: record?.externalId ?? null,
    externalUrl: record?.externalUrl ?? null,
    exportJobId: record?.exportJobId ?? listed?.exportJobId ?? '',
    failureReason: listed?.failureReason ?? null,
    blockedBy: explanation.blockedBy.map((row) => toIssueResponse(row, language)),
    postedAt: record?.postedAt ?? null,
    item: item ?? null,
    entries: toPlannedEntries(record?.plan ?? []),
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
