import { Controller, Get, Param, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { Database } from '../../../foundation/database/database.js';
import { Problem } from '../../../foundation/http/problem.js';
import { CompanyGuard } from '../access/company.guard.js';
import { startOfPage, toPage } from '../http/page.js';
import { TabularResponse } from '../http/tabular-response.js';
import { DimensionBalancesDto, DimensionBalancesQuery } from './dimension-balances.dto.js';
import { DimensionBalancesRepository } from './dimension-balances.repository.js';
import { dimensionBalancesSheet } from './dimension-balances.sheet.js';
import { inSnapshot } from './in-snapshot.js';

@ApiTags('reports')
@ApiBearerAuth()
@UseGuards(CompanyGuard)
@Controller('companies/:companyId/dimension-balances')
export class DimensionBalancesController {
  constructor(
    private readonly database: Database,
    private readonly dimensionBalancesRepository: DimensionBalancesRepository,
  ) {}

  @Get()
  @TabularResponse(
    DimensionBalancesDto,
    dimensionBalancesSheet,
    'Posted lines by dimension value, account and currency. Lines without a value have rows of their own, so that all rows together are the trial balance of the days asked for.',
  )
  async show(
    @Param('companyId') companyId: string,
    @Query() query: DimensionBalancesQuery,
  ): Promise<DimensionBalancesDto> {
    const start = startOfPage(query, 3);
    const { dimension, from = null, to = null } = query;
    return inSnapshot(this.database, 'dimension-balances', async (tx) => {
      const functionalCurrency = await this.dimensionBalancesRepository.functionalCurrency(
        tx,
        companyId,
        dimension,
      );
      if (functionalCurrency === undefined) {
        throw new Problem({
          status: 404,
          type: 'dimension-not-found',
          detail: `The company has no dimension ${dimension}.`,
        });
      }
      const rows = await this.dimensionBalancesRepository.page(tx, companyId, query, start);
      const page = toPage(query, rows, (row) => [row.value ?? '', row.accountCode, row.currency]);
      return { dimension, functionalCurrency, from, to, ...page };
    });
  }
}
