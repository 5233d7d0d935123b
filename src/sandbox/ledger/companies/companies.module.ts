import { Module } from '@nestjs/common';
import { CompaniesController } from './companies.controller.js';
import { CompanyMasterData } from './company-master-data.js';
import { CompanyReader } from './company.reader.js';
import { CompanyRepository } from './company.repository.js';
import { SaveCompany } from './save-company.js';

/** Imported by every feature whose routes name a company: `CompanyGuard` needs the reader. */
@Module({
  controllers: [CompaniesController],
  providers: [CompanyMasterData, CompanyReader, CompanyRepository, SaveCompany],
  exports: [CompanyMasterData, CompanyReader, CompanyRepository],
})
export class CompaniesModule {}
