import { Module } from '@nestjs/common';
import { CompaniesModule } from '../companies/companies.module.js';
import { FiscalYearReader } from './fiscal-year.reader.js';
import { FiscalYearsController } from './fiscal-years.controller.js';
import { PeriodRepository } from './period.repository.js';
import { PeriodsController } from './periods.controller.js';
import { SetPeriodState } from './set-period-state.js';

@Module({
  imports: [CompaniesModule],
  controllers: [PeriodsController, FiscalYearsController],
  providers: [FiscalYearReader, PeriodRepository, SetPeriodState],
  exports: [PeriodRepository],
})
export class PeriodsModule {}
