import { Controller, Get, Param, Query, UseGuards } from '@nestjs/common';
import { z } from 'zod';
import { Database } from '../../../foundation/database/database.js';
import { companiesOf, CurrentCaller, type Caller } from '../access/caller.js';
import { PlatformAccessGuard, RequiresScope } from '../access/platform-access.guard.js';
import { ReadPage } from '../paging/read-page.js';
import { dataOf, pageOf, uuidResponseField } from '../wire/response-schemas.js';
import {
  JsonResponse,
  OptionalQuery,
  PagingParameters,
  PlatformApi,
  ErrorResponses,
} from '../wire/api-documentation.js';
import { notFound } from '../wire/api-error.js';
import { parseUuid, queryValue, type Query as QueryParameters } from '../wire/parse-request.js';
import { CompanyAccess } from './company-access.js';
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
@UseGuards(PlatformAccessGuard)
export class CompanyController {
  constructor(
    private readonly companyRepository: CompanyRepository,
    private readonly companyAccess: CompanyAccess,
    private readonly readPage: ReadPage,
    private readonly database: Database,
  ) {}

  @Get()
  @RequiresScope('companies:read')
  @OptionalQuery('organization_id', { type: 'string', format: 'uuid' })
  @PagingParameters(COMPANY_COLUMNS)
  @JsonResponse(pageOf(companyResponseSchema))
  async list(@CurrentCaller() caller: Caller, @Query() query: QueryParameters): Promise<object> {
    const organization = queryValue(query, 'organization_id');
    return this.database.inTransaction('list companies', async (tx) => {
      const visible =
        organization === undefined
          ? caller.companyIds
          : await this.companyAccess.ofOrganization(tx, caller, parseUuid('organization_id', organization));
      const { rows, pagination } = await this.readPage.readPage(tx, query, {
        list: this.companyRepository.listOf(visible),
        columns: COMPANY_COLUMNS,
        rows: (ids) => this.companyRepository.findByIds(tx, ids),
      });
      return { data: rows.map(companyWire), pagination };
    });
  }

  @Get(':companyId')
  @ErrorResponses(404)
  @RequiresScope('companies:read')
  @JsonResponse(dataOf(companyResponseSchema))
  async get(@CurrentCaller() caller: Caller, @Param('companyId') companyId: string): Promise<object> {
    const ids = companiesOf(caller, parseUuid('companyId', companyId));
    const [company] = await this.database.inTransaction('get company', (tx) =>
      this.companyRepository.findByIds(tx, ids),
    );
    if (company === undefined) {
      throw notFound('COMPANY_NOT_FOUND', 'Company not found.');
    }
    return { data: companyWire(company) };
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
