import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBearerAuth, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { isUuid, toExportJobId, type ExportJobId } from '../../../kernel/ids.js';
import { Idempotent } from '../http/idempotent.interceptor.js';
import { jobNotFound } from '../http/outcome-problems.js';
import { PageQuery } from '../http/page.dto.js';
import { INSTANT, NUMBER, PagedList, UUID } from '../http/page.js';
import { ItemQuery, ItemsResponse, JobResponse, JobsResponse } from './jobs.dto.js';
import { Caller, type Principal } from '../http/principal.js';
import { RequestDetection } from '../../exports/run/request-detection.js';
import { ExportJobReader } from '../../exports/stores/export-job.reader.js';

const JOBS = new PagedList({ detectedAt: INSTANT, id: UUID });
const ITEMS = new PagedList({ position: NUMBER });

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
  async list(@Caller() { installationId }: Principal, @Query() query: PageQuery): Promise<JobsResponse> {
    return JOBS.page(query, (after, limit) => this.exportJobReader.jobs(installationId, after, limit));
  }

  /** Polls the platform for new jobs now, in addition to webhooks and regular polling. */
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
      throw jobNotFound();
    }
    return job;
  }

  /** The items of a job in their order, with results, and what to do about failed ones. */
  @Get(':id/items')
  @Access('viewer')
  @ApiOkResponse({ type: ItemsResponse })
  async items(@Caller() caller: Principal, @Param('id') id: string, @Query() query: ItemQuery): Promise<ItemsResponse> {
    const { id: jobId } = await this.read(caller, id);
    return ITEMS.page(query, (after, limit) =>
      this.exportJobReader.items(caller.installationId, toExportJobId(jobId), {
        state: query.state,
        afterPosition: after?.position ?? 0,
        limit,
      }),
    );
  }
}

function jobIdOf(text: string): ExportJobId {
  if (!isUuid(text)) {
    throw jobNotFound();
  }
  return toExportJobId(text);
}
