import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsString,
  Length,
  MaxLength,
  ValidateIf,
} from 'class-validator';
import { input } from '../../../foundation/http/input.js';
import { field, shape, shapeWith } from '../../../foundation/http/shape.js';
import { SYNC_ACTIONS, SYNC_KINDS, SYNC_SUBJECTS, type SyncKind } from '../../reference-data/domain/sync-plan.js';
import { LongPageQuery, pageOf } from '../http/page.dto.js';

const RUN_STATES = ['requested', 'running', 'completed', 'completed_with_problems', 'needs_confirmation', 'failed'];
const REASONS = ['connected', 'schedule', 'person', 'vendor-created', 'export'];
const OUTCOMES = ['planned', 'sent', 'done', 'problem'] as const;
const WAITING_REASONS = ['ambiguous', 'already-linked', 'blocked', 'unknown', 'refused'];
const DECISIONS = ['link', 'create', 'archive'] as const;
const MAX_CODES = 5;
const MAX_ARCHIVES = 10_000_000;

export class SyncRunsRequest extends shape({
  kinds: input.of<readonly SyncKind[]>(
    {
      enum: SYNC_KINDS,
      isArray: true,
      maxItems: SYNC_KINDS.length,
      description: 'parts of the reference data, each a run of its own',
    },
    IsArray(),
    ArrayMinSize(1),
    ArrayMaxSize(SYNC_KINDS.length),
    ArrayUnique(),
    IsIn(SYNC_KINDS, { each: true }),
  ),
  preview: input.flag({ default: false, description: 'true: only planned, nothing is changed anywhere' }),
  confirmedArchives: input.integer({
    default: 0,
    minimum: 0,
    maximum: MAX_ARCHIVES,
    description:
      'so many records of a list may be archived, even if it is more than a fifth: `confirmation.archives` of a run with the state needs_confirmation',
  }),
}) {}

export class SyncRunsQuery extends shapeWith(LongPageQuery, {
  kind: input.oneOf(SYNC_KINDS).optional(),
}) {}

export class SyncRecordsQuery extends shapeWith(LongPageQuery, {
  outcome: input.oneOf(OUTCOMES).optional(),
  action: input.oneOf(SYNC_ACTIONS).optional(),
}) {}

export class SyncCountsResponse extends shape({
  created: field.number(),
  updated: field.number(),
  archived: field.number(),
  unarchived: field.number(),
  activated: field.number(),
  createdInErp: field.number('vendors of the platform that were created in the ERP'),
  problems: field.number('differences that need a person'),
}) {}

export class SyncConfirmationResponse extends shape({
  archives: field.number('records that would be archived: what is confirmed with `confirmedArchives`'),
  of: field.number('records of the list that are not archived now'),
}) {}

export class SyncRunResponse extends shape({
  id: field.uuid(),
  kind: field.oneOf(SYNC_KINDS),
  isPreview: field.flag(),
  reason: field.oneOf(REASONS, 'why it was requested'),
  state: field.oneOf(RUN_STATES),
  requestedAt: field.instant(),
  startedAt: field.instant().nullable(),
  finishedAt: field.instant().nullable(),
  durationMs: field.number('from start to end').nullable(),
  counts: field.one(SyncCountsResponse),
  confirmation: field
    .one(SyncConfirmationResponse, 'what a run with the state needs_confirmation waits for')
    .nullable(),
  failure: field.text('what a bookkeeper can do about it').nullable(),
}) {}

export class SyncRunsResponse extends pageOf(SyncRunResponse) {}

export class RequestedSyncRunsResponse extends shape({
  data: field.many(SyncRunResponse, 'in the order of the kinds; an open run is returned as it is'),
}) {}

export class SyncRecordResponse extends shape({
  seq: field.number(),
  subject: field.oneOf(SYNC_SUBJECTS),
  action: field.oneOf(SYNC_ACTIONS, 'null: nothing was changed, there is a problem').nullable(),
  key: field.text('the ERP’s key; of a tag with its dimension before it'),
  name: field.text(),
  outcome: field.oneOf(OUTCOMES, '"sent": the outcome is not known yet'),
  detail: field.text('what a bookkeeper can do about it').nullable(),
}) {}

export class SyncRecordsResponse extends pageOf(SyncRecordResponse) {}

export class DimensionResponse extends shape({
  code: field.text(),
  name: field.text(),
  active: field.flag(),
  values: field.number('active values'),
  isChosen: field.flag('it is a tag group on the platform'),
}) {}

export class DimensionsResponse extends shape({
  version: field.number('0 before the first choice'),
  chosen: field.texts('null before the first choice: no tag group is changed').nullable(),
  chosenBy: field.text().nullable(),
  dimensions: field.many(DimensionResponse, { maxItems: 1_000 }),
}) {}

export class DimensionsRequest extends shape({
  codes: input.of<readonly string[]>(
    { type: [String], maxItems: MAX_CODES, description: 'codes of active dimensions of the ERP' },
    IsArray(),
    ArrayMaxSize(MAX_CODES),
    ArrayUnique((code: unknown) => (typeof code === 'string' ? code.trim().toLowerCase() : code)),
    IsString({ each: true }),
    Length(1, 255, { each: true }),
  ),
}) {}

export class ChosenDimensionsResponse extends shape({
  version: field.number(),
  chosen: field.texts(),
}) {}

export class VendorCandidateResponse extends shape({
  number: field.text(),
  name: field.text(),
  country: field.text().nullable(),
  taxNumber: field.text().nullable(),
  usable: field.flag('false: blocked or archived in the ERP'),
}) {}

export class VendorMatchResponse extends shape({
  platformVendorId: field.uuid(),
  name: field.text(),
  reason: field.oneOf(WAITING_REASONS),
  detail: field.text('why the ERP refused the vendor').nullable(),
  candidates: field.many(VendorCandidateResponse, 'candidates of the ERP'),
  changedAt: field.instant(),
}) {}

export class VendorMatchesResponse extends pageOf(VendorMatchResponse) {}

export class VendorDecisionRequest extends shape({
  decision: input.oneOf(
    DECISIONS,
    'link: it is this vendor of the ERP · create: a new one in the ERP · archive: it is not wanted on the platform',
  ),
  erpVendorNumber: input
    .text({ minLength: 1, maxLength: 255, description: 'number of the ERP’s vendor; for "link" only' })
    .optional(
      ValidateIf(
        ({ decision }: { readonly decision?: unknown }, vendor) => decision === 'link' || vendor !== undefined,
      ),
    ),
}) {}

export class CompaniesQuery extends shape({
  search: input.text({ description: 'part of the name or of the registration number', default: '' }, MaxLength(200)),
  organizationId: input.uuid('only companies of this organization').optional(),
}) {}

export class CompanyResponse extends shape({
  id: field.uuid(),
  name: field.text(),
  registrationNumber: field.text().nullable(),
  country: field.text().nullable(),
}) {}

export class CompaniesResponse extends shape({
  data: field.many(CompanyResponse, { maxItems: 50 }),
}) {}
