import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
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
@Controller('api/v1/jobs')
export class JobsController {
  constructor(
    private readonly exportJobReader: ExportJobReader,
    private readonly requestDetection: RequestDetection,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List export jobs', description: 'Export jobs, newest first.' })
  @Access('viewer')
  @ApiOkResponse({ type: JobsResponse })
  async list(@Caller() { installationId }: Principal, @Query() query: PageQuery): Promise<JobsResponse> {
    return JOBS.page(query, (after, limit) => this.exportJobReader.jobs(installationId, after, limit));
  }

  @Post('detections')
  @ApiOperation({
    summary: 'Look for new export jobs',
    description: 'Polls the platform for new jobs now, in addition to webhooks and regular polling.',
  })
  @Idempotent()
  @HttpCode(202)
  @Access('bookkeeper')
  @ApiAcceptedResponse({ description: 'accepted; without a body' })
  async detect(@Caller() caller: Principal): Promise<void> {
    await this.requestDetection.requestDetection(caller.installationId);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read an export job', description: 'State, counters and deadline of one export job.' })
  @Access('viewer')
  @ApiOkResponse({ type: JobResponse })
  async read(@Caller() caller: Principal, @Param('id') id: string): Promise<JobResponse> {
    const job = await this.exportJobReader.job(caller.installationId, jobIdOf(id));
    if (job === undefined) {
      throw jobNotFound();
    }
    return job;
  }

  @Get(':id/items')
  @ApiOperation({
    summary: 'List the items of an export job',
    description: 'The items of a job in their order, with results, and what to do about failed ones.',
  })
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
