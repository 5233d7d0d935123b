import { Body, Controller, Get, Header, HttpCode, Param, Post, Put, Query, UseGuards } from '@nestjs/common';
import { z } from 'zod';
import { companiesOf, CurrentCaller, type Caller } from '../access/caller.js';
import { PlatformAccessGuard, RequiresScope } from '../access/platform-access.guard.js';
import { dataOf, pageOf } from '../wire/answer-schemas.js';
import {
  EmptyAnswer,
  JsonAnswer,
  JsonBody,
  OptionalQuery,
  PagingParameters,
  PlatformApi,
  Refuses,
} from '../wire/api-documentation.js';
import { parseBody, type Query as QueryParameters } from '../wire/parse-request.js';
import { CalledVersion } from './called-version.js';
import { ApplyJobEvent } from './apply-job-event.js';
import { CreateExportJob } from './create-export-job.js';
import { isJobFailureReason, type ExportVersion } from './domain/failure-reasons.js';
import { JOB_EVENTS, JOB_STATUSES } from './domain/job-state.js';
import { exportItemAnswer } from './export-item-answer.js';
import { JOB_ITEM_STATUSES, jobAnswer, jobItemAnswer, jobWire, resultsAnswer } from './export-job.js';
import { ListExportJobs } from './list-export-jobs.js';
import { ReadExportItems } from './read-export-items.js';
import { resultSchema, UpdateJobItems } from './update-job-items.js';

const uuid = z.uuid().transform((id) => id.toLowerCase());
const createSchema = z.object({
  companyId: uuid,
  accountingEntryIds: z.array(uuid),
  employeeId: uuid.nullish(),
  isInteractive: z.boolean().nullish(),
  options: z.object({ vendorBasedBookkeeping: z.boolean().nullish() }).nullish(),
});
const eventSchema = z.object({
  jobId: uuid,
  event: z.enum(JOB_EVENTS),
  failureReason: z.string().nullish(),
  failureReasonType: z
    .string()
    .refine(isJobFailureReason, 'is no known failure reason type of a job')
    .nullish(),
});
const UUID = { type: 'string', format: 'uuid' };
const READ_JOBS = 'export-jobs:read';
const WRITE_JOBS = 'export-jobs:write';

/** The Export API, versions 2 and 3 (wire-facts §1.1). */
@PlatformApi('export')
@Controller(['v2', 'v3'])
@UseGuards(PlatformAccessGuard)
export class ExportController {
  constructor(
    private readonly lists: ListExportJobs,
    private readonly createJob: CreateExportJob,
    private readonly applyEvent: ApplyJobEvent,
    private readonly readItems: ReadExportItems,
    private readonly updateItems: UpdateJobItems,
  ) {}

  @Get('export-jobs')
  @RequiresScope(READ_JOBS)
  @OptionalQuery('company_id', UUID)
  @OptionalQuery('statuses', { type: 'array', items: { type: 'string', enum: [...JOB_STATUSES] } })
  @OptionalQuery('status', { type: 'string', enum: [...JOB_STATUSES], description: 'Version 2 only.' })
  @PagingParameters()
  @JsonAnswer(pageOf(jobAnswer))
  async listJobs(
    @CurrentCaller() caller: Caller,
    @CalledVersion() version: ExportVersion,
    @Query() query: QueryParameters,
  ): Promise<object> {
    return this.lists.jobs(caller, version, query);
  }

  @Post('export-jobs')
  @RequiresScope(WRITE_JOBS)
  @JsonBody(createSchema)
  @Refuses(409)
  @JsonAnswer(dataOf(jobAnswer), 201)
  async create(
    @CurrentCaller() caller: Caller,
    @CalledVersion() version: ExportVersion,
    @Body() body: unknown,
  ): Promise<object> {
    const request = parseBody(createSchema, body);
    companiesOf(caller, request.companyId);
    const job = await this.createJob.create({
      companyId: request.companyId,
      entryIds: [...new Set(request.accountingEntryIds)],
      version,
      isInteractive: request.isInteractive ?? true,
      vendorBasedBookkeeping: request.options?.vendorBasedBookkeeping ?? false,
      createdBy: request.employeeId ?? null,
    });
    return { data: jobWire(version, job) };
  }

  @Get('export-jobs/:jobId')
  @RequiresScope(READ_JOBS)
  @Refuses(404)
  @JsonAnswer(dataOf(jobAnswer))
  async getJob(
    @CurrentCaller() caller: Caller,
    @CalledVersion() version: ExportVersion,
    @Param('jobId') jobId: string,
  ): Promise<object> {
    return { data: jobWire(version, await this.lists.job(caller, jobId)) };
  }

  @Get('export-jobs/:jobId/items')
  @RequiresScope(READ_JOBS)
  @OptionalQuery('status', { type: 'string', enum: [...JOB_ITEM_STATUSES] })
  @PagingParameters()
  @Refuses(404)
  @JsonAnswer(pageOf(jobItemAnswer))
  async listItems(
    @CurrentCaller() caller: Caller,
    @CalledVersion() version: ExportVersion,
    @Param('jobId') jobId: string,
    @Query() query: QueryParameters,
  ): Promise<object> {
    return this.lists.jobItems(caller, version, jobId, query);
  }

  @Put('export-jobs/:jobId/items')
  @RequiresScope(WRITE_JOBS)
  @JsonBody(resultSchema('v3'))
  @Refuses(404, 413, 422)
  @JsonAnswer(resultsAnswer)
  async putItems(
    @CurrentCaller() caller: Caller,
    @CalledVersion() version: ExportVersion,
    @Param('jobId') jobId: string,
    @Body() body: unknown,
  ): Promise<object> {
    return this.updateItems.update(caller, version, jobId, body);
  }

  @Get('export-items')
  @RequiresScope('export-items:read')
  @OptionalQuery('job_id', UUID)
  @PagingParameters()
  @Refuses(404, 422)
  @Header('content-type', 'application/json; charset=utf-8')
  @JsonAnswer(pageOf(exportItemAnswer))
  async exportItems(
    @CurrentCaller() caller: Caller,
    @CalledVersion() version: ExportVersion,
    @Query() query: QueryParameters,
  ): Promise<string> {
    return this.readItems.read(caller, version, query);
  }

  @Post('export-job-events')
  @HttpCode(202)
  @RequiresScope(WRITE_JOBS)
  @JsonBody(eventSchema)
  @Refuses(404, 422)
  @EmptyAnswer(202)
  async postEvent(@CurrentCaller() caller: Caller, @Body() body: unknown): Promise<void> {
    const { jobId, event, failureReason, failureReasonType } = parseBody(eventSchema, body);
    await this.applyEvent.apply(caller.companyIds, {
      jobId,
      event,
      failureReason: failureReason ?? null,
      failureReasonType: failureReasonType ?? null,
    });
  }
}
