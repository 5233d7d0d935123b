import { Body, Controller, Get, HttpCode, Param, Post, Put, Query, Req, UseGuards } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Database } from '../../../foundation/database/database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { CompanyRepository, type Company, type ContraAccount } from '../companies/company.repository.js';
import { readNewItems } from '../exports/export-item.js';
import { ExportItemRepository } from '../exports/export-item.repository.js';
import { ApiError, notFound } from '../wire/api-error.js';
import { parseBody, parseUuid, type Query as QueryParameters } from '../wire/parse-request.js';
import { itemCheck } from './item-check.js';
import { ControlGuard } from './control.guard.js';

const MAX_COMPANIES = 1_000;
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
const companiesSchema = z.array(companySchema).min(1).max(MAX_COMPANIES);

@Controller('control/companies')
@UseGuards(ControlGuard)
export class ControlCompanyController {
  constructor(
    private readonly companyRepository: CompanyRepository,
    private readonly exportItemRepository: ExportItemRepository,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  /** One company, or a list of them. */
  @Post()
  async create(@Body() body: unknown): Promise<Company | readonly Company[]> {
    const given = parseBody(z.union([companySchema, companiesSchema]), body);
    const companies = [given].flat().map(newCompany);
    await this.database.inTransaction('create companies', (tx) =>
      this.companyRepository.add(tx, companies, this.simulatorClock.now()),
    );
    const [first] = companies;
    return Array.isArray(given) || first === undefined ? companies : first;
  }

  @Get()
  async list(): Promise<readonly Company[]> {
    return this.database.inTransaction('list companies', (tx) => this.companyRepository.findAll(tx));
  }

  @Put(':id/bookkeeping')
  @HttpCode(204)
  async changeBookkeeping(@Param('id') id: string, @Body() body: unknown): Promise<void> {
    const { multiCurrency, contraAccounts: accounts } = parseBody(bookkeepingSchema, body);
    const change = { id: parseUuid('id', id), multiCurrency, contraAccounts: contraAccounts(accounts) };
    await this.database.inTransaction('change bookkeeping', async (tx) => {
      if (!(await this.companyRepository.changeBookkeeping(tx, change))) {
        throw notFound('COMPANY_NOT_FOUND', 'There is no such company.');
      }
    });
  }

  /** The body is kept as text, because a number of JavaScript does not hold every amount. */
  @Post(':id/items')
  @RouteConfig({ rawBody: true })
  async addItems(
    @Param('id') id: string,
    @Query() query: QueryParameters,
    @Req() request: FastifyRequest,
  ): Promise<object> {
    const text = Buffer.isBuffer(request.body) ? request.body.toString() : '';
    return this.database.inTransaction('add items', async (tx) => {
      const { id: companyId } = await this.company(tx, id);
      const now = this.simulatorClock.now();
      const items = readNewItems(text, companyId, now, itemCheck(query));
      const ids = items.map((item) => item.id);
      const taken = await this.exportItemRepository.existingIds(tx, ids, undefined);
      if (taken.size > 0 || new Set(ids).size < ids.length) {
        throw new ApiError(
          409,
          'ITEM_EXISTS',
          `an accountingEntryId exists already: ${[...taken].join(', ')}`,
        );
      }
      await this.exportItemRepository.add(tx, items, now);
      return { accountingEntryIds: ids };
    });
  }

  private async company(tx: Tx, id: string): Promise<Company> {
    const [company] = await this.companyRepository.findByIds(tx, [parseUuid('id', id)]);
    if (company === undefined) {
      throw notFound('COMPANY_NOT_FOUND', 'There is no such company.');
    }
    return company;
  }
}

function newCompany(given: z.output<typeof companySchema>): Company {
  return {
    ...given,
    id: given.id ?? randomUUID(),
    organizationId: given.organizationId ?? randomUUID(),
    registrationNumber: given.registrationNumber ?? null,
    contraAccounts: contraAccounts(given.contraAccounts),
  };
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
