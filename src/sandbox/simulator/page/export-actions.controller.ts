import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ControlApi } from '../access/access-rules.js';
import { ApplyJobEvent } from '../exports/apply-job-event.js';
import { CreateExportJob } from '../exports/create-export-job.js';
import { EndInstallation } from '../installations/end-installation.js';
import { parseBody } from '../wire/parse-request.js';
import { PageActions } from './page-actions.js';

/** The forms that export, cancel a job and disconnect the application. */
@ApiExcludeController()
@ControlApi()
@Controller('page')
export class ExportActionsController {
  constructor(
    private readonly pageActions: PageActions,
    private readonly createExportJob: CreateExportJob,
    private readonly applyJobEvent: ApplyJobEvent,
    private readonly endInstallation: EndInstallation,
  ) {}

  @Post('export')
  async triggerExport(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Body() body: unknown,
  ): Promise<void> {
    await this.pageActions.performAsVisitor(request, reply, '/', async ({ company, person }) => {
      const given = parseBody(z.object({ vendor_based: z.literal('true').optional() }), body ?? {});
      await this.createExportJob.create({
        companyId: company.id,
        entryIds: undefined,
        version: 'v2',
        isInteractive: true,
        vendorBasedBookkeeping: given.vendor_based === 'true',
        createdBy: person?.id ?? null,
      });
    });
  }

  @Post('cancel')
  async cancel(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Body() body: unknown): Promise<void> {
    await this.pageActions.performAsVisitor(request, reply, '/', async ({ company }) => {
      await this.applyJobEvent.cancel([company.id], parseBody(z.object({ job_id: z.guid() }), body).job_id);
    });
  }

  @Post('disconnect')
  async disconnect(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.pageActions.performAsVisitor(request, reply, '/', ({ company }) =>
      this.endInstallation.disconnectCompany(company.id),
    );
  }

  @Post('revoke')
  async revoke(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.pageActions.performAsVisitor(request, reply, '/', ({ company }) =>
      this.endInstallation.revokeTokensOfCompany(company.id),
    );
  }
}
