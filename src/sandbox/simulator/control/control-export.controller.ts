import { Body, Controller, Get, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import { z } from 'zod';
import { Database } from '../../../foundation/database/database.js';
import { ApplyJobEvent } from '../exports/apply-job-event.js';
import { CreateExportJob } from '../exports/create-export-job.js';
import { ExportAccess } from '../exports/export-access.js';
import { jobItemWire, jobWire } from '../exports/export-job.js';
import { ExportRepositories } from '../exports/export-repositories.js';
import { CompanyRepository } from '../companies/company.repository.js';
import { notFound } from '../wire/api-error.js';
import { parseBody, parseUuid, queryValue, type Query as QueryParameters } from '../wire/parse-request.js';
import { ControlGuard } from './control.guard.js';

const uuid = z.uuid().transform((id) => id.toLowerCase());
const exportSchema = z.object({
  accountingEntryIds: z.array(uuid).optional(),
  vendorBasedBookkeeping: z.boolean().default(false),
  employeeId: uuid.nullish(),
});
const EVENTS_SHOWN = 1_000;

/** The user's side of exports: press Export, cancel, look. */
@Controller('control')
@UseGuards(ControlGuard)
export class ControlExportController {
  constructor(
    private readonly createExportJob: CreateExportJob,
    private readonly applyJobEvent: ApplyJobEvent,
    private readonly exportAccess: ExportAccess,
    private readonly exportRepositories: ExportRepositories,
    private readonly companyRepository: CompanyRepository,
    private readonly database: Database,
  ) {}

  @Post('companies/:id/export')
  async triggerExport(@Param('id') id: string, @Body() body: unknown): Promise<object> {
    const { accountingEntryIds, vendorBasedBookkeeping, employeeId } = parseBody(exportSchema, body ?? {});
    const companyId = await this.companyId(id);
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
    await this.applyJobEvent.cancel(await this.companyOf(id), id);
  }

  /** A job with every item's result and every event in the order of acceptance. */
  @Get('export-jobs/:id')
  async job(@Param('id') id: string): Promise<object> {
    const companyIds = await this.companyOf(id);
    return this.database.inTransaction('show job', async (tx) => {
      const job = await this.exportAccess.lockJob(tx, { companyIds }, id);
      const items = await this.exportRepositories.exportJobItemRepository.findAll(tx, job.id);
      const events = await this.exportRepositories.exportJobRepository.readEvents(tx, job.id, EVENTS_SHOWN);
      return { job: jobWire('v3', job), items: items.map((item) => jobItemWire('v3', item)), events };
    });
  }

  @Get('job-events')
  async events(@Query() query: QueryParameters): Promise<object> {
    const id = queryValue(query, 'job_id');
    const jobId = id === undefined ? undefined : parseUuid('job_id', id);
    return this.database.inTransaction('show job events', (tx) =>
      this.exportRepositories.exportJobRepository.readEvents(tx, jobId, EVENTS_SHOWN),
    );
  }

  private async companyId(id: string): Promise<string> {
    const [company] = await this.database.inTransaction('find company', (tx) =>
      this.companyRepository.findByIds(tx, [parseUuid('id', id)]),
    );
    if (company === undefined) {
      throw notFound('COMPANY_NOT_FOUND', 'There is no such company.');
    }
    return company.id;
  }

  private async companyOf(jobId: string): Promise<readonly string[]> {
    const jobs = await this.database.inTransaction('find job', (tx) =>
      this.exportRepositories.exportJobRepository.findByIds(tx, [parseUuid('id', jobId)]),
    );
    return jobs.map((job) => job.companyId);
  }
}
