import { field, shape, shapeWith } from '../../../foundation/http/shape.js';
import type { VersionRecord } from '../../mapping/domain/mapping.js';
import { RuleChangeResponse, RuleCountsResponse } from './mapping-files.dto.js';
import { SettingsRequest } from './settings.dto.js';
import { PageResponse, pageOf } from '../http/page.dto.js';

export class VersionResponse extends shape({
  version: field.number({ example: 13 }),
  action: field.oneOf(['settings', 'rules', 'import', 'restore'], 'what made it'),
  author: field.text({ example: 'token 0198c0de-…' }),
  reason: field.text({ example: 'New chart of accounts from 2027' }).nullable(),
  createdAt: field.instant(),
  restoredFrom: field.number('the version whose content it took over').nullable(),
  settingsChanged: field.flag('against the version before'),
  rules: field.one(RuleCountsResponse, 'against the version before'),
  ruleCount: field.number({ description: 'how many rules it has', example: 412 }),
}) {}

export class VersionsResponse extends pageOf(VersionResponse) {}

export class FullVersionResponse extends shapeWith(VersionResponse, {
  settings: field.one(SettingsRequest),
  rulesUrl: field.text({ description: 'where its rules are', example: '/api/v1/mapping/rules?version=13' }),
  diffUrl: field.text({
    description: 'what is different from the version before',
    example: '/api/v1/mapping/versions/12/diff/13',
  }),
}) {}

export class RestoredResponse extends shape({
  version: field.number({ description: 'also the ETag; the one seen when it says the same already', example: 14 }),
}) {}

export class SettingChangeResponse extends shape({
  pointer: field.text({ description: 'JSON pointer into the settings', example: '/accounts/wallets/EUR' }),
  before: field.text({ example: '1935' }).nullable(),
  after: field.text({ example: '1936' }).nullable(),
}) {}

export class DiffResponse extends shapeWith(PageResponse, {
  settings: field.many(SettingChangeResponse),
  counts: field.one(RuleCountsResponse),
  rules: field.many(RuleChangeResponse, 'by number of the rule, page by page'),
}) {}

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
