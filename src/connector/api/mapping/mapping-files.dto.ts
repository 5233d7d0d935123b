import { input } from '../../../foundation/http/input.js';
import { field, shape, shapeWith } from '../../../foundation/http/shape.js';
import { OWNER } from '../downloads/download.interceptor.js';
import { ReasonQuery, RuleResponse, VersionQuery } from './mapping-rules.dto.js';

export class ExportQuery extends shapeWith(VersionQuery, {
  installationId: input.uuid(OWNER).optional(),
  format: input.oneOf(['csv', 'json', 'xlsx'], { default: 'csv' }),
}) {}

export class ImportQuery extends shapeWith(ReasonQuery, {
  dryRun: input.oneOf(['true', 'false'], { default: 'true', description: 'true: only returns what would change' }),
  mode: input.oneOf(['merge', 'replace'], {
    default: 'merge',
    description: 'merge: the file adds and changes rules; replace: rules that are not in the file are removed',
  }),
  confirm: input.oneOf(['true', 'false'], {
    default: 'false',
    description: 'with `dryRun=false`: also removes rules that decided something in the last 30 days',
  }),
  checksum: input
    .matching(/^[0-9a-f]{64}$/, 'with `dryRun=false`: the checksum that the dry run of the same file returned')
    .optional(),
}) {}

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
