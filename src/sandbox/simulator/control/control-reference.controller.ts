import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { ControlApi } from '../access/access-rules.js';
import { CreateVendor } from '../vendors/create-vendor.js';
import { newVendorSchema, vendorWire } from '../vendors/vendor.js';
import { uuidField } from '../wire/request-fields.js';
import { parseBody, parseUuid, type Query as QueryParameters } from '../wire/parse-request.js';
import { ChangeCategories } from './change-categories.js';
import { ReadReferenceData } from './read-reference-data.js';
import { accountSeeds, categorySeeds, employeeSeeds, taxCodeSeeds, vendorSeeds } from './reference-seeds.js';
import { SeedReferenceData } from './seed-reference-data.js';

const userVendorSchema = newVendorSchema.omit({ companyId: true }).extend({ employeeId: uuidField.nullish() });

/** Seeds a company's reference data in bulk, and lists it. */
@ControlApi()
@Controller('control/companies/:id')
export class ControlReferenceController {
  constructor(
    private readonly seedReferenceData: SeedReferenceData,
    private readonly readReferenceData: ReadReferenceData,
    private readonly createVendor: CreateVendor,
    private readonly changeCategories: ChangeCategories,
  ) {}

  @Post('accounts')
  async addAccounts(@Param('id') id: string, @Body() body: unknown): Promise<object> {
    return this.seedReferenceData.accounts(parseUuid('id', id), parseBody(accountSeeds, body));
  }

  @Get('accounts')
  async accounts(@Param('id') id: string, @Query() query: QueryParameters): Promise<object> {
    return this.readReferenceData.accounts(parseUuid('id', id), query);
  }

  @Post('categories')
  async addCategories(@Param('id') id: string, @Body() body: unknown): Promise<object> {
    return this.changeCategories.add(parseUuid('id', id), parseBody(categorySeeds, body));
  }

  @Get('categories')
  async categories(@Param('id') id: string): Promise<object> {
    return { data: await this.changeCategories.list(parseUuid('id', id)) };
  }

  @Post('tax-codes')
  async addTaxCodes(@Param('id') id: string, @Body() body: unknown): Promise<object> {
    return this.seedReferenceData.taxCodes(parseUuid('id', id), parseBody(taxCodeSeeds, body));
  }

  @Get('tax-codes')
  async taxCodes(@Param('id') id: string, @Query() query: QueryParameters): Promise<object> {
    return this.readReferenceData.taxCodes(parseUuid('id', id), query);
  }

  @Post('vendors')
  async addVendors(@Param('id') id: string, @Body() body: unknown): Promise<object> {
    return this.seedReferenceData.vendors(parseUuid('id', id), parseBody(vendorSeeds, body));
  }

  @Get('vendors')
  async vendors(@Param('id') id: string, @Query() query: QueryParameters): Promise<object> {
    return this.readReferenceData.vendors(parseUuid('id', id), query);
  }

  /** As a bookkeeper does it in the web app: a draft, announced to subscribers. */
  @Post('draft-vendors')
  async addDraftVendor(@Param('id') id: string, @Body() body: unknown): Promise<object> {
    const { employeeId, ...fields } = parseBody(userVendorSchema, body);
    const companyId = parseUuid('id', id);
    return vendorWire(await this.createVendor.createVendor({ ...fields, companyId }, employeeId ?? randomUUID()));
  }

  /** One employee, or a list of them. */
  @Post('employees')
  async addEmployees(@Param('id') id: string, @Body() body: unknown): Promise<object> {
    const seeds = parseBody(employeeSeeds, [body].flat());
    const employees = await this.seedReferenceData.employees(parseUuid('id', id), seeds);
    const [first] = employees;
    return Array.isArray(body) || first === undefined ? { ids: employees.map((each) => each.id) } : first;
  }

  @Get('employees')
  async employees(@Param('id') id: string, @Query() query: QueryParameters): Promise<object> {
    return this.readReferenceData.employees(parseUuid('id', id), query);
  }
}
