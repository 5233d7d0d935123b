import { Body, Controller, Get, Header, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ControlGuard } from '../control/control.guard.js';
import { Database } from '../../../foundation/database/database.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { ApplyJobEvent } from '../exports/apply-job-event.js';
import { ChangeItem } from '../exports/change-item.js';
import { CreateExportJob } from '../exports/create-export-job.js';
import { readNewItems } from '../exports/export-item.js';
import { ExportItemRepository } from '../exports/export-item.repository.js';
import { parseBody } from '../wire/parse-request.js';
import { exportsPage } from './exports.page.js';
import { expenseSchema, expenseText } from './new-expense.js';
import { PageActions } from './page-actions.js';
import { PageResponse } from './page-response.js';
import { PAGE_SCRIPT } from './page-script.js';
import { PageSession } from './page-session.js';
import { LoadExportsView } from './load-exports-view.js';
import { LoadSignInView } from './load-sign-in-view.js';
import { signInPage } from './sign-in.page.js';

/** The bookkeeper's page: create expenses, export them, see how each item ended, connect the application. */
@ApiExcludeController()
@Controller()
@UseGuards(ControlGuard)
export class ExportsPageController {
  constructor(
    private readonly pageSession: PageSession,
    private readonly pageActions: PageActions,
    private readonly loadSignInView: LoadSignInView,
    private readonly loadExportsView: LoadExportsView,
    private readonly exportItemRepository: ExportItemRepository,
    private readonly changeItem: ChangeItem,
    private readonly createExportJob: CreateExportJob,
    private readonly applyJobEvent: ApplyJobEvent,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  @Get('/')
  @PageResponse()
  async show(@Req() request: FastifyRequest): Promise<string> {
    const notice = this.pageActions.noticeOf(request);
    const visitor = await this.pageSession.visitor(request);
    return visitor === undefined
      ? signInPage({ ...(await this.loadSignInView.loadView()), notice })
      : exportsPage(await this.loadExportsView.loadView(visitor, notice));
  }

  @Get('page/script.js')
  @Header('content-type', 'text/javascript; charset=utf-8')
  script(): string {
    return PAGE_SCRIPT;
  }

  @Post('page/expenses')
  async createExpense(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Body() body: unknown,
  ): Promise<void> {
    await this.pageActions.performAsVisitor(request, reply, '/', async ({ company, person }) => {
      const now = this.simulatorClock.now();
      const text = expenseText(parseBody(expenseSchema, body), randomUUID(), person);
      await this.database.inTransaction('create expense', (tx) =>
        this.exportItemRepository.add(tx, readNewItems(`[${text}]`, company.id, now, 'as_documented'), now),
      );
    });
  }

  @Post('page/expenses/remove')
  async removeExpense(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Body() body: unknown,
  ): Promise<void> {
    await this.pageActions.performAsVisitor(request, reply, '/', async () => {
      await this.changeItem.remove(parseBody(z.object({ item_id: z.uuid() }), body).item_id);
    });
  }

  @Post('page/export')
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

  @Post('page/cancel')
  async cancel(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Body() body: unknown,
  ): Promise<void> {
    await this.pageActions.performAsVisitor(request, reply, '/', async ({ company }) => {
      await this.applyJobEvent.cancel([company.id], parseBody(z.object({ job_id: z.uuid() }), body).job_id);
    });
  }

  @Post('page/disconnect')
  async disconnect(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.pageActions.performAsVisitor(request, reply, '/', ({ company }) =>
      this.pageActions.disconnect(company.id),
    );
  }

  @Post('page/revoke')
  async revoke(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.pageActions.performAsVisitor(request, reply, '/', ({ company }) =>
      this.pageActions.revoke(company.id),
    );
  }
}
