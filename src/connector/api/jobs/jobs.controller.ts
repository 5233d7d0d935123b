import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { isUuid, toExportJobId } from '../../../kernel/ids.js';
import { ReaderLanguage } from '../../messages/reader-language.js';
import { Idempotent } from '../http/idempotency/idempotent.interceptor.js';
import { jobNotFound } from '../http/outcome-problems.js';
import { INSTANT, NUMBER, PagedList, SORTED_BY, UUID } from '../http/page.js';
import {
  ItemQuery,
  ItemsResponse,
  JobResponse,
  JobsQuery,
  JobsResponse,
  ON_PLATFORM,
  toAmounts,
  toItemResponse,
  toJobResponse,
} from './jobs.dto.js';
import { Caller, type Principal } from '../http/principal.js';
import { RequestDetection } from '../../exports/run/request-detection.js';
import { ItemListReader, type ItemOrder } from '../../exports/lists/item-list.reader.js';
import { ExportJobReader, type JobView } from '../../exports/stores/export-job.reader.js';

const JOBS = new PagedList({ detectedAt: INSTANT, id: UUID });
const ITEMS = new PagedList({ ...SORTED_BY, position: NUMBER });

@ApiTags('Export jobs')
@Controller('api/v1/jobs')
export class JobsController {
  constructor(
    private readonly exportJobReader: ExportJobReader,
    private readonly itemListReader: ItemListReader,
    private readonly requestDetection: RequestDetection,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List export jobs',
    description: 'Export jobs, newest first, with the sums of their items.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: JobsResponse })
  async list(
    @Caller() { installationId }: Principal,
    @Query() query: JobsQuery,
    @ReaderLanguage() language: string,
  ): Promise<JobsResponse> {
    const { state, from, to, requestedBy } = query;
    const filter = {
      state,
      from: from === undefined ? undefined : new Date(from),
      to: to === undefined ? undefined : new Date(to),
      requestedBy: requestedBy === ON_PLATFORM ? null : requestedBy,
    };
    const { data, nextCursor } = await JOBS.page(query, (after, limit) =>
      this.exportJobReader.jobs(installationId, after, limit, filter),
    );
    return { data: data.map((job) => toJobResponse(job, language)), nextCursor };
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
  async read(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @ReaderLanguage() language: string,
  ): Promise<JobResponse> {
    return toJobResponse(await this.find(caller, id), language);
  }

  @Get(':id/items')
  @ApiOperation({
    summary: 'List the items of an export job',
    description:
      'The job, and its items with results and what to do about failed ones: searched, filtered and sorted. Of ended jobs for as long as items are kept.',
  })
  @Access('viewer')
  @ApiOkResponse({ type: ItemsResponse })
  async items(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Query() query: ItemQuery,
    @ReaderLanguage() language: string,
  ): Promise<ItemsResponse> {
    const job = await this.find(caller, id);
    const { sort, after, limit, ...filter } = query;
    const order = { by: sort.replace('-', '') as ItemOrder['by'], descending: sort.startsWith('-') };
    const page = { after: ITEMS.decode(after), limit: limit + 1 };
    const found = await this.itemListReader.items(caller.installationId, toExportJobId(job.id), filter, order, page);
    const { data, nextCursor } = ITEMS.pageOf(limit, found.rows);
    const items = data.map((item) => toItemResponse(item, language));
    const amounts = toAmounts(found.sums ?? job.amounts);
    return { job: toJobResponse(job, language), total: found.total, amounts, data: items, nextCursor };
  }

  private async find({ installationId }: Principal, id: string): Promise<JobView> {
    const job = isUuid(id) ? await this.exportJobReader.job(installationId, toExportJobId(id)) : undefined;
    if (job === undefined) {
      throw jobNotFound();
    }
    return job;
  }
}
