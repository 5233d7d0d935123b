import { input } from '../../../foundation/http/input.js';
import { field, shape, shapeWith } from '../../../foundation/http/shape.js';
import { CONCERNS } from '../../operations/customer.reader.js';
import { filter } from '../http/list-filters.js';
import { LongPageQuery, pageOf } from '../http/page.dto.js';

export class CustomersQuery extends shapeWith(LongPageQuery, {
  search: filter.part('part of the company’s name, or the id of the installation or of its company'),
  concern: input
    .oneOf(
      CONCERNS,
      'near-expiry: an export ends within 15 minutes · stuck: one is due for five minutes and nobody works on it, or it fails again and again · uncertain: a posting of which nobody knows whether it is in the books · failed-tasks: all attempts were used up · discrepancies: some are open · authorization-lost: the platform or the ERP refuses the connection · paused: by an operator',
    )
    .optional(),
}) {}

export class CustomerResponse extends shape({
  id: field.uuid(),
  companyId: field.uuid(),
  companyName: field.text(),
  state: field.oneOf(['authorized', 'active', 'needs_reauthorization', 'uninstalled']),
  pausedAt: field.instant().nullable(),
  openJobs: field.number(),
  stuckJobs: field.number(),
  nearestExpiry: field.instant('of its open jobs, by the platform’s clock').nullable(),
  uncertainPostings: field.number('at most 1,000 are counted'),
  failedTasks: field.number('at most 1,000 are counted'),
  discrepancies: field.number('open ones, at most 1,000 are counted'),
  authorizationLost: field.flag(),
  lastExportAt: field.instant().nullable(),
  lastExportState: field.text().nullable(),
}) {}

export class CustomersResponse extends pageOf(CustomerResponse, 'by name; without those that are uninstalled') {}

export class CustomerJobResponse extends shape({
  id: field.uuid(),
  state: field.oneOf(['detected', 'running', 'verdict_decided']),
  items: field.number(),
  successful: field.number(),
  failed: field.number(),
  detectedAt: field.instant(),
  expiresAt: field.instant('by the platform’s clock'),
  secondsLeft: field.number('until then; negative when it is over'),
  attempts: field.number(),
  nextRunAt: field.instant('when a worker may look at it next'),
  stuck: field.flag(),
}) {}

export class PauseResponse extends shape({
  at: field.instant(),
  by: field.text('as in the audit log'),
  reason: field.text(),
}) {}

export class CustomerErpResponse extends shape({
  kind: field.text(),
  state: field.oneOf(['ok', 'needs-reauthorization']),
  problem: field.text().nullable(),
}) {}

export class CustomerDetailResponse extends shapeWith(CustomerResponse, {
  pause: field.one(PauseResponse).nullable(),
  connectionProblem: field.text('why connecting does not go on').nullable(),
  hasAdmin: field.flag('a company that was connected by API key has none at first'),
  erp: field.one(CustomerErpResponse).nullable(),
  jobs: field.many(CustomerJobResponse, 'that have not ended, the nearest end first, at most 100'),
}) {}

export class PauseRequest extends shape({
  reason: input.text({
    minLength: 1,
    maxLength: 300,
    description: 'in words that the customer reads in a verdict',
  }),
}) {}
