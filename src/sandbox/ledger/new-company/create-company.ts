import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { sql } from '../../../foundation/database/sql.js';
import { ChangeApiKeys } from '../api-keys/change-api-keys.js';
import { AccountRepository } from '../chart/account.repository.js';
import { CompanyRepository } from '../companies/company.repository.js';
import type { CompanyDto } from '../companies/company.dto.js';
import { PeriodRepository } from '../periods/period.repository.js';
import { starterAccounts, starterPeriods } from './starter-books.js';

export type NewCompany = Pick<CompanyDto, 'name' | 'functionalCurrency' | 'timeZone'>;

/** Creates a company that can be posted to at once: with a chart, open periods and a key of its own. */
@Injectable()
export class CreateCompany {
  constructor(
    private readonly database: Database,
    private readonly companyRepository: CompanyRepository,
    private readonly accountRepository: AccountRepository,
    private readonly periodRepository: PeriodRepository,
    private readonly changeApiKeys: ChangeApiKeys,
  ) {}

  /** @returns the key that opens the company alone; it is stored as a digest only */
  async create(company: NewCompany): Promise<{ readonly companyId: string; readonly apiKey: string }> {
    const companyId = randomUUID();
    return this.database.inTransaction('companies.create', async (tx) => {
      const { year } = await tx.one<{ year: number }>(sql`SELECT extract(year FROM now())::int AS year`);
      await this.companyRepository.upsert(tx, companyId, { ...company, idempotency: 'forever', searchLagSeconds: 0 });
      await this.accountRepository.upsert(tx, companyId, starterAccounts);
      await this.periodRepository.upsert(tx, companyId, starterPeriods(year));
      const { apiKey } = await this.changeApiKeys.createIn(tx, companyId);
      return { companyId, apiKey };
    });
  }
}
