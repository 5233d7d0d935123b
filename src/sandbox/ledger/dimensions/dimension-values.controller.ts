import { Body, Controller, Get, HttpCode, Param, Put, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import { CompanyRoutes } from '../access/company-routes.decorator.js';
import { CompanyMasterData } from '../companies/company-master-data.js';
import { PageQuery, type Page } from '../http/page.js';
import { DimensionValueDto, DimensionValuePage, DimensionValuesDto } from './dimension.dto.js';
import { DimensionValueRepository } from './dimension-value.repository.js';

@CompanyRoutes('dimensions')
@Controller('companies/:companyId/dimension-values')
export class DimensionValuesController {
  constructor(
    private readonly companyMasterData: CompanyMasterData,
    private readonly dimensionValueRepository: DimensionValueRepository,
  ) {}

  @Get()
  @ApiOkResponse({ type: DimensionValuePage })
  async list(@Param('companyId') companyId: string, @Query() query: PageQuery): Promise<Page<DimensionValueDto>> {
    return this.companyMasterData.readPage(this.dimensionValueRepository, companyId, query);
  }

  @Put()
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Values with the same codes are replaced, others are added.' })
  async put(@Param('companyId') companyId: string, @Body() body: DimensionValuesDto): Promise<void> {
    await this.companyMasterData.save(this.dimensionValueRepository, companyId, body.data);
  }
}
