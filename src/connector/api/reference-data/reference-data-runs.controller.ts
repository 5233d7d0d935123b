import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBearerAuth, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { Problem } from '../../../foundation/http/problem.js';
import { isUuid } from '../../../kernel/ids.js';
import { ReferenceDataService } from '../../reference-data/reference-data.service.js';
import type { SyncRunView } from '../../reference-data/domain/sync-run.js';
import { decodeCursor, encodeCursor } from '../http/cursor.js';
import { Idempotent } from '../http/idempotent.interceptor.js';
import { Caller, type Principal } from '../http/principal.js';
import {
  RequestedSyncRunsResponse,
  SyncRecordsQuery,
  SyncRecordsResponse,
  SyncRunResponse,
  SyncRunsQuery,
  SyncRunsRequest,
  SyncRunsResponse,
} from './reference-data.dto.js';

const POSITION = /^\d{1,18}$/;
const SEQ = /^\d{1,9}$/;

/** Runs that bring accounts, tax codes, tags and vendors of platform and ERP in step, and what they changed. */
@ApiTags('Reference data')
@ApiBearerAuth()
@Controller('api/v1/reference-data/runs')
export class ReferenceDataRunsController {
  constructor(private readonly referenceDataService: ReferenceDataService) {}

  /** Runs and previews, newest first. The newest thirty of each kind are kept. */
  @Get()
  @Access('viewer')
  @ApiOkResponse({ type: SyncRunsResponse })
  async list(
    @Caller() { installationId }: Principal,
    @Query() query: SyncRunsQuery,
  ): Promise<SyncRunsResponse> {
    const [before] = query.after === undefined ? [] : decodeCursor(query.after, [POSITION]);
    const runs = await this.referenceDataService.listRuns(installationId, {
      kind: query.kind,
      before: before === undefined ? undefined : BigInt(before),
      limit: query.limit + 1,
    });
    const shown = runs.slice(0, query.limit);
    const last = runs.length > query.limit ? shown.at(-1) : undefined;
    return {
      data: shown.map(toResponse),
      nextCursor: last === undefined ? null : encodeCursor([last.position.toString()]),
    };
  }

  /** Starts runs, or previews of them. Of a kind there is one at a time: one that is open is answered as it stands. */
  @Post()
  @Idempotent()
  @HttpCode(202)
  @Access('bookkeeper')
  @ApiAcceptedResponse({ type: RequestedSyncRunsResponse })
  async request(
    @Caller() { installationId }: Principal,
    @Body() body: SyncRunsRequest,
  ): Promise<RequestedSyncRunsResponse> {
    const runs = await this.referenceDataService.request(installationId, body.kinds, body.preview);
    return { data: (runs ?? []).map(toResponse) };
  }

  @Get(':id')
  @Access('viewer')
  @ApiOkResponse({ type: SyncRunResponse })
  async read(@Caller() { installationId }: Principal, @Param('id') id: string): Promise<SyncRunResponse> {
    // An id that is none and one of somebody else get the same answer as one that does not exist.
    const run = isUuid(id)
      ? await this.referenceDataService.findRun(installationId, id.toLowerCase())
      : undefined;
    if (run === undefined) {
      throw new Problem({ status: 404, type: 'not-found', detail: 'There is no such run.' });
    }
    return toResponse(run);
  }

  /** Each record that the run changed, or that its preview would change, and what is in its way. */
  @Get(':id/records')
  @Access('viewer')
  @ApiOkResponse({ type: SyncRecordsResponse })
  async records(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Query() query: SyncRecordsQuery,
  ): Promise<SyncRecordsResponse> {
    const run = await this.read(caller, id);
    const [after] = query.after === undefined ? ['0'] : decodeCursor(query.after, [SEQ]);
    const filter = { outcome: query.outcome, afterSeq: Number(after), limit: query.limit + 1 };
    const records = await this.referenceDataService.listRecords(caller.installationId, run.id, filter);
    const data = records.slice(0, query.limit);
    const last = records.length > query.limit ? data.at(-1) : undefined;
    return { data, nextCursor: last === undefined ? null : encodeCursor([last.seq]) };
  }
}

function toResponse({
  id,
  kind,
  isPreview,
  reason,
  state,
  requestedAt,
  startedAt,
  finishedAt,
  counts,
  failure,
}: SyncRunView): SyncRunResponse {
  const durationMs = startedAt && finishedAt && finishedAt.getTime() - startedAt.getTime();
  return {
    id,
    kind,
    isPreview,
    reason,
    state,
    requestedAt,
    startedAt,
    finishedAt,
    durationMs,
    counts,
    failure,
  };
}
