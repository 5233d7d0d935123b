import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBearerAuth, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { Problem } from '../../../foundation/http/problem.js';
import { isUuid, toExportJobId, type ExportJobId } from '../../../kernel/ids.js';
import { decodeCursor, encodeCursor, INSTANT, UUID } from '../http/cursor.js';
import { Idempotent } from '../http/idempotent.interceptor.js';
import { ItemQuery, ItemsResponse, JobResponse, JobsResponse, PageQuery } from './jobs.dto.js';
import { Caller, type Principal } from '../http/principal.js';
import { RequestDetection } from '../../exports/run/request-detection.js';
import { ExportJobReader } from '../../exports/stores/export-job.reader.js';

const POSITION = /^\d{1,9}$/;

@ApiTags('Export jobs')
@ApiBearerAuth()
@Controller('api/v1/jobs')
export class JobsController {
  constructor(
    private readonly exportJobReader: ExportJobReader,
    private readonly requestDetection: RequestDetection,
  ) {}

  /** Export jobs, newest first. */
  @Get()
  @Access('viewer')
  @ApiOkResponse({ type: JobsResponse })
  async list(@Caller() caller: Principal, @Query() query: PageQuery): Promise<JobsResponse> {
    const [detectedAt, id] = query.after === undefined ? [] : decodeCursor(query.after, [INSTANT, UUID]);
    const after =
      detectedAt === undefined || id === undefined ? undefined : { detectedAt: new Date(detectedAt), id };
    const jobs = await this.exportJobReader.jobs(caller.installationId, after, query.limit + 1);
    const data = jobs.slice(0, query.limit);
    const last = jobs.length > query.limit ? data.at(-1) : undefined;
    return {
      data,
      nextCursor: last === undefined ? null : encodeCursor([last.detectedAt.toISOString(), last.id]),
    };
  }

  /** Looks at the platform for new jobs now, besides the webhooks and the regular polling. */
  @Post('detections')
  @Idempotent()
  @HttpCode(202)
  @Access('bookkeeper')
  @ApiAcceptedResponse()
  async detect(@Caller() caller: Principal): Promise<void> {
    await this.requestDetection.requestDetection(caller.installationId);
  }

  @Get(':id')
  @Access('viewer')
  @ApiOkResponse({ type: JobResponse })
  async read(@Caller() caller: Principal, @Param('id') id: string): Promise<JobResponse> {
    const job = await this.exportJobReader.job(caller.installationId, jobIdOf(id));
    if (job === undefined) {
      throw unknownJob();
    }
    return job;
  }

  /** The job's items in their order, with what happened to each and what to do about the failed ones. */
  @Get(':id/items')
  @Access('viewer')
  @ApiOkResponse({ type: ItemsResponse })
  async items(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Query() query: ItemQuery,
  ): Promise<ItemsResponse> {
    const { id: jobId } = await this.read(caller, id);
    const [position] = query.after === undefined ? ['0'] : decodeCursor(query.after, [POSITION]);
    const filter = { state: query.state, afterPosition: Number(position), limit: query.limit + 1 };
    const items = await this.exportJobReader.items(caller.installationId, toExportJobId(jobId), filter);
    const data = items.slice(0, query.limit);
    const last = items.length > query.limit ? data.at(-1) : undefined;
    return { data, nextCursor: last === undefined ? null : encodeCursor([last.position]) };
  }
}

/** An id that is none and one of somebody else get the same answer as one that does not exist. */
function jobIdOf(text: string): ExportJobId {
  if (!isUuid(text)) {
    throw unknownJob();
  }
  return toExportJobId(text);
}

function unknownJob(): Problem {
  return new Problem({ status: 404, type: 'not-found', detail: 'There is no such export job.' });
}
