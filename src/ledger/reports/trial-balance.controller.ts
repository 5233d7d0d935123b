import { Controller, Get, Param, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Database } from '../../foundation/database/database.js';
import { CompanyGuard } from '../access/company.guard.js';
import { TrialBalanceDto, TrialBalanceQuery } from './trial-balance.dto.js';
import { TrialBalanceRepository } from './trial-balance.repository.js';

@ApiTags('reports')
@ApiBearerAuth()
@UseGuards(CompanyGuard)
@Controller('companies/:companyId/trial-balance')
export class TrialBalanceController {
  constructor(
    private readonly database: Database,
    private readonly trialBalance: TrialBalanceRepository,
  ) {}

  @Get()
  @ApiOkResponse({ type: TrialBalanceDto })
  async show(
    @Param('companyId') companyId: string,
    @Query() query: TrialBalanceQuery,
  ): Promise<TrialBalanceDto> {
    return this.database.inTransaction('trial-balance', (tx) =>
      this.trialBalance.compute(tx, companyId, query),
    );
  }
}
