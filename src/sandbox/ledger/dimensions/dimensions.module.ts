import { Module } from '@nestjs/common';
import { CompaniesModule } from '../companies/companies.module.js';
import { DimensionValueRepository } from './dimension-value.repository.js';
import { DimensionValuesController } from './dimension-values.controller.js';
import { DimensionRepository } from './dimension.repository.js';
import { DimensionsController } from './dimensions.controller.js';

@Module({
  imports: [CompaniesModule],
  controllers: [DimensionsController, DimensionValuesController],
  providers: [DimensionRepository, DimensionValueRepository],
  exports: [DimensionRepository, DimensionValueRepository],
})
export class DimensionsModule {}
