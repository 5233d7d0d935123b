import { Body, Controller, Get, HttpCode, Param, Put, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Database } from '../../../foundation/database/database.js';
import { CompanyGuard } from '../access/company.guard.js';
import { mapConstraintErrors } from '../http/constraint-problem.js';
import { PageQuery, startOfPage, toPage, type Page } from '../http/page.js';
import {
  DimensionDto,
  DimensionPage,
  DimensionsDto,
  DimensionValueDto,
  DimensionValuePage,
  DimensionValuesDto,
} from './dimension.dto.js';
import { DimensionRepository } from './dimension.repository.js';

@ApiTags('dimensions')
@ApiBearerAuth()
@UseGuards(CompanyGuard)
@Controller('companies/:companyId')
export class DimensionsController {
  constructor(
    private readonly database: Database,
    private readonly dimensionRepository: DimensionRepository,
  ) {}

  @Get('dimensions')
  @ApiOkResponse({ type: DimensionPage })
  async list(@Param('companyId') companyId: string, @Query() query: PageQuery): Promise<Page<DimensionDto>> {
    const start = startOfPage(query, 1);
    const rows = await this.database.inTransaction('dimensions.page', (tx) =>
      this.dimensionRepository.page(tx, companyId, start),
    );
    return toPage(query, rows, (dimension) => [dimension.code]);
  }

  @Put('dimensions')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Dimensions with the same code are replaced, others are added.' })
  async put(@Param('companyId') companyId: string, @Body() body: DimensionsDto): Promise<void> {
    await mapConstraintErrors(
      this.database.inTransaction('dimensions.put', (tx) =>
        this.dimensionRepository.upsert(tx, companyId, body.data),
      ),
    );
  }

  @Get('dimension-values')
  @ApiOkResponse({ type: DimensionValuePage })
  async listValues(
    @Param('companyId') companyId: string,
    @Query() query: PageQuery,
  ): Promise<Page<DimensionValueDto>> {
    const start = startOfPage(query, 2);
    const rows = await this.database.inTransaction('dimension-values.page', (tx) =>
      this.dimensionRepository.pageOfValues(tx, companyId, start),
    );
    return toPage(query, rows, (value) => [value.dimensionCode, value.code]);
  }

  @Put('dimension-values')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Values with the same codes are replaced, others are added.' })
  async putValues(@Param('companyId') companyId: string, @Body() body: DimensionValuesDto): Promise<void> {
    await mapConstraintErrors(
      this.database.inTransaction('dimension-values.put', (tx) =>
        this.dimensionRepository.upsertValues(tx, companyId, body.data),
      ),
    );
  }
}
