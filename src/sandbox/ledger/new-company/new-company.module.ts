import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { ChartModule } from '../chart/chart.module.js';
import { CompaniesModule } from '../companies/companies.module.js';
import { PeriodsModule } from '../periods/periods.module.js';
import { CreateCompany } from './create-company.js';
import { NewCompanyController } from './new-company.controller.js';

@Module({
  imports: [ApiKeysModule, ChartModule, CompaniesModule, PeriodsModule],
  controllers: [NewCompanyController],
  providers: [CreateCompany],
})
export class NewCompanyModule {}
