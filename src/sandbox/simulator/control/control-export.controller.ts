import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { z } from 'zod';
import { ControlApi } from '../access/access-rules.js';
import { ApplyJobEvent } from '../exports/apply-job-event.js';
import { CreateExportJob } from '../exports/create-export-job.js';
import { JobHistoryReader } from '../exports/job-history.reader.js';
import { jobWire } from '../exports/export-job.js';
import { CompanyReader } from '../companies/company.reader.js';
import { parseBody, parseUuid, queryValue, type Query as QueryParameters } from '../wire/parse-request.js';

const uuid = z.guid().transform((id) => id.toLowerCase());
const exportSchema = z.strictObject({
  accountingEntryIds: z.array(uuid).optional(),
  vendorBasedBookkeeping: z.boolean().default(false),
  employeeId: uuid.nullish(),
});

/** The user's side of exports: start, cancel, show. */
@ControlApi()
@Controller('control')
export class ControlExportController {
  constructor(
    private readonly createExportJob: CreateExportJob,
    private readonly applyJobEvent: ApplyJobEvent,
    private readonly jobHistoryReader: JobHistoryReader,
    private readonly companyReader: CompanyReader,
  ) {}

  @Post('companies/:id/export')
  async triggerExport(@Param('id') id: string, @Body() body: unknown): Promise<object> {
    const { accountingEntryIds, vendorBasedBookkeeping, employeeId } = parseBody(exportSchema, body ?? {});
    const { id: companyId } = await this.companyReader.get(parseUuid('id', id));
    const job = await this.createExportJob.create({
      companyId,
      entryIds: accountingEntryIds,
      // Version 2 rules: a person may press Export before the contra accounts are set; reading the items then fails.
      version: 'v2',
      isInteractive: true,
      vendorBasedBookkeeping,
      createdBy: employeeId ?? null,
    });
    return jobWire('v3', job);
  }

  @Post('export-jobs/:id/cancel')
  @HttpCode(204)
  async cancel(@Param('id') id: string): Promise<void> {
    const jobId = parseUuid('id', id);
    await this.applyJobEvent.cancel(await this.jobHistoryReader.companyIdsOf(jobId), jobId);
  }

  /** A job with every item's result and every event in the order of acceptance. */
  @Get('export-jobs/:id')
  async job(@Param('id') id: string): Promise<object> {
    return this.jobHistoryReader.show(parseUuid('id', id));
  }

  @Get('job-events')
  async events(@Query() query: QueryParameters): Promise<object> {
    const id = queryValue(query, 'job_id');
    return this.jobHistoryReader.events(id === undefined ? undefined : parseUuid('job_id', id));
  }
}
