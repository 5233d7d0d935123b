import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { isUuid } from '../../../kernel/ids.js';
import { startOfPage, toPage, type Page, type PageQuery } from '../http/page.js';
import type { StoredCompanyDto } from './company.dto.js';
import { CompanyRepository } from './company.repository.js';

@Injectable()
export class CompanyReader {
  constructor(
    private readonly database: Database,
    private readonly companyRepository: CompanyRepository,
  ) {}

  /** @param companyId any text */
  async exists(companyId: string): Promise<boolean> {
    return (
      isUuid(companyId) &&
      this.database.inTransaction('company.exists', (tx) => this.companyRepository.exists(tx, companyId))
    );
  }

  /** @param companyId of a company that exists */
  async find(companyId: string): Promise<StoredCompanyDto> {
    return this.database.inTransaction('companies.find', (tx) => this.companyRepository.find(tx, companyId));
  }

  /**
   * @param onlyId undefined: all companies
   * @throws Problem 400 for a cursor of another list
   */
  async readPage(query: PageQuery, onlyId: string | undefined): Promise<Page<StoredCompanyDto>> {
    const start = startOfPage(query, 1);
    const rows = await this.database.inTransaction('companies.page', (tx) =>
      this.companyRepository.page(tx, start, onlyId),
    );
    return toPage(query, rows, (company) => [company.id]);
  }
}
