import { Body, Controller, Get, HttpCode, Param, ParseIntPipe, Put, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Database } from '../../../foundation/database/database.js';
import { Problem } from '../../../foundation/http/problem.js';
import { CompanyGuard } from '../access/company.guard.js';
import { CompanyRepository } from '../companies/company.repository.js';
import { FiscalYearList, PeriodStateDto } from './period.dto.js';
import { PeriodRepository } from './period.repository.js';

@ApiTags('fiscal periods')
@ApiBearerAuth()
@UseGuards(CompanyGuard)
@Controller('companies/:companyId/fiscal-years')
export class FiscalYearsController {
  constructor(
    private readonly database: Database,
    private readonly companyRepository: CompanyRepository,
    private readonly periodRepository: PeriodRepository,
  ) {}

  @Get()
  @ApiOkResponse({ type: FiscalYearList })
  async list(@Param('companyId') companyId: string): Promise<FiscalYearList> {
    const data = await this.database.inTransaction('fiscal-years.list', (tx) =>
      this.periodRepository.years(tx, companyId),
    );
    return { data };
  }

  @Put(':year/state')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'All periods of the year are open or closed now.' })
  async putState(
    @Param('companyId') companyId: string,
    @Param('year', ParseIntPipe) year: number,
    @Body() body: PeriodStateDto,
  ): Promise<void> {
    const known =
      year >= 1900 &&
      year <= 9999 &&
      (await this.database.inTransaction('fiscal-years.state', async (tx) => {
        await this.companyRepository.lock(tx, companyId);
        return this.periodRepository.setYearState(tx, companyId, year, body.state);
      }));
    if (!known) {
      throw new Problem({
        status: 404,
        type: 'fiscal-year-not-found',
        detail: `The company has no period in fiscal year ${year.toString()}.`,
      });
    }
  }
}
