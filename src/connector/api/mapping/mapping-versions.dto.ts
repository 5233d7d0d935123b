import { ApiProperty } from '@nestjs/swagger';
import type { VersionRecord } from '../../mapping/domain/mapping.js';
import { RuleChangeResponse, RuleCountsResponse } from './mapping-files.dto.js';
import { SettingsRequest } from './settings.dto.js';
import { PageResponse } from '../http/page.dto.js';

export class VersionResponse {
  @ApiProperty({ example: 13 }) readonly version!: number;
  @ApiProperty({ enum: ['settings', 'rules', 'import', 'restore'], description: 'what made it' })
  readonly action!: string;
  @ApiProperty({ example: 'token 0198c0de-…' }) readonly author!: string;
  @ApiProperty({ type: String, nullable: true, example: 'New chart of accounts from 2027' })
  readonly reason!: string | null;
  @ApiProperty({ format: 'date-time' }) readonly createdAt!: Date;
  @ApiProperty({ type: Number, nullable: true, description: 'the version whose content it took over' })
  readonly restoredFrom!: number | null;
  @ApiProperty({ description: 'against the version before' }) readonly settingsChanged!: boolean;
  @ApiProperty({ type: RuleCountsResponse, description: 'against the version before' })
  readonly rules!: RuleCountsResponse;
  @ApiProperty({ description: 'how many rules it has', example: 412 }) readonly ruleCount!: number;
}

export class VersionsResponse extends PageResponse {
  @ApiProperty({ type: [VersionResponse] }) readonly data!: readonly VersionResponse[];
}

export class FullVersionResponse extends VersionResponse {
  @ApiProperty({ type: SettingsRequest }) readonly settings!: SettingsRequest;
  @ApiProperty({ description: 'where its rules are', example: '/api/v1/mapping/rules?version=13' })
  readonly rulesUrl!: string;
  @ApiProperty({
    description: 'what is different from the version before',
    example: '/api/v1/mapping/versions/12/diff/13',
  })
  readonly diffUrl!: string;
}

export class RestoredResponse {
  @ApiProperty({ description: 'also the ETag; the one seen when it says the same already', example: 14 })
  readonly version!: number;
}

export class SettingChangeResponse {
  @ApiProperty({ description: 'JSON pointer into the settings', example: '/accounts/wallets/EUR' })
  readonly pointer!: string;
  @ApiProperty({ type: String, nullable: true, example: '1935' }) readonly before!: string | null;
  @ApiProperty({ type: String, nullable: true, example: '1936' }) readonly after!: string | null;
}

export class DiffResponse extends PageResponse {
  @ApiProperty({ type: [SettingChangeResponse] }) readonly settings!: readonly SettingChangeResponse[];
  @ApiProperty({ type: RuleCountsResponse }) readonly counts!: RuleCountsResponse;
  @ApiProperty({ type: [RuleChangeResponse], description: 'by number of the rule, page by page' })
  readonly rules!: readonly RuleChangeResponse[];
}

export function toVersionResponse(record: VersionRecord): VersionResponse {
  const { version, action, author, createdAt, settingsChanged, rules, ruleCount } = record;
  return {
    version,
    action,
    author,
    reason: record.reason ?? null,
    createdAt,
    restoredFrom: record.restoredFrom ?? null,
    settingsChanged,
    rules,
    ruleCount,
  };
}
