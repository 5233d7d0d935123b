import { Module } from '@nestjs/common';
import { CompaniesModule } from '../companies/companies.module.js';
import { RateRepository } from './rate.repository.js';
import { RatesController } from './rates.controller.js';

@Module({
  imports: [CompaniesModule],
  controllers: [RatesController],
  providers: [RateRepository],
})
export class RatesModule {}
