import { Module } from '@nestjs/common';
import { CompaniesModule } from '../companies/companies.module.js';
import { PagingModule } from '../paging/paging.module.js';
import { TaxCodesModule } from '../tax-codes/tax-codes.module.js';
import { AccountRepository } from './account.repository.js';
import { ChangeAccount } from './change-account.js';
import { CreateAccount } from './create-account.js';
import { CreateAccountBatch } from './create-account-batch.js';
import { CategoryRepository } from './category.repository.js';
import { AccountController } from './account.controller.js';

/** The chart of accounts (P4). */
@Module({
  imports: [CompaniesModule, PagingModule, TaxCodesModule],
  controllers: [AccountController],
  providers: [AccountRepository, CategoryRepository, ChangeAccount, CreateAccount, CreateAccountBatch],
  exports: [AccountRepository, CategoryRepository],
})
export class AccountsModule {}
