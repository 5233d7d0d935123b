import { Controller, Get, Param, Query } from '@nestjs/common';
import { CompanyRoutes } from '../../access/company-routes.decorator.js';
import { TabularResponse } from '../../http/tabular-response.js';
import { AccountLedgerDto, AccountLedgerQuery } from './account-ledger.dto.js';
import { accountLedgerSheet } from './account-ledger.sheet.js';
import { ShowAccountLedger } from './show-account-ledger.js';

@CompanyRoutes('reports')
@Controller('companies/:companyId/accounts/:accountCode/ledger')
export class AccountLedgerController {
  constructor(private readonly showAccountLedger: ShowAccountLedger) {}

  @Get()
  @TabularResponse(
    AccountLedgerDto,
    accountLedgerSheet,
    'General ledger of an account: each line with the balance after it, by posting date, number and line; the drafts of a day come last in it. The closing balance is that of the trial balance.',
  )
  async show(
    @Param('companyId') companyId: string,
    @Param('accountCode') accountCode: string,
    @Query() query: AccountLedgerQuery,
  ): Promise<AccountLedgerDto> {
    return this.showAccountLedger.showAccountLedger(companyId, accountCode, query);
  }
}
