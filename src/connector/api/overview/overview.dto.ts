import { field, shape, shapeWith } from '../../../foundation/http/shape.js';
import { PausedResponse } from '../connection/connection.dto.js';
import { IssueResponse } from '../issues/issues.dto.js';
import { JobResponse } from '../jobs/jobs.dto.js';
import { MoneyResponse } from '../http/money.dto.js';

export const BADGES = ['proved', 'differs', 'nothing-posted', 'not-verifiable', 'waiting'] as const;
const HEALTH = ['ok', 'limited', 'action-needed', 'not-connected'] as const;

export class OpenWorkResponse extends shape({
  count: field.number({ example: 3 }),
  amounts: field.many(MoneyResponse, 'sums by currency; unknown amounts are in none'),
  oldest: field.instant('since when the oldest is open').nullable(),
}) {}

export class OpenIssuesResponse extends shapeWith(OpenWorkResponse, {
  entries: field.number({ description: 'entries that are blocked, each once', example: 5 }),
  first: field.many(IssueResponse, 'the five with the greatest sums, the greatest first'),
}) {}

export class RunningJobResponse extends shapeWith(JobResponse, {
  secondsLeft: field.number({ description: 'until it expires; 0 when that is over', example: 2_940 }),
}) {}

export class CertificateBadgeResponse extends shape({
  state: field.oneOf(
    BADGES,
    'proved: the ERP showed what was planned, digest by digest · differs: it did not, or discrepancies were open · nothing-posted: there is nothing to prove · not-verifiable: the ERP cannot be searched · waiting: no certificate yet',
  ),
  sequence: field.text('of the certificate').nullable(),
  planned: field.number({ description: 'journal entries that were planned', example: 142 }).nullable(),
  readBack: field.number({ description: 'journal entries that were read back', example: 142 }).nullable(),
  discrepancies: field.number({ description: 'open discrepancies when it was made', example: 0 }).nullable(),
  difference: field.many(
    MoneyResponse,
    'debits planned less debits read back, by currency; empty where nothing was read back',
  ),
}) {}

export class EndedJobResponse extends shapeWith(JobResponse, {
  certificate: field.one(CertificateBadgeResponse),
}) {}

export class HealthResponse extends shape({
  state: field.oneOf(HEALTH),
  name: field.text('as people call it').nullable(),
  problem: field.text('what is wrong, and who does what about it').nullable(),
  lastSuccessAt: field.instant('of the last call that worked, where known').nullable(),
}) {}

export class NextRunsResponse extends shape({
  sync: field.instant().nullable(),
  reconciliation: field.instant().nullable(),
}) {}

export class OverviewResponse extends shape({
  at: field.instant('when it was read'),
  paused: field
    .one(PausedResponse, 'while the operator of the service has paused exports; null: they are not paused')
    .nullable(),
  needsAttention: field.number({
    description: 'issues, postings, discrepancies, connections and a failed export that need a person',
    example: 3,
  }),
  failedExport: field
    .one(JobResponse, 'the newest export, if it has ended without a result for each of its items; else null')
    .nullable(),
  issues: field.one(OpenIssuesResponse),
  inDoubtPostings: field.one(OpenWorkResponse, 'amounts: sums of the debits'),
  discrepancies: field.one(OpenWorkResponse),
  runningJobs: field.many(RunningJobResponse, 'of the newest 20 jobs, nearest deadline first'),
  lastExports: field.many(EndedJobResponse, 'the last five, newest first'),
  nextRuns: field.one(NextRunsResponse, 'null: not planned yet'),
  platform: field.one(HealthResponse),
  erp: field.one(HealthResponse),
}) {}
