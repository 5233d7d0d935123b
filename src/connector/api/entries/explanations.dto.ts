import { field, shape } from '../../../foundation/http/shape.js';
import type { CurrentPlan, Explanation } from '../../review/explain-entry.js';
import { localize } from '../../messages/texts.js';
import { failureFields, failureIn } from '../issues/failure-reasons.js';
import { IssueResponse, toIssueResponse } from '../issues/issues.dto.js';
import { RuleChangeResponse } from '../mapping/mapping-files.dto.js';
import { RuleResponse, toRuleResponse } from '../mapping/mapping-rules.dto.js';
import { SettingChangeResponse, toVersionResponse, VersionResponse } from '../mapping/mapping-versions.dto.js';
import { PlannedEntryResponse, toPlannedEntries } from '../previews/planned-entries.dto.js';
import { PreviewDifferenceResponse } from '../previews/previews.dto.js';
import { toRuleChangeResponse } from '../mapping/rule-change-response.js';

export class LaterChangeResponse extends shape({
  version: field.one(VersionResponse),
  settings: field.many(SettingChangeResponse),
  rules: field.many(RuleChangeResponse),
}) {}

export class TodayResponse extends shape({
  outcome: field.oneOf(
    ['same', 'different', 'posts', 'posts-with-new-vendor', 'fails', 'not-known'],
    'posts: nothing of it was sent so far, today it would be posted like this; posts-with-new-vendor: its vendor would be created first',
  ),
  source: field
    .oneOf(
      ['platform', 'stored'],
      'what it was planned from: the platform’s data of today, or what the connector keeps',
    )
    .nullable(),
  mappingVersion: field.number({ example: 14 }).nullable(),
  entries: field.many(PlannedEntryResponse),
  differences: field.many(PreviewDifferenceResponse, 'before: as posted; after: as it would be today'),
  reason: field
    .text('why it would fail, as in `failureReason`, which vendor would be created, or why it is not known')
    .nullable(),
}) {}

export class ExplanationResponse extends shape({
  accountingEntryId: field.uuid(),
  state: field.oneOf(
    ['sent', 'uncertain', 'posted', 'rejected', 'reversed', 'pending', 'successful', 'failed'],
    'of what was sent last; pending, successful, failed: the connector has sent nothing of it, and how its newest export has it',
  ),
  revision: field.number({ example: 1, description: '0: nothing was sent' }),
  externalId: field.text().nullable(),
  externalUrl: field.text().nullable(),
  exportJobId: field.uuid('of what was sent last; else its newest one'),
  ...failureFields,
  blockedBy: field.many(IssueResponse, 'open issues that stop it; how each is resolved'),
  postedAt: field.instant().nullable(),
  item: field.json<object>('what the connector keeps of the item: no names of persons, notes or receipts').nullable(),
  entries: field.many(
    PlannedEntryResponse,
    'as posted: every line with what decided its account, tax code and dimensions (`decision`), the `rate`, and with `originalDate` the day from which a closed period moved the posting',
  ),
  version: field.one(VersionResponse, 'the mapping that it was booked with').nullable(),
  rules: field.many(RuleResponse, 'the rules that decided something of it, as they were'),
  laterChanges: field.many(
    LaterChangeResponse,
    'saves since then that changed something which had decided it, the newest first',
  ),
  moreVersions: field.flag('whether there are more than 50 saves since'),
  today: field.one(TodayResponse, 'what it would be today'),
}) {}

export function toExplanationResponse(explanation: Explanation, language: string): ExplanationResponse {
  const { record, listed, item, version, rules, laterChanges, moreVersions, today } = explanation;
  return {
    accountingEntryId: explanation.accountingEntryId,
    state: record?.state ?? listed?.state ?? 'pending',
    revision: record?.revision ?? 0,
    externalId: record?.externalId ?? null,
    externalUrl: record?.externalUrl ?? null,
    exportJobId: record?.exportJobId ?? listed?.exportJobId ?? '',
    ...failureIn(language, listed ?? { failureType: null, failureReason: null }, listed?.issues),
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
    today: toTodayResponse(today, language),
  };
}

function toTodayResponse(today: CurrentPlan, language: string): TodayResponse {
  const nothing = { source: null, mappingVersion: null, entries: [], differences: [], reason: null };
  if (today.outcome === 'fails') {
    const { outcome, source, failureType, reason, messages, issues } = today;
    return {
      ...nothing,
      outcome,
      source,
      reason: failureIn(language, { failureType, failureReason: reason, failureMessages: messages }, issues)
        .failureReason,
    };
  }
  if (today.outcome === 'not-known') {
    const { outcome, reason } = today;
    return { ...nothing, outcome, reason: reason ? localize(language, reason).text : null };
  }
  if (today.outcome === 'posts-with-new-vendor') {
    const { vendor, ...found } = today;
    return { ...nothing, ...found, reason: localize(language, vendor).text };
  }
  const { entries, ...found } = { ...nothing, ...today };
  return { ...found, entries: toPlannedEntries(entries) };
}
