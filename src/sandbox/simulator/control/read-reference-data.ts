import { Injectable } from '@nestjs/common';
import { accountSearchSchema, accountWire } from '../accounts/account.js';
import { AccountRepository } from '../accounts/account.repository.js';
import { EmployeeRepository, employeeWire } from '../employees/employee.repository.js';
import { ReadPage, type PageResponse } from '../paging/read-page.js';
import { taxCodeWire } from '../tax-codes/tax-code.js';
import { TaxCodeRepository } from '../tax-codes/tax-code.repository.js';
import { vendorSearchSchema, vendorWire } from '../vendors/vendor.js';
import { VendorRepository } from '../vendors/vendor.repository.js';
import type { Query } from '../wire/parse-request.js';

/** Reads a company's reference data page by page, archived elements included. */
@Injectable()
export class ReadReferenceData {
  constructor(
    private readonly accountRepository: AccountRepository,
    private readonly taxCodeRepository: TaxCodeRepository,
    private readonly vendorRepository: VendorRepository,
    private readonly employeeRepository: EmployeeRepository,
    private readonly readPage: ReadPage,
  ) {}

  async accounts(companyId: string, query: Query): Promise<PageResponse> {
    const list = this.accountRepository.listOf(accountSearchSchema.parse({ companyId }));
    return this.readPage.respond(query, list, accountWire);
  }

  async taxCodes(companyId: string, query: Query): Promise<PageResponse> {
    return this.readPage.respond(query, this.taxCodeRepository.listOf([companyId], {}), taxCodeWire);
  }

  async vendors(companyId: string, query: Query): Promise<PageResponse> {
    const list = this.vendorRepository.listOf(companyId, vendorSearchSchema.parse({}));
    return this.readPage.respond(query, list, vendorWire);
  }

  async employees(companyId: string, query: Query): Promise<PageResponse> {
    const list = this.employeeRepository.listOf([companyId], { email: undefined, code: undefined });
    return this.readPage.respond(query, list, employeeWire);
  }
}
