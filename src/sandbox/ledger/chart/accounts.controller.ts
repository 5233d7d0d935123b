import { Body, Controller, Get, HttpCode, Param, Put, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import { CompanyRoutes } from '../access/company-routes.decorator.js';
import { CompanyMasterData } from '../companies/company-master-data.js';
import { PageQuery, type Page } from '../http/page.js';
import { AccountDto, AccountPage, AccountsDto } from './account.dto.js';
import { AccountRepository } from './account.repository.js';

@CompanyRoutes('chart of accounts')
@Controller('companies/:companyId/accounts')
export class AccountsController {
  constructor(
    private readonly companyMasterData: CompanyMasterData,
    private readonly accountRepository: AccountRepository,
  ) {}

  @Get()
  @ApiOkResponse({ type: AccountPage })
  async list(@Param('companyId') companyId: string, @Query() query: PageQuery): Promise<Page<AccountDto>> {
    return this.companyMasterData.readPage(this.accountRepository, companyId, query);
  }

  @Put()
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Accounts with the same code are replaced, others are added.' })
  async put(@Param('companyId') companyId: string, @Body() body: AccountsDto): Promise<void> {
    await this.companyMasterData.save(this.accountRepository, companyId, body.data);
  }
}
