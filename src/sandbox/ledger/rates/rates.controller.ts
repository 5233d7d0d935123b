import { Body, Controller, Get, HttpCode, Param, Put, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import { CompanyRoutes } from '../access/company-routes.decorator.js';
import { CompanyMasterData } from '../companies/company-master-data.js';
import { type Page } from '../http/page.js';
import { RateDto, RatePage, RateQuery, RatesDto } from './rate.dto.js';
import { RateRepository } from './rate.repository.js';

@CompanyRoutes('exchange rates')
@Controller('companies/:companyId/exchange-rates')
export class RatesController {
  constructor(
    private readonly companyMasterData: CompanyMasterData,
    private readonly rateRepository: RateRepository,
  ) {}

  @Get()
  @ApiOkResponse({ type: RatePage })
  async list(@Param('companyId') companyId: string, @Query() query: RateQuery): Promise<Page<RateDto>> {
    return this.companyMasterData.readPage(this.rateRepository, companyId, query);
  }

  @Put()
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Rates of the same pair and day are replaced, others are added.' })
  async put(@Param('companyId') companyId: string, @Body() body: RatesDto): Promise<void> {
    await this.companyMasterData.save(this.rateRepository, companyId, body.data);
  }
}
