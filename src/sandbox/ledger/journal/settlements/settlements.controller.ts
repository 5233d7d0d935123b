import { Body, Controller, HttpCode, Param, ParseUUIDPipe, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse } from '@nestjs/swagger';
import { CompanyRoutes } from '../../access/company-routes.decorator.js';
import { SettleManually } from './settle-manually.js';
import { SettlementCreatedDto, SettlementRequestDto } from './settlement.dto.js';

@CompanyRoutes('open items')
@Controller('companies/:companyId/settlements')
export class SettlementsController {
  constructor(private readonly settleManually: SettleManually) {}

  @Post()
  @ApiCreatedResponse({ type: SettlementCreatedDto, description: 'The two items settle each other.' })
  async settle(
    @Param('companyId') companyId: string,
    @Body() body: SettlementRequestDto,
  ): Promise<SettlementCreatedDto> {
    const { debit, credit, amountMinor, realizedFxAccountCode } = body;
    const id = await this.settleManually.settle(companyId, {
      debit,
      credit,
      amountMinor: amountMinor == null ? undefined : BigInt(amountMinor),
      realizedFxAccountCode: realizedFxAccountCode ?? undefined,
    });
    return { id };
  }

  @Post(':settlementId/undo')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Both items are open again, and what was realized is reversed.' })
  async undo(
    @Param('companyId') companyId: string,
    @Param('settlementId', ParseUUIDPipe) settlementId: string,
  ): Promise<void> {
    await this.settleManually.undo(companyId, settlementId);
  }
}
