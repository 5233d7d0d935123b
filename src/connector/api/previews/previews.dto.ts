import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsObject, Max } from 'class-validator';
import { input } from '../../../foundation/http/input.js';
import { field, shape, shapeWith } from '../../../foundation/http/shape.js';
import { listedFactsOf } from '../../exports/domain/search/listed-facts.js';
import { PREVIEW_ACTIONS } from '../../review/domain/preview-result.js';
import type { PreviewCounts } from '../../review/preview.reader.js';
import type { Preview, PreviewEntry } from '../../review/preview.repository.js';
import { localize, localizeProblem } from '../../messages/texts.js';
import { ReexportResponse } from '../issues/issue-resolutions.dto.js';
import { RuleUpsertRequest } from '../mapping/mapping-rules.dto.js';
import { PlannedEntryResponse, toPlannedEntries } from './planned-entries.dto.js';
import { PageQuery, pageOf } from '../http/page.dto.js';

const MAX_ITEMS = 200;
const MAX_RULES = 1_000;
const MAX_JOB_ITEMS = 1_000;
const DIGEST = /^[0-9a-f]{64}$/;

export class PreviewRequestBody extends shape({
  jobId: input.uuid('an export job, whatever its state; or `items`').optional(),
  skip: input.integer(
    { minimum: 0, default: 0, description: 'items of the job to leave out, from its first' },
    Max(10_000_000),
  ),
  limit: input.integer({ minimum: 1, maximum: MAX_JOB_ITEMS, default: 200, description: 'items of the job' }),
  items: input
    .of<readonly object[]>(
      {
        type: 'array',
        items: { type: 'object', additionalProperties: true },
        maxItems: MAX_ITEMS,
        description: `export items as the platform sends them, at most ${MAX_ITEMS.toString()}; or \`jobId\``,
      },
      IsArray(),
      ArrayNotEmpty(),
      ArrayMaxSize(MAX_ITEMS),
      IsObject({ each: true }),
    )
    .optional(),
  mappingVersion: input
    .integer({ minimum: 1, description: 'the newest by default', example: 12 }, Max(999_999_999))
    .optional(),
  rules: input
    .many(RuleUpsertRequest, {
      maxItems: MAX_RULES,
      description:
        'instead of the rules of the version, saved nowhere; such a preview cannot be committed. Of two for the same, only one could decide: they are refused, named by their `id` where they have one',
    })
    .optional(),
}) {}

export const PREVIEW_EXAMPLES = {
  job: {
    summary: 'a job against the newest mapping',
    value: { jobId: '0198c0de-0000-7000-8000-000000000001' },
  },
  version: {
    summary: 'the same against an older version',
    value: { jobId: '0198c0de-0000-7000-8000-000000000001', mappingVersion: 11 },
  },
  rules: {
    summary: 'against rules that are not saved yet',
    value: {
      jobId: '0198c0de-0000-7000-8000-000000000001',
      rules: [{ subject: 'account', source: '6420', target: '6421' }],
    },
  },
};

export class PreviewActionResponse extends shape({
  action: field.oneOf(PREVIEW_ACTIONS),
  entries: field.number({ example: 5 }),
}) {}

export class PreviewResponse extends shape({
  id: field.uuid(),
  jobId: field.uuid().nullable(),
  source: field.oneOf(
    ['platform', 'stored', 'provided'],
    'stored: what the connector stores of the items, without names, notes and receipts',
  ),
  mappingVersion: field.number({ example: 12 }),
  saved: field.flag('false with rules that are not saved'),
  digest: field.text('over everything that decided it; commit with it'),
  entries: field.number({ example: 147 }),
  actions: field.many(PreviewActionResponse, 'how many entries have each action'),
  toPost: field.number({ description: 'entries that a commit would post', example: 5 }),
  more: field.flag('whether the job has more items than `limit`: preview them with `skip`'),
  createdAt: field.instant(),
  expiresAt: field.instant(),
}) {}

export class PreviewDifferenceResponse extends shape({
  pointer: field.text({ description: 'JSON pointer into `entries`', example: '/0/lines/0/account/code' }),
  before: field.text('in the books').nullable(),
  after: field.text('in the preview').nullable(),
}) {}

export class PreviewIssueResponse extends shape({
  failureType: field.text({ example: 'account_unknown' }),
  message: field.text('in the language of `Accept-Language`'),
  issueKey: field.text({ description: 'key of its issue', example: 'account:6420' }),
}) {}

export class PostedStateResponse extends shape({
  state: field.oneOf(['nothing', 'standing', 'not-looked-up']),
  externalId: field.text().nullable(),
  externalUrl: field.text().nullable(),
  linesKnown: field.flag('false: it is in the books with lines that the connector has not recorded'),
}) {}

export class PreviewEntryResponse extends shape({
  position: field.number({ example: 1 }),
  accountingEntryId: field.uuid(),
  date: field.day('of the expense').nullable(),
  type: field.text({ example: 'card_purchase' }).nullable(),
  supplier: field.text('the vendor’s name').nullable(),
  person: field.text('the person’s code').nullable(),
  documentNumber: field.text().nullable(),
  expenseUrl: field
    .text('address of the expense on the platform; null where it gave none, or nothing is kept')
    .nullable(),
  action: field.oneOf(PREVIEW_ACTIONS, 'what an export would do now'),
  entries: field.many(
    PlannedEntryResponse,
    'journal entries with every line; `decision` says what chose an account, tax code or dimension value: the rule (`ruleId`), the identifier, the code, a setting, a fallback …',
  ),
  warnings: field.texts('in the language of `Accept-Language`'),
  issues: field.many(PreviewIssueResponse),
  inBooks: field.one(PostedStateResponse),
  differences: field.many(PreviewDifferenceResponse, 'against what the books hold; at most 50'),
}) {}

export class PreviewEntriesQuery extends shapeWith(PageQuery, {
  action: input.oneOf(PREVIEW_ACTIONS, 'only what an export would do this with').optional(),
}) {}

export class PreviewEntriesResponse extends pageOf(PreviewEntryResponse) {}

export class CommitRequest extends shape({
  digest: input.matching(DIGEST, '`digest` of the preview that was looked at'),
}) {}

export class CommittedResponse extends shape({
  reexport: field.one(ReexportResponse),
}) {}

export function toPreviewResponse(preview: Preview, { actions, toPost }: PreviewCounts): PreviewResponse {
  const { id, source, mappingVersion, saved, digest, entries, more, createdAt, expiresAt } = preview;
  return {
    id,
    jobId: preview.exportJobId,
    source,
    mappingVersion,
    saved,
    digest,
    entries,
    actions: [...actions],
    toPost,
    more,
    createdAt,
    expiresAt,
  };
}

export function toPreviewEntryResponse(
  { position, accountingEntryId, item, result }: PreviewEntry,
  language: string,
): PreviewEntryResponse {
  const { date, type, supplier, person, documentNumber, expenseUrl } = listedFactsOf(item ?? undefined);
  const facts = { date, type, supplier, person, documentNumber, expenseUrl };
  const issues = result.issues.map(({ reason, message, ...issue }) => ({
    ...issue,
    message: reason === undefined ? message : localize(language, reason).text,
  }));
  const warnings = result.warnings.map((warning) => localizeProblem(language, warning));
  return {
    ...{ position, accountingEntryId, ...facts, ...result, issues, warnings },
    entries: toPlannedEntries(result.entries),
  };
}
