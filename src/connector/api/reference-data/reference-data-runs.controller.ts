import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { isUuid, type InstallationId } from '../../../kernel/ids.js';
import { message } from '../../../kernel/message.js';
import { StartSyncs } from '../../reference-data/start-syncs.js';
import { SyncReader } from '../../reference-data/sync.reader.js';
import { listLossIn } from '../../reference-data/domain/list-loss.js';
import type { SyncRunView } from '../../reference-data/domain/sync-run.js';
import { ReaderLanguage } from '../../messages/reader-language.js';
import { localizeProblem } from '../../messages/texts.js';
import { BIG_NUMBER, NUMBER, PagedList } from '../http/page.js';
import { notFound } from '../http/problems.js';
import { Idempotent } from '../http/idempotency/idempotent.interceptor.js';
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

const RUNS = new PagedList({ position: BIG_NUMBER });
const RECORDS = new PagedList({ seq: NUMBER });

/** Runs that synchronize accounts, tax codes, tags and vendors between platform and ERP, and their changes. */
@ApiTags('Reference data')
@Controller('api/v1/reference-data/runs')
export class ReferenceDataRunsController {
  constructor(
    private readonly syncReader: SyncReader,
    private readonly startSyncs: StartSyncs,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List sync runs',
    description: 'Runs and previews, newest first. The newest thirty of each kind are kept.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: SyncRunsResponse })
  async list(
    @Caller() { installationId }: Principal,
    @Query() query: SyncRunsQuery,
    @ReaderLanguage() language: string,
  ): Promise<SyncRunsResponse> {
    const { data, nextCursor } = await RUNS.page(query, (before, limit) =>
      this.syncReader.listRuns(installationId, {
        kind: query.kind,
        before: before?.position,
        limit,
      }),
    );
    return { data: data.map((run) => toResponse(run, language)), nextCursor };
  }

  @Post()
  @ApiOperation({
    summary: 'Request sync runs',
    description:
      'Starts runs, or previews of them. There is one run of a kind at a time: an open one is returned as it is. What a run with the state needs_confirmation waits for is confirmed by a new run of its kind, with `confirmedArchives` from its `confirmation`.',
  })
  @Idempotent()
  @HttpCode(202)
  @Access('bookkeeper')
  @ApiAcceptedResponse({ type: RequestedSyncRunsResponse })
  async request(
    @Caller() { installationId }: Principal,
    @Body() body: SyncRunsRequest,
    @ReaderLanguage() language: string,
  ): Promise<RequestedSyncRunsResponse> {
    const { kinds, preview: isPreview, confirmedArchives } = body;
    const runs = await this.startSyncs.startForPerson(installationId, kinds, { isPreview, confirmedArchives });
    return { data: runs.map((run) => toResponse(run, language)) };
  }

  @Get(':id')
  @ApiOperation({
    summary: 'Read a sync run',
    description: 'State and counters of one run or preview of reference data.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: SyncRunResponse })
  async read(
    @Caller() { installationId }: Principal,
    @Param('id') id: string,
    @ReaderLanguage() language: string,
  ): Promise<SyncRunResponse> {
    return toResponse(await this.find(installationId, id), language);
  }

  @Get(':id/records')
  @ApiOperation({
    summary: 'List the records of a sync run',
    description: 'Records that the run changed, or would change as a preview or once it is confirmed, with problems.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: SyncRecordsResponse })
  async records(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Query() query: SyncRecordsQuery,
  ): Promise<SyncRecordsResponse> {
    const run = await this.find(caller.installationId, id);
    return RECORDS.page(query, (after, limit) =>
      this.syncReader.listRecords(caller.installationId, run.id, {
        outcome: query.outcome,
        action: query.action,
        afterSeq: after?.seq ?? 0,
        limit,
      }),
    );
  }

  private async find(installationId: InstallationId, id: string): Promise<SyncRunView> {
    const run = isUuid(id) ? await this.syncReader.findRun(installationId, id.toLowerCase()) : undefined;
    if (run === undefined) {
      throw notFound(message('problem.not-found.run'));
    }
    return run;
  }
}

function toResponse(
  { id, kind, isPreview, reason, state, requestedAt, startedAt, finishedAt, counts, failure }: SyncRunView,
  language: string,
): SyncRunResponse {
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
    confirmation: (failure === null ? undefined : listLossIn(failure)) ?? null,
    failure: failure === null ? null : localizeProblem(language, failure),
  };
}
