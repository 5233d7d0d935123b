import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, Matches } from 'class-validator';
import { field, shape } from '../../../foundation/http/shape.js';
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

export class RuleCountsResponse extends shape({
  added: field.number({ example: 12 }),
  changed: field.number({ example: 3 }),
  removed: field.number({ example: 0 }),
}) {}

export class RuleChangeResponse extends shape({
  change: field.oneOf(['added', 'changed', 'removed']),
  id: field.text({ example: '17' }),
  before: field.one(RuleResponse).nullable(),
  after: field.one(RuleResponse).nullable(),
}) {}

export class ImportResponse extends shape({
  removedInUse: field.texts({
    description: 'rules to be removed that decided something in the last 30 days: needs `confirm=true`; the first 100',
    example: ['17'],
  }),
  checksum: field.text('commits this file on this version'),
  version: field.number({ description: 'after a dry run the version seen; also the ETag', example: 13 }),
  saved: field.flag('whether anything was saved'),
  counts: field.one(RuleCountsResponse),
  changes: field.many(
    RuleChangeResponse,
    'the first 100; all of them by `GET /mapping/versions/{a}/diff/{b}` once saved',
  ),
}) {}
