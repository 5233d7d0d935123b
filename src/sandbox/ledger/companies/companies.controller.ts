import { Body, Controller, Get, Param, ParseUUIDPipe, Put, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Database } from '../../../foundation/database/database.js';
import { Problem } from '../../../foundation/http/problem.js';
import { CompanyGuard } from '../access/company.guard.js';
import { PageQuery, startOfPage, toPage, type Page } from '../http/page.js';
import { CompanyDto, CompanyPage, StoredCompanyDto } from './company.dto.js';
import { CompanyRepository } from './company.repository.js';

@ApiTags('companies')
@ApiBearerAuth()
@Controller('companies')
export class CompaniesController {
  constructor(
    private readonly database: Database,
    private readonly companyRepository: CompanyRepository,
  ) {}

  @Get()
  @ApiOkResponse({ type: CompanyPage })
  async list(@Query() query: PageQuery): Promise<Page<StoredCompanyDto>> {
    const start = startOfPage(query, 1);
    const rows = await this.database.inTransaction('companies.page', (tx) =>
      this.companyRepository.page(tx, start),
    );
    return toPage(query, rows, (company) => [company.id]);
  }

  @Get(':companyId')
  @UseGuards(CompanyGuard)
  @ApiOkResponse({ type: StoredCompanyDto })
  async find(@Param('companyId') companyId: string): Promise<StoredCompanyDto> {
    return this.database.inTransaction('companies.find', (tx) => this.companyRepository.find(tx, companyId));
  }

  @Put(':companyId')
  @ApiOkResponse({ type: StoredCompanyDto })
  async put(
    @Param('companyId', ParseUUIDPipe) companyId: string,
    @Body() company: CompanyDto,
  ): Promise<StoredCompanyDto> {
    const stored = await this.database.inTransaction('companies.put', async (tx) =>
      (await this.companyRepository.upsert(tx, companyId, company))
        ? this.companyRepository.find(tx, companyId)
        : undefined,
    );
    if (stored === undefined) {
      throw new Problem({
        status: 409,
        type: 'functional-currency-fixed',
        detail: 'The functional currency of a company cannot be changed. Make another company instead.',
      });
    }
    return stored;
  }
}
