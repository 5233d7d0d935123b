import { Body, Controller, Get, HttpCode, Param, Put, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import { CompanyRoutes } from '../access/company-routes.decorator.js';
import { CompanyMasterData } from '../companies/company-master-data.js';
import { PageQuery, type Page } from '../http/page.js';
import { PeriodDto, PeriodPage, PeriodsDto, PeriodStateDto } from './period.dto.js';
import { PeriodRepository } from './period.repository.js';
import { SetPeriodState } from './set-period-state.js';

@CompanyRoutes('fiscal periods')
@Controller('companies/:companyId/periods')
export class PeriodsController {
  constructor(
    private readonly companyMasterData: CompanyMasterData,
    private readonly periodRepository: PeriodRepository,
    private readonly setPeriodState: SetPeriodState,
  ) {}

  @Get()
  @ApiOkResponse({ type: PeriodPage })
  async list(@Param('companyId') companyId: string, @Query() query: PageQuery): Promise<Page<PeriodDto>> {
    return this.companyMasterData.readPage(this.periodRepository, companyId, query);
  }

  @Put()
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Periods with the same first day are replaced, others are added.' })
  async put(@Param('companyId') companyId: string, @Body() body: PeriodsDto): Promise<void> {
    await this.companyMasterData.save(this.periodRepository, companyId, body.data);
  }

  @Put(':from/state')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'The period has the state.' })
  async putState(
    @Param('companyId') companyId: string,
    @Param('from') from: string,
    @Body() body: PeriodStateDto,
  ): Promise<void> {
    await this.setPeriodState.setPeriodState(companyId, from, body.state);
  }
}
