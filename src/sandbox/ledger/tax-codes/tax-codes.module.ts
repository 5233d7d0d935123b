import { Module } from '@nestjs/common';
import { CompaniesModule } from '../companies/companies.module.js';
import { TaxCodeRepository } from './tax-code.repository.js';
import { TaxCodesController } from './tax-codes.controller.js';

@Module({
  imports: [CompaniesModule],
  controllers: [TaxCodesController],
  providers: [TaxCodeRepository],
  exports: [TaxCodeRepository],
})
export class TaxCodesModule {}
