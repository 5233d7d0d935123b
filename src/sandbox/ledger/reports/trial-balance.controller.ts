import { Controller, Get, Param, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { Database } from '../../../foundation/database/database.js';
import { CompanyGuard } from '../access/company.guard.js';
import { TabularResponse } from '../http/tabular-response.js';
import { inSnapshot } from './in-snapshot.js';
import { TrialBalanceDto, TrialBalanceQuery } from './trial-balance.dto.js';
import { TrialBalanceRepository } from './trial-balance.repository.js';
import { trialBalanceSheet } from './trial-balance.sheet.js';

@ApiTags('reports')
@ApiBearerAuth()
@UseGuards(CompanyGuard)
@Controller('companies/:companyId/trial-balance')
export class TrialBalanceController {
  constructor(
    private readonly database: Database,
    private readonly trialBalanceRepository: TrialBalanceRepository,
  ) {}

  @Get()
  @TabularResponse(TrialBalanceDto, trialBalanceSheet, 'Each account in each currency, and totals.')
  async show(
    @Param('companyId') companyId: string,
    @Query() query: TrialBalanceQuery,
  ): Promise<TrialBalanceDto> {
    return inSnapshot(this.database, 'trial-balance', (tx) =>
      this.trialBalanceRepository.compute(tx, companyId, query),
    );
  }
}
