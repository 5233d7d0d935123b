import { Body, Controller, Get, Header, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { z } from 'zod';
import { companiesOf, CurrentCaller, type Caller } from '../access/caller.js';
import { RequiresScope } from '../access/requires-scope.js';
import { dataOf, pageOf } from '../wire/response-schemas.js';
import {
  EmptyResponse,
  JsonResponse,
  JsonBody,
  OptionalQuery,
  PagingParameters,
  PlatformApi,
  ErrorResponses,
} from '../wire/api-documentation.js';
import { parseBody, type Query as QueryParameters } from '../wire/parse-request.js';
import { ApiVersion } from './api-version.js';
import { ApplyJobEvent } from './apply-job-event.js';
import { CreateExportJob } from './create-export-job.js';
import { isJobFailureReason, type ExportVersion } from './domain/failure-reasons.js';
import { JOB_EVENTS, JOB_STATUSES } from './domain/job-state.js';
import { exportItemResponseSchema } from './export-item-response.js';
import {
  JOB_ITEM_STATUSES,
  jobResponseSchema,
  jobItemResponseSchema,
  jobWire,
  resultsResponseSchema,
} from './export-job.js';
import { EXPORT_JOB_COLUMNS } from './export-job.repository.js';
import { ListExportJobs } from './list-export-jobs.js';
import { ReadExportItems } from './read-export-items.js';
import { resultSchema, UpdateJobItems } from './update-job-items.js';

const uuid = z.guid().transform((id) => id.toLowerCase());
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
  failureReasonType: z.string().refine(isJobFailureReason, 'is no known failure reason type of a job').nullish(),
});
const UUID = { type: 'string', format: 'uuid' };
const READ_JOBS = 'export-jobs:read';
const WRITE_JOBS = 'export-jobs:write';

/** The Export API, versions 2 and 3 (P1.1). */
@PlatformApi('export')
@Controller(['v2', 'v3'])
export class ExportController {
  constructor(
    private readonly listExportJobs: ListExportJobs,
    private readonly createExportJob: CreateExportJob,
    private readonly applyJobEvent: ApplyJobEvent,
    private readonly readExportItems: ReadExportItems,
    private readonly updateJobItems: UpdateJobItems,
  ) {}

  @Get('export-jobs')
  @RequiresScope(READ_JOBS)
  @OptionalQuery('company_id', UUID)
  @OptionalQuery('statuses', { type: 'array', items: { type: 'string', enum: [...JOB_STATUSES] } })
  @OptionalQuery('status', { type: 'string', enum: [...JOB_STATUSES], description: 'Version 2 only.' })
  @PagingParameters(EXPORT_JOB_COLUMNS)
  @JsonResponse(pageOf(jobResponseSchema))
  async listJobs(
    @CurrentCaller() caller: Caller,
    @ApiVersion() version: ExportVersion,
    @Query() query: QueryParameters,
  ): Promise<object> {
    return this.listExportJobs.jobs(caller, version, query);
  }

  @Post('export-jobs')
  @RequiresScope(WRITE_JOBS)
  @JsonBody(createSchema)
  @ErrorResponses(409)
  @JsonResponse(dataOf(jobResponseSchema), 201)
  async create(
    @CurrentCaller() caller: Caller,
    @ApiVersion() version: ExportVersion,
    @Body() body: unknown,
  ): Promise<object> {
    const request = parseBody(createSchema, body);
    companiesOf(caller, request.companyId);
    const job = await this.createExportJob.create({
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
  @ErrorResponses(404)
  @JsonResponse(dataOf(jobResponseSchema))
  async getJob(
    @CurrentCaller() caller: Caller,
    @ApiVersion() version: ExportVersion,
    @Param('jobId') jobId: string,
  ): Promise<object> {
    return { data: jobWire(version, await this.listExportJobs.job(caller, jobId)) };
  }

  @Get('export-jobs/:jobId/items')
  @RequiresScope(READ_JOBS)
  @OptionalQuery('status', { type: 'string', enum: [...JOB_ITEM_STATUSES] })
  @PagingParameters()
  @ErrorResponses(404)
  @JsonResponse(pageOf(jobItemResponseSchema))
  async listItems(
    @CurrentCaller() caller: Caller,
    @ApiVersion() version: ExportVersion,
    @Param('jobId') jobId: string,
    @Query() query: QueryParameters,
  ): Promise<object> {
    return this.listExportJobs.jobItems(caller, version, jobId, query);
  }

  @Put('export-jobs/:jobId/items')
  @RequiresScope(WRITE_JOBS)
  @JsonBody(resultSchema('v3'))
  @ErrorResponses(404, 413, 422)
  @JsonResponse(resultsResponseSchema)
  async putItems(
    @CurrentCaller() caller: Caller,
    @ApiVersion() version: ExportVersion,
    @Param('jobId') jobId: string,
    @Body() body: unknown,
  ): Promise<object> {
    return this.updateJobItems.update(caller, version, jobId, body);
  }

  @Get('export-items')
  @RequiresScope('export-items:read')
  @OptionalQuery('job_id', UUID)
  @PagingParameters()
  @ErrorResponses(404, 422)
  @Header('content-type', 'application/json; charset=utf-8')
  @JsonResponse(pageOf(exportItemResponseSchema))
  async exportItems(
    @CurrentCaller() caller: Caller,
    @ApiVersion() version: ExportVersion,
    @Query() query: QueryParameters,
  ): Promise<string> {
    return this.readExportItems.read(caller, version, query);
  }

  @Post('export-job-events')
  @HttpCode(202)
  @RequiresScope(WRITE_JOBS)
  @JsonBody(eventSchema)
  @ErrorResponses(404, 422)
  @EmptyResponse(202)
  async postEvent(@CurrentCaller() caller: Caller, @Body() body: unknown): Promise<void> {
    const { jobId, event, failureReason, failureReasonType } = parseBody(eventSchema, body);
    await this.applyJobEvent.apply(caller.companyIds, {
      jobId,
      event,
      failureReason: failureReason ?? null,
      failureReasonType: failureReasonType ?? null,
    });
  }
}
