import { Body, Controller, Get, HttpCode, Param, Put, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import { CompanyRoutes } from '../access/company-routes.decorator.js';
import { CompanyMasterData } from '../companies/company-master-data.js';
import { PageQuery, type Page } from '../http/page.js';
import { DimensionDto, DimensionPage, DimensionsDto } from './dimension.dto.js';
import { DimensionRepository } from './dimension.repository.js';

@CompanyRoutes('dimensions')
@Controller('companies/:companyId/dimensions')
export class DimensionsController {
  constructor(
    private readonly companyMasterData: CompanyMasterData,
    private readonly dimensionRepository: DimensionRepository,
  ) {}

  @Get()
  @ApiOkResponse({ type: DimensionPage })
  async list(@Param('companyId') companyId: string, @Query() query: PageQuery): Promise<Page<DimensionDto>> {
    return this.companyMasterData.readPage(this.dimensionRepository, companyId, query);
  }

  @Put()
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Dimensions with the same code are replaced, others are added.' })
  async put(@Param('companyId') companyId: string, @Body() body: DimensionsDto): Promise<void> {
    await this.companyMasterData.save(this.dimensionRepository, companyId, body.data);
  }
}
