import { Controller, Get, Param, Query } from '@nestjs/common';
import { CompanyRoutes } from '../access/company-routes.decorator.js';
import { TabularResponse } from '../http/tabular-response.js';
import { ApAgeingDto, ApAgeingQuery } from './ap-ageing.dto.js';
import { apAgeingSheet } from './ap-ageing.sheet.js';
import { DimensionBalancesDto, DimensionBalancesQuery } from './dimension-balances.dto.js';
import { dimensionBalancesSheet } from './dimension-balances.sheet.js';
import { OpenItemsDto, OpenItemsQuery } from './open-items.dto.js';
import { openItemsSheet } from './open-items.sheet.js';
import { ShowApAgeing } from './show-ap-ageing.js';
import { ShowDimensionBalances } from './show-dimension-balances.js';
import { ShowOpenItems } from './show-open-items.js';
import { ShowTrialBalance } from './show-trial-balance.js';
import { TrialBalanceDto, TrialBalanceQuery } from './trial-balance.dto.js';
import { trialBalanceSheet } from './trial-balance.sheet.js';

const OPEN_ITEMS =
  'Vendors’ items and their open amounts at the end of a day: posted on or before it, less the settlements made by then.';

const AP_AGEING = `Open amounts at the end of a day, per vendor and currency, by days after the due date. The base total is the
balance of all vendors’ lines posted by then. Realized exchange differences have no column: a settled item leaves with its own
base amount, the difference between the two items is on the realized-fx entry of the settlement, and both together are
in the balance. Lines in base only that belong to no settlement are in “baseOnly”.`;

const DIMENSION_BALANCES =
  'Posted lines by dimension value, account and currency. Lines without a value have rows of their own, so that all rows together are the trial balance of the requested days.';

@CompanyRoutes('reports')
@Controller('companies/:companyId')
export class ReportsController {
  constructor(
    private readonly showTrialBalance: ShowTrialBalance,
    private readonly showOpenItems: ShowOpenItems,
    private readonly showApAgeing: ShowApAgeing,
    private readonly showDimensionBalances: ShowDimensionBalances,
  ) {}

  @Get('trial-balance')
  @TabularResponse(TrialBalanceDto, trialBalanceSheet, 'Each account in each currency, and totals.')
  async trialBalance(
    @Param('companyId') companyId: string,
    @Query() query: TrialBalanceQuery,
  ): Promise<TrialBalanceDto> {
    return this.showTrialBalance.showTrialBalance(companyId, query);
  }

  @Get('open-items')
  @TabularResponse(OpenItemsDto, openItemsSheet, OPEN_ITEMS)
  async openItems(@Param('companyId') companyId: string, @Query() query: OpenItemsQuery): Promise<OpenItemsDto> {
    return this.showOpenItems.showOpenItems(companyId, query);
  }

  @Get('ap-ageing')
  @TabularResponse(ApAgeingDto, apAgeingSheet, AP_AGEING)
  async apAgeing(@Param('companyId') companyId: string, @Query() query: ApAgeingQuery): Promise<ApAgeingDto> {
    return this.showApAgeing.showApAgeing(companyId, query);
  }

  @Get('dimension-balances')
  @TabularResponse(DimensionBalancesDto, dimensionBalancesSheet, DIMENSION_BALANCES)
  async dimensionBalances(
    @Param('companyId') companyId: string,
    @Query() query: DimensionBalancesQuery,
  ): Promise<DimensionBalancesDto> {
    return this.showDimensionBalances.showDimensionBalances(companyId, query);
  }
}
