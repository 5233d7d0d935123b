import { Body, Controller, Get, HttpCode, Param, Post, Put, Req, UseGuards } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Database } from '../../foundation/database/database.js';
import type { Tx } from '../../foundation/database/transaction.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { CompanyRepository, type Company, type ContraAccount } from '../companies/company.repository.js';
import { readNewItems } from '../exports/export-item.js';
import { ExportItemRepository } from '../exports/export-item.repository.js';
import { ApiError, notFound } from '../wire/api-error.js';
import { parseBody, parseUuid } from '../wire/parse-request.js';
import { ControlGuard } from './control.guard.js';

const uuid = z.uuid().transform((id) => id.toLowerCase());
const contraAccountSchema = z.object({
  id: uuid.optional(),
  name: z.string().optional(),
  code: z.string().nullish(),
  identifier: z.string().nullish(),
});
const bookkeepingSchema = z.object({
  multiCurrency: z.boolean().default(false),
  contraAccounts: z.record(z.string().regex(/^[A-Z]{3}$/), contraAccountSchema).default({}),
});
const companySchema = bookkeepingSchema.extend({
  id: uuid.optional(),
  organizationId: uuid.optional(),
  name: z.string().min(1),
  registrationNumber: z.string().nullish(),
  timeZone: z.string().default('UTC'),
  address: z.record(z.string(), z.string()).default({}),
});
const employeeSchema = z.object({
  id: uuid.optional(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  code: z.string().nullish(),
});

@Controller('control/companies')
@UseGuards(ControlGuard)
export class ControlCompanyController {
  constructor(
    private readonly companies: CompanyRepository,
    private readonly items: ExportItemRepository,
    private readonly database: Database,
    private readonly clock: SimulatorClock,
  ) {}

  @Post()
  async create(@Body() body: unknown): Promise<Company> {
    const given = parseBody(companySchema, body);
    const company: Company = {
      ...given,
      id: given.id ?? randomUUID(),
      organizationId: given.organizationId ?? randomUUID(),
      registrationNumber: given.registrationNumber ?? null,
      contraAccounts: contraAccounts(given.contraAccounts),
    };
    await this.database.inTransaction('create company', (tx) =>
      this.companies.add(tx, company, this.clock.now()),
    );
    return company;
  }

  @Get()
  async list(): Promise<readonly Company[]> {
    return this.database.inTransaction('list companies', (tx) => this.companies.findAll(tx));
  }

  @Put(':id/bookkeeping')
  @HttpCode(204)
  async changeBookkeeping(@Param('id') id: string, @Body() body: unknown): Promise<void> {
    const { multiCurrency, contraAccounts: accounts } = parseBody(bookkeepingSchema, body);
    const change = { id: parseUuid('id', id), multiCurrency, contraAccounts: contraAccounts(accounts) };
    await this.database.inTransaction('change bookkeeping', async (tx) => {
      if (!(await this.companies.changeBookkeeping(tx, change))) {
        throw notFound('COMPANY_NOT_FOUND', 'There is no such company.');
      }
    });
  }

  @Post(':id/employees')
  async addEmployee(@Param('id') id: string, @Body() body: unknown): Promise<object> {
    const given = parseBody(employeeSchema, body);
    return this.database.inTransaction('add employee', async (tx) => {
      const { id: companyId } = await this.company(tx, id);
      const employee = { ...given, id: given.id ?? randomUUID(), companyId, code: given.code ?? null };
      await this.companies.addEmployee(tx, employee, this.clock.now());
      return employee;
    });
  }

  /** The body is kept as text, because a number of JavaScript does not hold every amount. */
  @Post(':id/items')
  @RouteConfig({ rawBody: true })
  async addItems(@Param('id') id: string, @Req() request: FastifyRequest): Promise<object> {
    const text = Buffer.isBuffer(request.body) ? request.body.toString() : '';
    return this.database.inTransaction('add items', async (tx) => {
      const { id: companyId } = await this.company(tx, id);
      const now = this.clock.now();
      const items = readNewItems(text, companyId, now);
      const ids = items.map((item) => item.id);
      const taken = await this.items.existingIds(tx, ids, undefined);
      if (taken.size > 0 || new Set(ids).size < ids.length) {
        throw new ApiError(
          409,
          'ITEM_EXISTS',
          `an accountingEntryId exists already: ${[...taken].join(', ')}`,
        );
      }
      await this.items.add(tx, items, now);
      return { accountingEntryIds: ids };
    });
  }

  private async company(tx: Tx, id: string): Promise<Company> {
    const [company] = await this.companies.findByIds(tx, [parseUuid('id', id)]);
    if (company === undefined) {
      throw notFound('COMPANY_NOT_FOUND', 'There is no such company.');
    }
    return company;
  }
}

function contraAccounts(
  given: Readonly<Record<string, z.output<typeof contraAccountSchema>>>,
): Readonly<Record<string, ContraAccount>> {
  return Object.fromEntries(
    Object.entries(given).map(([currency, account]) => [
      currency,
      {
        id: account.id ?? randomUUID(),
        name: account.name ?? `${currency} wallet`,
        code: account.code ?? null,
        identifier: account.identifier ?? null,
      },
    ]),
  );
}
