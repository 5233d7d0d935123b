import { Body, Controller, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { companiesOf, CurrentCaller, type Caller } from '../access/caller.js';
import { RequiresScope } from '../access/requires-scope.js';
import { ReadPage } from '../paging/read-page.js';
import { dataOf, pageOf } from '../wire/response-schemas.js';
import {
  CompanyQuery,
  EmptyResponse,
  JsonResponse,
  JsonBody,
  PagingParameters,
  PlatformApi,
  ErrorResponses,
} from '../wire/api-documentation.js';
import { badParameter } from '../wire/api-error.js';
import { parseBody, parseUuid, queryValue, type Query as QueryParameters } from '../wire/parse-request.js';
import { ChangeVendor } from './change-vendor.js';
import { CreateVendor } from './create-vendor.js';
import {
  newVendorSchema,
  vendorActivationSchema,
  vendorResponseSchema,
  vendorSearchSchema,
  vendorUpdateSchema,
  vendorWire,
} from './vendor.js';
import { VENDOR_COLUMNS, VendorRepository } from './vendor.repository.js';

const READ = 'vendors:read';
const WRITE = 'vendors:write';

/** Vendors (P6). */
@PlatformApi('vendors')
@Controller('v1')
export class VendorController {
  constructor(
    private readonly createVendor: CreateVendor,
    private readonly changeVendor: ChangeVendor,
    private readonly vendorRepository: VendorRepository,
    private readonly readPage: ReadPage,
  ) {}

  @Post('vendors')
  @ErrorResponses(409)
  @RequiresScope(WRITE)
  @JsonBody(newVendorSchema)
  @JsonResponse(dataOf(vendorResponseSchema), 201)
  async create(@CurrentCaller() caller: Caller, @Body() body: unknown): Promise<object> {
    const request = parseBody(newVendorSchema, body);
    companiesOf(caller, request.companyId);
    return { data: vendorWire(await this.createVendor.createVendor(request, null)) };
  }

  // A literal colon is written twice in a route pattern.
  @Post('vendors::search')
  @HttpCode(200)
  @RequiresScope(READ)
  @CompanyQuery(true)
  @JsonBody(vendorSearchSchema, false)
  @PagingParameters(VENDOR_COLUMNS)
  @JsonResponse(pageOf(vendorResponseSchema))
  async search(
    @CurrentCaller() caller: Caller,
    @Query() query: QueryParameters,
    @Body() body: unknown,
  ): Promise<object> {
    const search = parseBody(vendorSearchSchema, body ?? {});
    const given = queryValue(query, 'company_id');
    if (given === undefined) {
      throw badParameter('company_id: is required');
    }
    const companyId = parseUuid('company_id', given);
    companiesOf(caller, companyId);
    return this.readPage.respond(query, this.vendorRepository.listOf(companyId, search), vendorWire);
  }

  @Get('vendors/:id')
  @ErrorResponses(404)
  @RequiresScope(READ)
  @JsonResponse(dataOf(vendorResponseSchema))
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<object> {
    return { data: vendorWire(await this.changeVendor.find(caller, id)) };
  }

  @Put('vendors/:id')
  @ErrorResponses(404, 409)
  @RequiresScope(WRITE)
  @JsonBody(vendorUpdateSchema)
  @JsonResponse(dataOf(vendorResponseSchema))
  async update(@CurrentCaller() caller: Caller, @Param('id') id: string, @Body() body: unknown): Promise<object> {
    const update = parseBody(vendorUpdateSchema, body);
    return { data: vendorWire(await this.changeVendor.update(caller, id, update)) };
  }

  @Post('vendors/:id(^[^:]{1,99})::activate')
  @ErrorResponses(404, 409)
  @HttpCode(204)
  @RequiresScope(WRITE)
  @JsonBody(vendorActivationSchema)
  @EmptyResponse(204)
  async activate(@CurrentCaller() caller: Caller, @Param('id') id: string, @Body() body: unknown): Promise<void> {
    await this.changeVendor.activate(caller, id, parseBody(vendorActivationSchema, body));
  }

  @Post('vendors/:id(^[^:]{1,99})::archive')
  @ErrorResponses(404)
  @HttpCode(204)
  @RequiresScope(WRITE)
  @EmptyResponse(204)
  async archive(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<void> {
    await this.changeVendor.archive(caller, id);
  }
}
