import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { RequiresScope } from '../access/requires-scope.js';
import { companiesOfQuery } from '../companies/company-access.js';
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
import { parseBody, type Query as QueryParameters } from '../wire/parse-request.js';
import { CalculateTax } from './calculate-tax.js';
import { ChangeTaxCode } from './change-tax-code.js';
import {
  taxCalculationResponseSchema,
  taxCalculationSchema,
  taxCodeResponseSchema,
  taxCodeSchema,
  taxCodeSearchSchema,
  taxCodeWire,
} from './tax-code.js';
import { TAX_CODE_COLUMNS, TaxCodeRepository } from './tax-code.repository.js';

const READ = 'tax-codes:read';
const WRITE = 'tax-codes:write';

/** Tax codes (P5). */
@PlatformApi('tax codes')
@Controller('v0')
export class TaxCodeController {
  constructor(
    private readonly changeTaxCode: ChangeTaxCode,
    private readonly calculateTax: CalculateTax,
    private readonly taxCodeRepository: TaxCodeRepository,
    private readonly readPage: ReadPage,
  ) {}

  @Post('tax-codes')
  @RequiresScope(WRITE)
  @JsonBody(taxCodeSchema)
  @JsonResponse(dataOf(taxCodeResponseSchema), 201)
  async create(@CurrentCaller() caller: Caller, @Body() body: unknown): Promise<object> {
    return { data: taxCodeWire(await this.changeTaxCode.create(caller, parseBody(taxCodeSchema, body))) };
  }

  // A literal colon is written twice in a route pattern.
  @Post('tax-codes::search')
  @HttpCode(200)
  @RequiresScope(READ)
  @CompanyQuery()
  @JsonBody(taxCodeSearchSchema, false)
  @PagingParameters(TAX_CODE_COLUMNS)
  @JsonResponse(pageOf(taxCodeResponseSchema))
  async search(
    @CurrentCaller() caller: Caller,
    @Query() query: QueryParameters,
    @Body() body: unknown,
  ): Promise<object> {
    const search = parseBody(taxCodeSearchSchema, body ?? {});
    const list = this.taxCodeRepository.listOf(companiesOfQuery(caller, query), search);
    return this.readPage.respond(query, list, taxCodeWire);
  }

  @Post('tax-codes::calculate-tax-amounts')
  @ErrorResponses(404)
  @HttpCode(200)
  @RequiresScope(READ)
  @JsonBody(taxCalculationSchema)
  @JsonResponse(taxCalculationResponseSchema)
  async calculate(@CurrentCaller() caller: Caller, @Body() body: unknown): Promise<object> {
    return {
      data: { taxes: await this.calculateTax.calculate(caller, parseBody(taxCalculationSchema, body)) },
    };
  }

  @Get('tax-codes/:taxCodeId')
  @ErrorResponses(404)
  @RequiresScope(READ)
  @JsonResponse(dataOf(taxCodeResponseSchema))
  async get(@CurrentCaller() caller: Caller, @Param('taxCodeId') id: string): Promise<object> {
    return { data: taxCodeWire(await this.changeTaxCode.find(caller, id)) };
  }

  @Put('tax-codes/:taxCodeId')
  @ErrorResponses(404)
  @RequiresScope(WRITE)
  @JsonBody(taxCodeSchema)
  @JsonResponse(dataOf(taxCodeResponseSchema))
  async update(
    @CurrentCaller() caller: Caller,
    @Param('taxCodeId') id: string,
    @Body() body: unknown,
  ): Promise<object> {
    const request = parseBody(taxCodeSchema, body);
    return { data: taxCodeWire(await this.changeTaxCode.update(caller, id, request)) };
  }

  @Delete('tax-codes/:taxCodeId')
  @ErrorResponses(404)
  @HttpCode(204)
  @RequiresScope(WRITE)
  @EmptyResponse(204)
  async remove(@CurrentCaller() caller: Caller, @Param('taxCodeId') id: string): Promise<void> {
    await this.changeTaxCode.remove(caller, id);
  }
}
