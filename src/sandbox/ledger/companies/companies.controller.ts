import { Body, Controller, Get, Param, ParseUUIDPipe, Put, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { CompanyGuard } from '../access/company.guard.js';
import { OpenedCompanyId } from '../access/opened-company.js';
import { PageQuery, type Page } from '../http/page.js';
import { CompanyDto, CompanyPage, StoredCompanyDto } from './company.dto.js';
import { CompanyReader } from './company.reader.js';
import { SaveCompany } from './save-company.js';

@ApiTags('companies')
@ApiBearerAuth()
@Controller('companies')
export class CompaniesController {
  constructor(
    private readonly companyReader: CompanyReader,
    private readonly saveCompany: SaveCompany,
  ) {}

  /** All companies; with the key of a company that one alone. */
  @Get()
  @ApiOkResponse({ type: CompanyPage })
  async list(
    @Query() query: PageQuery,
    @OpenedCompanyId() openedCompanyId: string | undefined,
  ): Promise<Page<StoredCompanyDto>> {
    return this.companyReader.readPage(query, openedCompanyId);
  }

  @Get(':companyId')
  @UseGuards(CompanyGuard)
  @ApiOkResponse({ type: StoredCompanyDto })
  async find(@Param('companyId') companyId: string): Promise<StoredCompanyDto> {
    return this.companyReader.find(companyId);
  }

  @Put(':companyId')
  @ApiOkResponse({ type: StoredCompanyDto })
  async put(
    @Param('companyId', ParseUUIDPipe) companyId: string,
    @Body() company: CompanyDto,
  ): Promise<StoredCompanyDto> {
    return this.saveCompany.saveCompany(companyId, company);
  }
}
