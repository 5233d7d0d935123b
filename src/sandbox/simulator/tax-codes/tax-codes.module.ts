import { Module } from '@nestjs/common';
import { PagingModule } from '../paging/paging.module.js';
import { CalculateTax } from './calculate-tax.js';
import { ChangeTaxCode } from './change-tax-code.js';
import { TaxCodeRepository } from './tax-code.repository.js';
import { TaxCodeController } from './tax-code.controller.js';

/** Tax codes (P5). */
@Module({
  imports: [PagingModule],
  controllers: [TaxCodeController],
  providers: [CalculateTax, ChangeTaxCode, TaxCodeRepository],
  exports: [TaxCodeRepository],
})
export class TaxCodesModule {}
