import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, Matches } from 'class-validator';
import { OptionalField } from '../../../foundation/http/optional-field.js';
import type { RuleFileFormat } from '../../mapping/rule-file.js';
import { ReasonQuery, RuleResponse, VersionQuery } from './mapping-rules.dto.js';

export class ExportQuery extends VersionQuery {
  @ApiPropertyOptional({ enum: ['csv', 'json', 'xlsx'], default: 'csv' })
  @IsIn(['csv', 'json', 'xlsx'])
  readonly format: RuleFileFormat = 'csv';
}

export class ImportQuery extends ReasonQuery {
  @ApiPropertyOptional({
    enum: ['true', 'false'],
    default: 'true',
    description: 'true: only returns what would change',
  })
  @IsIn(['true', 'false'])
  readonly dryRun: 'true' | 'false' = 'true';

  @ApiPropertyOptional({
    enum: ['merge', 'replace'],
    default: 'merge',
    description: 'merge: the file adds and changes rules; replace: rules that are not in the file are removed',
  })
  @IsIn(['merge', 'replace'])
  readonly mode: 'merge' | 'replace' = 'merge';

  @ApiPropertyOptional({
    enum: ['true', 'false'],
    default: 'false',
    description: 'with `dryRun=false`: also removes rules that decided something in the last 30 days',
  })
  @IsIn(['true', 'false'])
  readonly confirm: 'true' | 'false' = 'false';

  @ApiPropertyOptional({
    description: 'with `dryRun=false`: the checksum that the dry run of the same file returned',
  })
  @OptionalField()
  @Matches(/^[0-9a-f]{64}$/)
  readonly checksum?: string;
}

export class RuleCountsResponse {
  @ApiProperty({ example: 12 }) readonly added!: number;
  @ApiProperty({ example: 3 }) readonly changed!: number;
  @ApiProperty({ example: 0 }) readonly removed!: number;
}

export class RuleChangeResponse {
  @ApiProperty({ enum: ['added', 'changed', 'removed'] }) readonly change!: string;
  @ApiProperty({ example: '17' }) readonly id!: string;
  @ApiProperty({ type: RuleResponse, nullable: true }) readonly before!: RuleResponse | null;
  @ApiProperty({ type: RuleResponse, nullable: true }) readonly after!: RuleResponse | null;
}

export class ImportResponse {
  @ApiProperty({
    type: [String],
    description: 'rules to be removed that decided something in the last 30 days: needs `confirm=true`; the first 100',
    example: ['17'],
  })
  readonly removedInUse!: readonly string[];

  @ApiProperty({ description: 'commits this file on this version' }) readonly checksum!: string;
  @ApiProperty({ description: 'after a dry run the version seen; also the ETag', example: 13 })
  readonly version!: number;
  @ApiProperty({ description: 'whether anything was saved' }) readonly saved!: boolean;
  @ApiProperty({ type: RuleCountsResponse }) readonly counts!: RuleCountsResponse;
  @ApiProperty({
    type: [RuleChangeResponse],
    description: 'the first 100; all of them by `GET /mapping/versions/{a}/diff/{b}` once saved',
  })
  readonly changes!: readonly RuleChangeResponse[];
}
