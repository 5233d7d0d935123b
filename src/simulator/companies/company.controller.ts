import { Controller, Get, Param, Query, UseGuards } from '@nestjs/common';
import { Database } from '../../foundation/database/database.js';
import { companiesOf, CurrentCaller, type Caller } from '../access/caller.js';
import { PlatformAccessGuard, RequiresScope } from '../access/platform-access.guard.js';
import { SimulatorStateRepository } from '../clock/simulator-state.repository.js';
import { inPageOrder, planPage } from '../paging/page.js';
import { parsePageRequest } from '../paging/page-request.js';
import { notFound } from '../wire/api-error.js';
import { parseUuid, queryValue, type Query as QueryParameters } from '../wire/parse-request.js';
import { CompanyRepository, type Company } from './company.repository.js';

/** Companies the credential covers (wire-facts §8). */
@Controller('v1/companies')
@UseGuards(PlatformAccessGuard)
export class CompanyController {
  constructor(
    private readonly companies: CompanyRepository,
    private readonly states: SimulatorStateRepository,
    private readonly database: Database,
  ) {}

  @Get()
  @RequiresScope('companies:read')
  async list(@CurrentCaller() caller: Caller, @Query() query: QueryParameters): Promise<object> {
    const organization = queryValue(query, 'organization_id');
    const organizationId =
      organization === undefined ? undefined : parseUuid('organization_id', organization);
    return this.database.inTransaction('list companies', async (tx) => {
      const { largestPage } = await this.states.readSettings(tx);
      const keys = await this.companies.keys(tx, caller.companyIds, organizationId);
      const page = planPage(keys, parsePageRequest(query, largestPage));
      const rows = await this.companies.findByIds(tx, page.ids);
      return { data: inPageOrder(page, rows).map(companyWire), pagination: page.pagination };
    });
  }

  @Get(':companyId')
  @RequiresScope('companies:read')
  async get(@CurrentCaller() caller: Caller, @Param('companyId') companyId: string): Promise<object> {
    const ids = companiesOf(caller, parseUuid('companyId', companyId));
    const [company] = await this.database.inTransaction('get company', (tx) =>
      this.companies.findByIds(tx, ids),
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
