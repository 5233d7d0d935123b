import { Module } from '@nestjs/common';
import { PagingModule } from '../paging/paging.module.js';
import { ChangeCompanies } from './change-companies.js';
import { CompanyAccess } from './company-access.js';
import { CompanyReader } from './company.reader.js';
import { CompanyRepository } from './company.repository.js';
import { CompanyController } from './company.controller.js';

/** Companies (P8). */
@Module({
  imports: [PagingModule],
  controllers: [CompanyController],
  providers: [ChangeCompanies, CompanyAccess, CompanyReader, CompanyRepository],
  exports: [ChangeCompanies, CompanyAccess, CompanyReader, CompanyRepository],
})
export class CompaniesModule {}
