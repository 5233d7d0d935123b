import { Body, Controller, Get, HttpCode, Param, ParseIntPipe, Put } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import { CompanyRoutes } from '../access/company-routes.decorator.js';
import { FiscalYearReader } from './fiscal-year.reader.js';
import { FiscalYearList, PeriodStateDto } from './period.dto.js';
import { SetPeriodState } from './set-period-state.js';

@CompanyRoutes('fiscal periods')
@Controller('companies/:companyId/fiscal-years')
export class FiscalYearsController {
  constructor(
    private readonly fiscalYearReader: FiscalYearReader,
    private readonly setPeriodState: SetPeriodState,
  ) {}

  @Get()
  @ApiOkResponse({ type: FiscalYearList })
  async list(@Param('companyId') companyId: string): Promise<FiscalYearList> {
    return { data: await this.fiscalYearReader.readYears(companyId) };
  }

  @Put(':year/state')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'All periods of the year have the state.' })
  async putState(
    @Param('companyId') companyId: string,
    @Param('year', ParseIntPipe) year: number,
    @Body() body: PeriodStateDto,
  ): Promise<void> {
    await this.setPeriodState.setYearState(companyId, year, body.state);
  }
}
