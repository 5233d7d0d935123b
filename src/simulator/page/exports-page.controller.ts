import { Body, Controller, Get, Header, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ControlGuard } from '../control/control.guard.js';
import { Database } from '../../foundation/database/database.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { CompanyRepository } from '../companies/company.repository.js';
import { ApplyJobEvent } from '../exports/apply-job-event.js';
import { ChangeItem } from '../exports/change-item.js';
import { CreateExportJob } from '../exports/create-export-job.js';
import { readNewItems } from '../exports/export-item.js';
import { ExportItemRepository } from '../exports/export-item.repository.js';
import { parseBody } from '../wire/parse-request.js';
import { exportsPage } from './exports.page.js';
import { PAGE_POLICY } from './layout.js';
import { expenseSchema, expenseText } from './new-expense.js';
import { PageActions } from './page-actions.js';
import { PAGE_SCRIPT } from './page-script.js';
import { PageSession } from './page-session.js';
import { ReadExports } from './read-exports.js';
import { signInPage } from './sign-in.page.js';

const companySchema = z.object({
  name: z.string().min(1).max(100),
  currency: z.string().regex(/^[A-Z]{3}$/, 'is three capital letters'),
});
const HTML = 'text/html; charset=utf-8';

/** The bookkeeper's page: sign in, create expenses, export them, see how each item ended. */
@ApiExcludeController()
@Controller()
@UseGuards(ControlGuard)
export class ExportsPageController {
  constructor(
    private readonly session: PageSession,
    private readonly actions: PageActions,
    private readonly read: ReadExports,
    private readonly companies: CompanyRepository,
    private readonly items: ExportItemRepository,
    private readonly changes: ChangeItem,
    private readonly createJob: CreateExportJob,
    private readonly applyEvent: ApplyJobEvent,
    private readonly database: Database,
    private readonly clock: SimulatorClock,
  ) {}

  @Get('/')
  @Header('content-type', HTML)
  @Header('content-security-policy', PAGE_POLICY)
  @Header('cache-control', 'no-store')
  async show(@Req() request: FastifyRequest): Promise<string> {
    const notice = this.actions.noticeOf(request);
    const company = await this.session.company(request);
    if (company === undefined) {
      const all = await this.database.inTransaction('list companies', (tx) => this.companies.findAll(tx));
      return signInPage(all, notice);
    }
    return exportsPage(await this.read.run(company, notice));
  }

  @Get('page/script.js')
  @Header('content-type', 'text/javascript; charset=utf-8')
  script(): string {
    return PAGE_SCRIPT;
  }

  @Post('page/sign-in')
  async signIn(@Res() reply: FastifyReply, @Body() body: unknown): Promise<void> {
    await this.actions.run(reply, '/', async () => {
      const { company_id: id } = parseBody(z.object({ company_id: z.uuid() }), body);
      this.session.signIn(reply, id);
      return Promise.resolve();
    });
  }

  @Post('page/sign-out')
  async signOut(@Res() reply: FastifyReply): Promise<void> {
    this.session.signOut(reply);
    await reply.redirect('/', 303);
  }

  @Post('page/companies')
  async createCompany(@Res() reply: FastifyReply, @Body() body: unknown): Promise<void> {
    await this.actions.run(reply, '/', async () => {
      const { name, currency } = parseBody(companySchema, body);
      const company = {
        id: randomUUID(),
        organizationId: randomUUID(),
        name,
        registrationNumber: null,
        timeZone: 'UTC',
        address: {},
        multiCurrency: false,
        contraAccounts: {
          [currency]: { id: randomUUID(), name: `${currency} wallet`, code: '1010', identifier: null },
        },
      };
      await this.database.inTransaction('create company', (tx) =>
        this.companies.add(tx, [company], this.clock.now()),
      );
      this.session.signIn(reply, company.id);
    });
  }

  @Post('page/expenses')
  async createExpense(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Body() body: unknown,
  ): Promise<void> {
    await this.actions.ofCompany(request, reply, '/', async ({ id }) => {
      const now = this.clock.now();
      const text = expenseText(parseBody(expenseSchema, body), randomUUID());
      await this.database.inTransaction('create expense', (tx) =>
        this.items.add(tx, readNewItems(`[${text}]`, id, now), now),
      );
    });
  }

  @Post('page/expenses/remove')
  async removeExpense(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Body() body: unknown,
  ): Promise<void> {
    await this.actions.ofCompany(request, reply, '/', async () => {
      await this.changes.remove(parseBody(z.object({ item_id: z.uuid() }), body).item_id);
    });
  }

  @Post('page/export')
  async pressExport(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Body() body: unknown,
  ): Promise<void> {
    await this.actions.ofCompany(request, reply, '/', async ({ id }) => {
      const given = parseBody(z.object({ vendor_based: z.literal('true').optional() }), body ?? {});
      await this.createJob.create({
        companyId: id,
        entryIds: undefined,
        version: 'v2',
        isInteractive: true,
        vendorBasedBookkeeping: given.vendor_based === 'true',
        createdBy: null,
      });
    });
  }

  @Post('page/cancel')
  async cancel(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Body() body: unknown,
  ): Promise<void> {
    await this.actions.ofCompany(request, reply, '/', async ({ id }) => {
      await this.applyEvent.cancel([id], parseBody(z.object({ job_id: z.uuid() }), body).job_id);
    });
  }

  @Post('page/disconnect')
  async disconnect(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.actions.ofCompany(request, reply, '/', ({ id }) => this.actions.disconnect(id));
  }

  @Post('page/revoke')
  async revoke(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.actions.ofCompany(request, reply, '/', ({ id }) => this.actions.revoke(id));
  }
}
