import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { notFound } from '../wire/api-error.js';
import { CompanyRepository, type Company } from './company.repository.js';

/** Creates companies and changes what belongs to one. */
@Injectable()
export class ChangeCompanies {
  constructor(
    private readonly companyRepository: CompanyRepository,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  async create(companies: readonly Company[]): Promise<void> {
    await this.database.inTransaction('create companies', (tx) =>
      this.companyRepository.add(tx, companies, this.simulatorClock.now()),
    );
  }

  /** @throws ApiError 404 */
  async changeBookkeeping(change: Pick<Company, 'id' | 'multiCurrency' | 'contraAccounts'>): Promise<void> {
    const isChanged = await this.database.inTransaction('change bookkeeping', (tx) =>
      this.companyRepository.changeBookkeeping(tx, change),
    );
    if (!isChanged) {
      throw companyNotFound();
    }
  }

  /**
   * Adds reference data to a company in one transaction; two such changes of one company follow each other.
   * @throws ApiError 404 for an unknown company
   */
  async addTo(companyId: string, add: (tx: Tx) => Promise<void>): Promise<void> {
    await this.database.inTransaction('seed reference data', async (tx) => {
      await this.companyRepository.serialize(tx, companyId);
      if ((await this.companyRepository.findByIds(tx, [companyId])).length === 0) {
        throw companyNotFound();
      }
      await add(tx);
    });
  }
}

function companyNotFound() {
  return notFound('COMPANY_NOT_FOUND', 'There is no such company.');
}
