import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import type { FiscalYearDto } from './period.dto.js';
import { PeriodRepository } from './period.repository.js';

@Injectable()
export class FiscalYearReader {
  constructor(
    private readonly database: Database,
    private readonly periodRepository: PeriodRepository,
  ) {}

  /** @returns the newest year first */
  async readYears(companyId: string): Promise<readonly FiscalYearDto[]> {
    return this.database.inTransaction('fiscal-years.list', (tx) => this.periodRepository.years(tx, companyId));
  }
}
