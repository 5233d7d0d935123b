import { Module } from '@nestjs/common';
import { CompaniesModule } from '../companies/companies.module.js';
import { AccountRepository } from './account.repository.js';
import { AccountsController } from './accounts.controller.js';

@Module({
  imports: [CompaniesModule],
  controllers: [AccountsController],
  providers: [AccountRepository],
  exports: [AccountRepository],
})
export class ChartModule {}
