import { IsDateString, MaxLength } from 'class-validator';
import { input } from '../../../foundation/http/input.js';
import { field, shape, shapeWith } from '../../../foundation/http/shape.js';
import { MessageResponse } from '../../messages/message.dto.js';
import { DISCREPANCY_CLASSES } from '../../reconciliation/domain/discrepancy-class.js';
import type { Evidence } from '../../reconciliation/domain/evidence.js';
import { NamedEntryResponse } from '../entries/named-entry.dto.js';
import { moneyOrNull } from '../http/money.dto.js';
import { LongPageQuery, PageResponse, pageOf } from '../http/page.dto.js';

export const MAX_NOTE_LENGTH = 1_000;
const STATES = ['open', 'accepted', 'repaired'] as const;
const ACTIONS = ['accept', 'reverse', 're-export'] as const;

export class ReconciliationRunResponse extends shape({
  id: field.uuid(),
  kind: field.oneOf(['period', 'job']),
  reason: field.oneOf(['schedule', 'person', 'job']),
  state: field.oneOf(['requested', 'running', 'completed', 'failed']),
  exportJobId: field.uuid().nullable(),
  from: field.instant('start, inclusive, by the creation of the job on the platform'),
  until: field.instant('end, exclusive'),
  requestedAt: field.instant(),
  startedAt: field.instant().nullable(),
  finishedAt: field.instant().nullable(),
  jobs: field.number('jobs compared'),
  items: field.number('items compared'),
  discrepancies: field.number('discrepancies seen, those repaired at once included'),
  repaired: field.number(),
  failure: field.text('what can be done about it').nullable(),
}) {}

export class ReconciliationResponse extends shapeWith(PageResponse, {
  timeZone: field.text({ example: 'Europe/Copenhagen', description: 'of the nightly run' }).nullable(),
  nextRunAt: field.instant().nullable(),
  alertAfterDays: field.number('days after which an open discrepancy raises an alert'),
  openDiscrepancies: field.number(),
  overdueDiscrepancies: field.number('open for longer than that'),
  data: field.many(ReconciliationRunResponse, 'newest first'),
}) {}

export class ReconciliationRequest extends shape({
  exportJobId: input.uuid('only this job').optional(),
  from: input
    .of<string>(
      {
        type: String,
        format: 'date-time',
        description: 'start, inclusive, by the creation of the job on the platform',
      },
      IsDateString({ strict: true }),
      MaxLength(40),
    )
    .optional(),
  until: input
    .of<string>(
      { type: String, format: 'date-time', description: 'end, exclusive; both or neither' },
      IsDateString({ strict: true }),
      MaxLength(40),
    )
    .optional(),
}) {}

export class RequestedReconciliationResponse extends shape({
  id: field.uuid(),
}) {}

export class ReconciliationSettingsRequest extends shape({
  alertAfterDays: input.integer({
    minimum: 1,
    maximum: 365,
    description: 'days after which an open discrepancy raises an alert',
  }),
}) {}

export class DiscrepanciesQuery extends shapeWith(LongPageQuery, {
  state: input.oneOf(STATES, { default: 'open' }),
  class: input.oneOf(DISCREPANCY_CLASSES).optional(),
}) {}

const ANY_OBJECT = { type: 'object', additionalProperties: true };

/** What was compared. */
const EVIDENCE = {
  type: 'object',
  properties: {
    platform: { ...ANY_OBJECT, nullable: true },
    record: { ...ANY_OBJECT, nullable: true, description: 'of the connector' },
    erp: {
      description: 'its groups of entries, one entry, or in a word why there is none; null: it was not searched',
      oneOf: [{ type: 'array', items: ANY_OBJECT }, { ...ANY_OBJECT, nullable: true }, { type: 'string' }],
    },
    refusal: { type: 'string', description: 'why the ERP refused the action, and what to do' },
  },
  required: ['platform', 'record', 'erp'],
};

export class DiscrepancyResponse extends shape({
  id: field.uuid(),
  class: field.oneOf(DISCREPANCY_CLASSES),
  message: field.one(MessageResponse, 'what differs'),
  subject: field.text('an accounting entry, a job, or a key of the ERP'),
  accountingEntryId: field.uuid().nullable(),
  entry: field.one(NamedEntryResponse, 'what is known of it; null: nothing').nullable(),
  exportJobId: field.uuid().nullable(),
  erpCompanyId: field.text().nullable(),
  evidence: field.of<Evidence>(EVIDENCE),
  currency: field.text({ example: 'EUR' }).nullable(),
  amount: field.text({ description: 'left unexplained, in main units', example: '125.00' }).nullable(),
  money: moneyOrNull({ description: 'left unexplained' }),
  state: field.oneOf(STATES),
  firstSeenAt: field.instant(),
  lastSeenAt: field.instant(),
  settledAt: field.instant().nullable(),
  settledBy: field.text().nullable(),
  settledAs: field.text('what was done').nullable(),
  note: field.text().nullable(),
  reexportId: field.uuid('of the requested re-export').nullable(),
  actions: field.someOf(ACTIONS, 'what can be done about it'),
}) {}

export class DiscrepanciesResponse extends pageOf(DiscrepancyResponse) {}

export class DiscrepancyActionRequest extends shape({
  action: input.oneOf(ACTIONS),
  note: input.text({ minLength: 1, maxLength: MAX_NOTE_LENGTH, description: 'why, for the record' }),
}) {}
