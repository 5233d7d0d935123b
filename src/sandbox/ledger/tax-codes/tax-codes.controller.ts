import { Body, Controller, Get, HttpCode, Param, Put, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import { CompanyRoutes } from '../access/company-routes.decorator.js';
import { CompanyMasterData } from '../companies/company-master-data.js';
import { PageQuery, type Page } from '../http/page.js';
import { TaxCodeDto, TaxCodePage, TaxCodesDto } from './tax-code.dto.js';
import { TaxCodeRepository } from './tax-code.repository.js';

@CompanyRoutes('tax codes')
@Controller('companies/:companyId/tax-codes')
export class TaxCodesController {
  constructor(
    private readonly companyMasterData: CompanyMasterData,
    private readonly taxCodeRepository: TaxCodeRepository,
  ) {}

  @Get()
  @ApiOkResponse({ type: TaxCodePage })
  async list(@Param('companyId') companyId: string, @Query() query: PageQuery): Promise<Page<TaxCodeDto>> {
    return this.companyMasterData.readPage(this.taxCodeRepository, companyId, query);
  }

  @Put()
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Tax codes with the same code are replaced, others are added.' })
  async put(@Param('companyId') companyId: string, @Body() body: TaxCodesDto): Promise<void> {
    await this.companyMasterData.save(this.taxCodeRepository, companyId, body.data);
  }
}
