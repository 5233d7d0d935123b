import { Module } from '@nestjs/common';
import { ChartModule } from '../chart/chart.module.js';
import { CompaniesModule } from '../companies/companies.module.js';
import { DimensionsModule } from '../dimensions/dimensions.module.js';
import { PeriodsModule } from '../periods/periods.module.js';
import { TaxCodesModule } from '../tax-codes/tax-codes.module.js';
import { VendorsModule } from '../vendors/vendors.module.js';
import { CompanyLists } from './company-lists.js';
import { MasterDataController } from './master-data.controller.js';
import { ReadMasterData } from './read-master-data.js';

@Module({
  imports: [CompaniesModule, ChartModule, TaxCodesModule, DimensionsModule, VendorsModule, PeriodsModule],
  controllers: [MasterDataController],
  providers: [CompanyLists, ReadMasterData],
})
export class MasterDataModule {}
