import { Controller, Get, Param, Query } from '@nestjs/common';
import { z } from 'zod';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { RequiresScope } from '../access/requires-scope.js';
import { ReadPage } from '../paging/read-page.js';
import { dataOf, pageOf, uuidResponseField } from '../wire/response-schemas.js';
import {
  JsonResponse,
  OptionalQuery,
  PagingParameters,
  PlatformApi,
  ErrorResponses,
} from '../wire/api-documentation.js';
import { parseUuid, queryValue, type Query as QueryParameters } from '../wire/parse-request.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { CompanyAccess } from './company-access.js';
import { CompanyReader } from './company.reader.js';
import { COMPANY_COLUMNS, CompanyRepository, type Company } from './company.repository.js';

const companyResponseSchema = z.object({
  id: uuidResponseField,
  organizationId: uuidResponseField,
  name: z.string(),
  registrationNumber: z.string().optional(),
  address: z.record(z.string(), z.string()),
});

/** Companies the credential covers (P8). */
@PlatformApi('companies')
@Controller('v1/companies')
export class CompanyController {
  constructor(
    private readonly companyRepository: CompanyRepository,
    private readonly companyReader: CompanyReader,
    private readonly companyAccess: CompanyAccess,
    private readonly readPage: ReadPage,
  ) {}

  @Get()
  @RequiresScope('companies:read')
  @OptionalQuery('organization_id', { type: 'string', format: 'uuid' })
  @PagingParameters(COMPANY_COLUMNS)
  @JsonResponse(pageOf(companyResponseSchema))
  async list(@CurrentCaller() caller: Caller, @Query() query: QueryParameters): Promise<object> {
    const organization = queryValue(query, 'organization_id');
    const list = async (tx: Tx) =>
      this.companyRepository.listOf(
        organization === undefined
          ? caller.companyIds
          : await this.companyAccess.ofOrganization(tx, caller, parseUuid('organization_id', organization)),
      );
    return this.readPage.respond(query, list, companyWire);
  }

  @Get(':companyId')
  @ErrorResponses(404)
  @RequiresScope('companies:read')
  @JsonResponse(dataOf(companyResponseSchema))
  async get(@CurrentCaller() caller: Caller, @Param('companyId') companyId: string): Promise<object> {
    return { data: companyWire(await this.companyReader.find(caller, companyId)) };
  }
}

function companyWire(company: Company): object {
  const { id, organizationId, name, registrationNumber, address } = company;
  return {
    id,
    organizationId,
    name,
    ...(registrationNumber === null ? {} : { registrationNumber }),
    address,
  };
}
