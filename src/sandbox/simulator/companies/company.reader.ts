import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { companiesOf, type Caller } from '../access/caller.js';
import { notFound } from '../wire/api-error.js';
import { parseUuid } from '../wire/parse-request.js';
import { CompanyRepository, type Company } from './company.repository.js';

/** Reads companies, each in a transaction of its own. */
@Injectable()
export class CompanyReader {
  constructor(
    private readonly companyRepository: CompanyRepository,
    private readonly database: Database,
  ) {}

  /** @throws ApiError 403 for a company that the credential does not cover; 404 for an unknown one */
  async find(caller: Caller, companyId: string): Promise<Company> {
    const company = await this.get(parseUuid('companyId', companyId), 'Company not found.');
    companiesOf(caller, company.id);
    return company;
  }

  /**
   * @param message of the error
   * @throws ApiError 404
   */
  async get(id: string, message = 'There is no such company.'): Promise<Company> {
    const [company] = await this.database.inTransaction('get company', (tx) =>
      this.companyRepository.findByIds(tx, [id]),
    );
    if (company === undefined) {
      throw notFound('COMPANY_NOT_FOUND', message);
    }
    return company;
  }

  async all(): Promise<readonly Company[]> {
    return this.database.inTransaction('list companies', (tx) => this.companyRepository.findAll(tx));
  }
}
