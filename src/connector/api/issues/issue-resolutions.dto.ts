import { ArrayMaxSize, ArrayNotEmpty, IsString, MaxLength } from 'class-validator';
import { input } from '../../../foundation/http/input.js';
import { field, shape } from '../../../foundation/http/shape.js';
import { MAX_ISSUE_KEY_LENGTH } from '../../bookkeeping/item/issues.js';
import { localizeAll, localizeProblem } from '../../messages/texts.js';
import type { ReexportView } from '../../exports/reexport/reexport.repository.js';
import { JOB_STATES } from '../jobs/jobs.dto.js';
import { IsPlainText } from '../mapping/mapping.validators.js';

/** Issues that are resolved with one call. */
const MAX_RESOLVED = 50;
const TEXT = { maxLength: 255 } as const;

export class IssueResolutionsRequest extends shape({
  issueKeys: input.of<readonly string[]>(
    { type: [String], maxItems: MAX_RESOLVED, example: ['period:2026-02', 'vendor-blocked:4711'] },
    ArrayNotEmpty(),
    ArrayMaxSize(MAX_RESOLVED),
    IsString({ each: true }),
    MaxLength(MAX_ISSUE_KEY_LENGTH, { each: true }),
  ),
}) {}

export class RuleResolutionRequest extends shape({
  target: input.text(
    { ...TEXT, minLength: 1, description: 'in the ERP: account, tax code or dimension value', example: '6421' },
    IsPlainText(),
  ),
  targetGroup: input
    .text({ ...TEXT, description: 'of a tag: the dimension in the ERP', example: 'CC' }, IsPlainText())
    .optional(),
  itemType: input
    .text({ ...TEXT, description: 'only for items of this type', example: 'card_purchase' }, IsPlainText())
    .optional(),
  tagGroup: input
    .text({ ...TEXT, description: 'with `tag` and `itemType`: only for lines that carry it' }, IsPlainText())
    .optional(),
  tag: input.text(TEXT, IsPlainText()).optional(),
}) {}

export class SettingResolutionRequest extends shape({
  account: input.text(
    { ...TEXT, minLength: 1, description: 'external id or code of the account', example: '1936' },
    IsPlainText(),
  ),
}) {}

/** At most one of them; neither when the issue was resolved in the ERP or on the platform. */
export class IssueResolutionRequest extends shape({
  rule: input.one(RuleResolutionRequest, 'where `suggestedResolution.action` is `rule`').optional(),
  setting: input
    .one(SettingResolutionRequest, 'where `suggestedResolution.action` is `setting`; for administrators')
    .optional(),
}) {}

export const RESOLUTION_EXAMPLES = {
  rule: { summary: 'account 6420 of the platform is 6421 in the ERP', value: { rule: { target: '6421' } } },
  setting: { summary: 'the wallet of that currency', value: { setting: { account: '1936' } } },
  applied: { summary: 'the period was opened in the ERP', value: {} },
};

export class ReexportResponse extends shape({
  id: field.uuid(),
  state: field.oneOf(
    ['waiting', 'requested', 'refused', ...JOB_STATES],
    'waiting, requested: the platform has not created the job yet; from `detected` on the state of the job',
  ),
  entries: field.number({ example: 500 }),
  exportJobId: field.uuid().nullable(),
  successful: field.number({ example: 500 }),
  failed: field.number({ example: 0 }),
  problem: field.text('why it waits, was refused, or failed, in the language of `Accept-Language`').nullable(),
  requestedBy: field.text({ example: 'token 0198c0de-…' }),
  createdAt: field.instant(),
}) {}

export class ResolvedIssueResponse extends shape({
  issueKey: field.text({ example: 'period:2026-02' }),
  outcome: field.oneOf(
    ['resolved', 'unknown', 'closed', 'in-progress', 'refused'],
    'resolved: its entries are exported again · in-progress: they were already',
  ),
  reexport: field.one(ReexportResponse).nullable(),
}) {}

export class IssueResolutionsResponse extends shape({
  data: field.many(ResolvedIssueResponse, 'each issue once, in the order of the request'),
}) {}

export class IssueResolutionResponse extends shape({
  mappingVersion: field.number({ description: 'the version that resolves it', example: 13 }).nullable(),
  reexport: field.one(ReexportResponse),
}) {}

/** @param language of the reader */
export function toReexportResponse(
  { problem, problemMessages, ...view }: ReexportView,
  language: string,
): ReexportResponse {
  const text = problem === null ? null : localizeProblem(language, problem);
  return { ...view, problem: problemMessages === null ? text : localizeAll(language, problemMessages) };
}
