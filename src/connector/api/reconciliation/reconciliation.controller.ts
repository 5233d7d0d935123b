import { Body, Controller, Get, HttpCode, Post, Put, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { message } from '../../../kernel/message.js';
import { ReaderLanguage } from '../../messages/reader-language.js';
import { localizeProblem } from '../../messages/texts.js';
import type { RunView } from '../../reconciliation/domain/reconciliation-run.js';
import { ReconciliationReader } from '../../reconciliation/reconciliation.reader.js';
import { RequestReconciliation } from '../../reconciliation/request-reconciliation.js';
import { SetAlertLimit } from '../../reconciliation/set-alert-limit.js';
import { Idempotent } from '../http/idempotency/idempotent.interceptor.js';
import { jobNotFound } from '../http/outcome-problems.js';
import { PageQuery } from '../http/page.dto.js';
import { BIG_NUMBER, PagedList } from '../http/page.js';
import { problem } from '../http/problems.js';
import { Caller, type Principal } from '../http/principal.js';
import {
  ReconciliationRequest,
  ReconciliationResponse,
  ReconciliationSettingsRequest,
  RequestedReconciliationResponse,
  type ReconciliationRunResponse,
} from './reconciliation.dto.js';

const RUNS = new PagedList({ position: BIG_NUMBER });
/** A longer period takes several requests. */
const MAX_PERIOD_MS = 366 * 86_400_000;

@ApiTags('Reconciliation')
@Controller('api/v1/reconciliation')
export class ReconciliationController {
  constructor(
    private readonly reconciliationReader: ReconciliationReader,
    private readonly requestReconciliation: RequestReconciliation,
    private readonly setAlertLimit: SetAlertLimit,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Read the state of reconciliation',
    description: 'The next run, open discrepancies, and the runs so far.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: ReconciliationResponse })
  async read(
    @Caller() caller: Principal,
    @Query() query: PageQuery,
    @ReaderLanguage() language: string,
  ): Promise<ReconciliationResponse> {
    const { installationId } = caller;
    const { data, nextCursor } = await RUNS.page(query, (before, limit) =>
      this.reconciliationReader.listRuns(installationId, before?.position, limit),
    );
    return {
      ...(await this.reconciliationReader.readStatus(installationId)),
      data: data.map((run) => toResponse(run, language)),
      nextCursor,
    };
  }

  @Post()
  @ApiOperation({
    summary: 'Request a reconciliation',
    description: 'Requests a reconciliation of a job, a period, or the scope of the nightly run.',
  })
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
    const id = await this.requestReconciliation.request(installationId, {
      exportJobId: exportJobId?.toLowerCase(),
      period,
    });
    if (id === undefined) {
      throw jobNotFound();
    }
    return { id };
  }

  @Put('settings')
  @ApiOperation({
    summary: 'Save the reconciliation settings',
    description: 'Sets after how many days an open discrepancy raises an alert.',
  })
  @HttpCode(204)
  @Access('admin')
  @ApiNoContentResponse()
  async setUp(
    @Caller() { installationId }: Principal,
    @Body() { alertAfterDays }: ReconciliationSettingsRequest,
  ): Promise<void> {
    await this.setAlertLimit.setAlertAfterDays(installationId, alertAfterDays);
  }
}

/** @throws Problem 400 for an invalid or too long period, or one together with a job */
function periodOf({ exportJobId, from, until }: ReconciliationRequest) {
  if (from === undefined && until === undefined) {
    return undefined;
  }
  const period = { from: new Date(from ?? ''), until: new Date(until ?? '') };
  const length = period.until.getTime() - period.from.getTime();
  // A missing or invalid bound makes the length NaN, for which no comparison holds.
  if (exportJobId === undefined && length > 0 && length <= MAX_PERIOD_MS) {
    return period;
  }
  throw problem('invalid-period', message('problem.invalid-period.detail'));
}

function toResponse(run: RunView, language: string): ReconciliationRunResponse {
  const { id, kind, reason, state, exportJobId, from, until, requestedAt, startedAt, finishedAt } = run;
  const { jobs, items, discrepancies, repaired } = run;
  const failure = run.failure && localizeProblem(language, run.failure);
  const when = { from, until, requestedAt, startedAt, finishedAt };
  const done = { jobs, items: Number(items), discrepancies, repaired, failure };
  return { id, kind, reason, state, exportJobId, ...when, ...done };
}
