import { Body, Controller, Get, HttpCode, Param, Put, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Database } from '../../../foundation/database/database.js';
import { CompanyGuard } from '../access/company.guard.js';
import { mapConstraintErrors } from '../http/constraint-problem.js';
import { startOfPage, toPage, type Page } from '../http/page.js';
import { RateDto, RatePage, RateQuery, RatesDto } from './rate.dto.js';
import { RateRepository } from './rate.repository.js';

@ApiTags('exchange rates')
@ApiBearerAuth()
@UseGuards(CompanyGuard)
@Controller('companies/:companyId/exchange-rates')
export class RatesController {
  constructor(
    private readonly database: Database,
    private readonly rateRepository: RateRepository,
  ) {}

  @Get()
  @ApiOkResponse({ type: RatePage })
  async list(@Param('companyId') companyId: string, @Query() query: RateQuery): Promise<Page<RateDto>> {
    const start = startOfPage(query, 3);
    const rows = await this.database.inTransaction('exchange-rates.page', (tx) =>
      this.rateRepository.page(tx, companyId, query, start),
    );
    return toPage(query, rows, (rate) => [rate.from, rate.to, rate.date]);
  }

  @Put()
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Rates of the same pair and day are replaced, others are added.' })
  async put(@Param('companyId') companyId: string, @Body() body: RatesDto): Promise<void> {
    await mapConstraintErrors(
      this.database.inTransaction('exchange-rates.put', (tx) =>
        this.rateRepository.upsert(tx, companyId, body.data),
      ),
    );
  }
}
