import { Body, Controller, Get, HttpCode, Param, Put, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Database } from '../../../foundation/database/database.js';
import { CompanyGuard } from '../access/company.guard.js';
import { CompanyRepository } from '../companies/company.repository.js';
import { mapConstraintErrors } from '../http/constraint-problem.js';
import { PageQuery, startOfPage, toPage, type Page } from '../http/page.js';
import { AccountDto, AccountPage, AccountsDto } from './account.dto.js';
import { AccountRepository } from './account.repository.js';

@ApiTags('chart of accounts')
@ApiBearerAuth()
@UseGuards(CompanyGuard)
@Controller('companies/:companyId/accounts')
export class AccountsController {
  constructor(
    private readonly database: Database,
    private readonly companyRepository: CompanyRepository,
    private readonly accountRepository: AccountRepository,
  ) {}

  @Get()
  @ApiOkResponse({ type: AccountPage })
  async list(@Param('companyId') companyId: string, @Query() query: PageQuery): Promise<Page<AccountDto>> {
    const start = startOfPage(query, 1);
    const rows = await this.database.inTransaction('accounts.page', (tx) =>
      this.accountRepository.page(tx, companyId, start),
    );
    return toPage(query, rows, (account) => [account.code]);
  }

  @Put()
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Accounts with the same code are replaced, others are added.' })
  async put(@Param('companyId') companyId: string, @Body() body: AccountsDto): Promise<void> {
    await mapConstraintErrors(
      this.database.inTransaction('accounts.put', async (tx) => {
        await this.companyRepository.lock(tx, companyId);
        await this.accountRepository.upsert(tx, companyId, body.data);
      }),
    );
  }
}
