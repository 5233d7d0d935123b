import { Controller, Get, Param, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { Problem } from '../../../../foundation/http/problem.js';
import { CompanyGuard } from '../../access/company.guard.js';
import { TabularResponse } from '../../http/tabular-response.js';
import { AccountLedgerDto, AccountLedgerQuery } from './account-ledger.dto.js';
import { accountLedgerSheet } from './account-ledger.sheet.js';
import { ShowAccountLedger } from './show-account-ledger.js';

@ApiTags('reports')
@ApiBearerAuth()
@UseGuards(CompanyGuard)
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
    const ledger = accountCode.includes('\0')
      ? undefined
      : await this.showAccountLedger.readPage(companyId, accountCode, query);
    if (ledger === undefined) {
      throw new Problem({
        status: 404,
        type: 'account-not-found',
        detail: `The company has no account ${accountCode}.`,
      });
    }
    return ledger;
  }
}
