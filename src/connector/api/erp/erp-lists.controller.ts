import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiConflictResponse, ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../foundation/http/access.js';
import { message } from '../../../kernel/message.js';
import { ACCOUNT_TYPES } from '../../bookkeeping/item/master-data.js';
import type { ListRowFilter, FoundRows } from '../../erp-connections/domain/search-list-rows.js';
import { SearchErpLists, type ErpListName, type ErpListOutcome } from '../../erp-connections/lists/search-erp-lists.js';
import { setupIncomplete, successOf } from '../http/outcome-problems.js';
import { notFound, problem } from '../http/problems.js';
import { Caller, type Principal } from '../http/principal.js';
import {
  ErpAccountsQuery,
  ErpAccountsResponse,
  ErpCompanyListResponse,
  ErpListQuery,
  ErpSearchQuery,
  ErpTaxCodesQuery,
  ErpTaxCodesResponse,
  ErpValuesResponse,
  ErpVendorsQuery,
  ErpVendorsResponse,
  TAX_CODE_TYPES,
  VENDOR_TYPES,
} from './erp-lists.dto.js';

const NOT_LINKED = { description: 'no company of the accounting system is linked, or it has no such list' };
const FRESH = 'What it has said within the last minute is not asked again.';

/** What there is to choose from in the accounting system, for pickers: the best matches first, with names beside codes. */
@ApiTags('ERP connection')
@Controller('api/v1/erp')
export class ErpListsController {
  constructor(private readonly searchErpLists: SearchErpLists) {}

  @Get('companies')
  @ApiOperation({
    summary: 'Search companies of the accounting system',
    description: `Companies that the connection opens, by id or name. ${FRESH}`,
  })
  @Access('viewer')
  @ApiOkResponse({ type: ErpCompanyListResponse })
  async companies(
    @Caller() { installationId }: Principal,
    @Query() { search, limit }: ErpSearchQuery,
  ): Promise<ErpCompanyListResponse> {
    const { data, total } = await this.searchErpLists.searchCompanies(installationId, { search }, limit);
    return {
      total,
      data: data.map(({ code, name, isLinked, registrationNumber = null }) => ({
        ...{ id: code, name, registrationNumber, isLinked },
      })),
    };
  }

  @Get('accounts')
  @ApiOperation({
    summary: 'Search accounts of the accounting system',
    description: `Accounts of the linked company, by code or name. ${FRESH}`,
  })
  @Access('viewer')
  @ApiOkResponse({ type: ErpAccountsResponse })
  @ApiConflictResponse(NOT_LINKED)
  async accounts(@Caller() caller: Principal, @Query() query: ErpAccountsQuery): Promise<ErpAccountsResponse> {
    const { data, total } = await this.search(caller, 'accounts', query);
    return {
      total,
      data: data.map(({ code, name, active, type, externalId }) => ({
        ...{ code, name, active, externalId },
        type: knownAmong(ACCOUNT_TYPES, type),
      })),
    };
  }

  @Get('tax-codes')
  @ApiOperation({
    summary: 'Search tax codes of the accounting system',
    description: `Tax codes of the linked company, by code or name. ${FRESH}`,
  })
  @Access('viewer')
  @ApiOkResponse({ type: ErpTaxCodesResponse })
  @ApiConflictResponse(NOT_LINKED)
  async taxCodes(@Caller() caller: Principal, @Query() query: ErpTaxCodesQuery): Promise<ErpTaxCodesResponse> {
    const { data, total } = await this.search(caller, 'tax-codes', query);
    return {
      total,
      data: data.map(({ code, name, active, type, rate = '' }) => ({
        ...{ code, name, active, rate },
        type: knownAmong(TAX_CODE_TYPES, type),
      })),
    };
  }

  @Get('dimensions')
  @ApiOperation({
    summary: 'Search dimensions of the accounting system',
    description: `Dimensions of the linked company, by code or name. ${FRESH}`,
  })
  @Access('viewer')
  @ApiOkResponse({ type: ErpValuesResponse })
  @ApiConflictResponse(NOT_LINKED)
  async dimensions(@Caller() caller: Principal, @Query() query: ErpListQuery): Promise<ErpValuesResponse> {
    return valuesOf(await this.search(caller, 'dimensions', query));
  }

  @Get('dimensions/:dimension/values')
  @ApiOperation({
    summary: 'Search the values of a dimension',
    description: `Values of one dimension of the linked company, by code or name. ${FRESH}`,
  })
  @Access('viewer')
  @ApiOkResponse({ type: ErpValuesResponse })
  @ApiNotFoundResponse({ description: 'the accounting system has no dimension with this code' })
  @ApiConflictResponse(NOT_LINKED)
  async values(
    @Caller() { installationId }: Principal,
    @Param('dimension') dimension: string,
    @Query() query: ErpListQuery,
  ): Promise<ErpValuesResponse> {
    return valuesOf(
      found(await this.searchErpLists.searchValues(installationId, dimension, filterOf(query), query.limit)),
    );
  }

  @Get('vendors')
  @ApiOperation({
    summary: 'Search vendors of the accounting system',
    description: `Vendors of the linked company, by number or name. ${FRESH}`,
  })
  @Access('viewer')
  @ApiOkResponse({ type: ErpVendorsResponse })
  @ApiConflictResponse(NOT_LINKED)
  async vendors(@Caller() caller: Principal, @Query() query: ErpVendorsQuery): Promise<ErpVendorsResponse> {
    const { data, total } = await this.search(caller, 'vendors', query);
    return {
      total,
      data: data.map(
        ({ code, name, active, type, externalId, country = null, registrationNumber = null, taxNumber = null }) => ({
          ...{
            code,
            name,
            active,
            type: knownAmong(VENDOR_TYPES, type) ?? 'supplier',
            externalId,
            country,
            registrationNumber,
            taxNumber,
          },
        }),
      ),
    };
  }

  private async search(
    { installationId }: Principal,
    list: ErpListName,
    query: ErpListQuery & { readonly type?: string },
  ): Promise<FoundRows> {
    return found(await this.searchErpLists.searchList(installationId, list, filterOf(query), query.limit));
  }
}

function filterOf({ search, type, active }: ErpListQuery & { readonly type?: string }): ListRowFilter {
  return { search, type, active: active === undefined ? undefined : active === 'true' };
}

function valuesOf({ data, total }: FoundRows): ErpValuesResponse {
  return { total, data: data.map(({ code, name, active }) => ({ code, name, active })) };
}

function found(outcome: ErpListOutcome): FoundRows {
  return successOf(outcome, ['found'], {
    'no-company': setupIncomplete,
    'no-such-list': () => problem('erp-without-dimensions', message('problem.erp-without-dimensions.detail')),
    'no-such-dimension': () => notFound(message('problem.not-found.dimension')),
  });
}

function knownAmong<T extends string>(types: readonly T[], type: string | null): T | null {
  return types.find((known) => known === type) ?? null;
}
