import { Body, Controller, Get, HttpCode, Param, Post, Put, Query, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ControlApi } from '../access/access-rules.js';
import { ChangeCompanies } from '../companies/change-companies.js';
import { CompanyReader } from '../companies/company.reader.js';
import type { Company, ContraAccount } from '../companies/company.repository.js';
import { AddItems } from '../exports/add-items.js';
import { parseBody, parseUuid, type Query as QueryParameters } from '../wire/parse-request.js';
import { NO_CURRENCY, publishedCurrencyField } from '../wire/request-fields.js';
import { itemCheck } from './item-check.js';

const MAX_COMPANIES = 1_000;
const uuid = z.guid().transform((id) => id.toLowerCase());
const contraAccountSchema = z.strictObject({
  id: uuid.optional(),
  name: z.string().optional(),
  code: z.string().nullish(),
  identifier: z.string().nullish(),
});
const bookkeepingSchema = z.strictObject({
  multiCurrency: z.boolean().default(false),
  contraAccounts: z
    .record(publishedCurrencyField, contraAccountSchema, {
      error: ({ code }) => (code === 'invalid_key' ? NO_CURRENCY : undefined),
    })
    .default({}),
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

/** Companies and their items. */
@ControlApi()
@Controller('control/companies')
export class ControlCompanyController {
  constructor(
    private readonly companyReader: CompanyReader,
    private readonly changeCompanies: ChangeCompanies,
    private readonly addItems: AddItems,
  ) {}

  /** One company, or a list of them. */
  @Post()
  async create(@Body() body: unknown): Promise<Company | readonly Company[]> {
    const companies = parseBody(companiesSchema, [body].flat()).map(newCompany);
    await this.changeCompanies.create(companies);
    const [first] = companies;
    return Array.isArray(body) || first === undefined ? companies : first;
  }

  @Get()
  async list(): Promise<readonly Company[]> {
    return this.companyReader.all();
  }

  @Put(':id/bookkeeping')
  @HttpCode(204)
  async changeBookkeeping(@Param('id') id: string, @Body() body: unknown): Promise<void> {
    const { multiCurrency, contraAccounts: accounts } = parseBody(bookkeepingSchema, body);
    await this.changeCompanies.changeBookkeeping({
      id: parseUuid('id', id),
      multiCurrency,
      contraAccounts: contraAccounts(accounts),
    });
  }

  /** The body is kept as text, because a number of JavaScript does not hold every amount. */
  @Post(':id/items')
  @RouteConfig({ rawBody: true })
  async createItems(
    @Param('id') id: string,
    @Query() query: QueryParameters,
    @Req() request: FastifyRequest,
  ): Promise<object> {
    const text = Buffer.isBuffer(request.body) ? request.body.toString() : '';
    const ids = await this.addItems.addItems(parseUuid('id', id), text, itemCheck(query));
    return { accountingEntryIds: ids };
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
