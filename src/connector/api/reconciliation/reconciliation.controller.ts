import { Body, Controller, Get, HttpCode, Post, Put, Query } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBearerAuth,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiTags,
} from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { Problem } from '../../../foundation/http/problem.js';
import { ReconciliationService } from '../../reconciliation/reconciliation.service.js';
import { decodeCursor, encodeCursor } from '../http/cursor.js';
import { Idempotent } from '../http/idempotent.interceptor.js';
import { PageQuery } from '../jobs/jobs.dto.js';
import { Caller, type Principal } from '../http/principal.js';
import {
  ReconciliationRequest,
  ReconciliationResponse,
  ReconciliationSettingsRequest,
  RequestedReconciliationResponse,
  type ReconciliationRunResponse,
} from './reconciliation.dto.js';

type Run = Awaited<ReturnType<ReconciliationService['listRuns']>>[number];

const POSITION = /^\d{1,18}$/;
/** A longer one is asked for in parts. */
const MAX_PERIOD_MS = 366 * 86_400_000;

@ApiTags('Reconciliation')
@ApiBearerAuth()
@Controller('api/v1/reconciliation')
export class ReconciliationController {
  constructor(private readonly reconciliationService: ReconciliationService) {}

  /** When the books are compared next, how they stand, and the runs so far. */
  @Get()
  @Access('viewer')
  @ApiOkResponse({ type: ReconciliationResponse })
  async read(@Caller() caller: Principal, @Query() query: PageQuery): Promise<ReconciliationResponse> {
    const { installationId } = caller;
    const [before] = query.after === undefined ? [] : decodeCursor(query.after, [POSITION]);
    const runs = await this.reconciliationService.listRuns(
      installationId,
      before === undefined ? undefined : BigInt(before),
      query.limit + 1,
    );
    const page = runs.slice(0, query.limit);
    const last = runs.length > query.limit ? page.at(-1) : undefined;
    return {
      ...(await this.reconciliationService.status(installationId)),
      data: page.map(toResponse),
      nextCursor: last === undefined ? null : encodeCursor([last.position.toString()]),
    };
  }

  /** Compares a job, a period, or what is compared every night, as soon as a worker is free. */
  @Post()
  @Idempotent()
  @HttpCode(202)
  @Access('bookkeeper')
  @ApiAcceptedResponse({ type: RequestedReconciliationResponse })
  async request(
    @Caller() { installationId }: Principal,
    @Body() body: ReconciliationRequest,
  ): Promise<RequestedReconciliationResponse> {
    const { exportJobId } = body;
    const period = periodOf(body);
    const id = await this.reconciliationService.request(installationId, {
      exportJobId: exportJobId?.toLowerCase(),
      period,
    });
    if (id === undefined) {
      throw new Problem({ status: 404, type: 'not-found', detail: 'There is no such export job.' });
    }
    return { id };
  }

  /** Sets after how many days an open discrepancy is an alarm. */
  @Put('settings')
  @HttpCode(204)
  @Access('admin')
  @ApiNoContentResponse()
  async setUp(
    @Caller() { installationId }: Principal,
    @Body() { alertAfterDays }: ReconciliationSettingsRequest,
  ): Promise<void> {
    await this.reconciliationService.setAlertAfterDays(installationId, alertAfterDays);
  }
}

/** @throws Problem 400 for a period that is none, is too long, or stands beside a job */
function periodOf({ exportJobId, from, until }: ReconciliationRequest) {
  if (from === undefined && until === undefined) {
    return undefined;
  }
  const period = { from: new Date(from ?? ''), until: new Date(until ?? '') };
  const length = period.until.getTime() - period.from.getTime();
  // A bound that is missing or cannot be read makes the length no number, which no comparison holds for.
  if (exportJobId === undefined && length > 0 && length <= MAX_PERIOD_MS) {
    return period;
  }
  throw new Problem({
    status: 400,
    type: 'invalid-period',
    detail: 'Give a job, or both "from" and "until" with at most 366 days between them, or none of these.',
  });
}

function toResponse(run: Run): ReconciliationRunResponse {
  const { id, kind, reason, state, exportJobId, from, until, requestedAt, startedAt, finishedAt } = run;
  const { jobs, items, discrepancies, repaired, failure } = run;
  const when = { from, until, requestedAt, startedAt, finishedAt };
  const done = { jobs, items: Number(items), discrepancies: discrepancies, repaired, failure };
  return { id, kind, reason, state, exportJobId, ...when, ...done };
}
