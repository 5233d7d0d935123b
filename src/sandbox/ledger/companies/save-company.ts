import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { Problem } from '../../../foundation/http/problem.js';
import type { CompanyDto, StoredCompanyDto } from './company.dto.js';
import { CompanyRepository } from './company.repository.js';

@Injectable()
export class SaveCompany {
  constructor(
    private readonly database: Database,
    private readonly companyRepository: CompanyRepository,
  ) {}

  /**
   * Creates the company or replaces its settings.
   * @throws Problem 409 when it exists with another functional currency
   */
  async saveCompany(companyId: string, company: CompanyDto): Promise<StoredCompanyDto> {
    return this.database.inTransaction('companies.put', async (tx) => {
      if (!(await this.companyRepository.upsert(tx, companyId, company))) {
        throw new Problem({
          status: 409,
          type: 'functional-currency-fixed',
          detail: 'The functional currency of a company cannot be changed. Create another company instead.',
        });
      }
      return this.companyRepository.find(tx, companyId);
    });
  }
}
