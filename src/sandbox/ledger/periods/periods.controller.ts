import { Body, Controller, Get, HttpCode, Param, Put, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Database } from '../../../foundation/database/database.js';
import { Problem } from '../../../foundation/http/problem.js';
import { parseLocalDate } from '../../../kernel/local-date.js';
import { CompanyGuard } from '../access/company.guard.js';
import { CompanyRepository } from '../companies/company.repository.js';
import { mapConstraintErrors } from '../http/constraint-problem.js';
import { PageQuery, startOfPage, toPage, type Page } from '../http/page.js';
import { PeriodDto, PeriodPage, PeriodsDto, PeriodStateDto } from './period.dto.js';
import { PeriodRepository } from './period.repository.js';

@ApiTags('fiscal periods')
@ApiBearerAuth()
@UseGuards(CompanyGuard)
@Controller('companies/:companyId/periods')
export class PeriodsController {
  constructor(
    private readonly database: Database,
    private readonly companyRepository: CompanyRepository,
    private readonly periodRepository: PeriodRepository,
  ) {}

  @Get()
  @ApiOkResponse({ type: PeriodPage })
  async list(@Param('companyId') companyId: string, @Query() query: PageQuery): Promise<Page<PeriodDto>> {
    const start = startOfPage(query, 1);
    const rows = await this.database.inTransaction('periods.page', (tx) =>
      this.periodRepository.page(tx, companyId, start),
    );
    return toPage(query, rows, (period) => [period.from]);
  }

  @Put()
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Periods with the same first day are replaced, others are added.' })
  async put(@Param('companyId') companyId: string, @Body() body: PeriodsDto): Promise<void> {
    await mapConstraintErrors(
      this.database.inTransaction('periods.put', async (tx) => {
        await this.companyRepository.lock(tx, companyId);
        await this.periodRepository.upsert(tx, companyId, body.data);
      }),
    );
  }

  @Put(':from/state')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'The period is open or closed now.' })
  async putState(
    @Param('companyId') companyId: string,
    @Param('from') from: string,
    @Body() body: PeriodStateDto,
  ): Promise<void> {
    const day = parseLocalDate(from);
    const changed =
      day !== undefined &&
      (await this.database.inTransaction('periods.state', async (tx) => {
        await this.companyRepository.lock(tx, companyId);
        return this.periodRepository.setState(tx, companyId, day, body.state);
      }));
    if (!changed) {
      throw new Problem({
        status: 404,
        type: 'period-not-found',
        detail: `No fiscal period starts on ${from}.`,
      });
    }
  }
}
