import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { Problem } from '../../../foundation/http/problem.js';
import { parseLocalDate } from '../../../kernel/local-date.js';
import { CompanyRepository } from '../companies/company.repository.js';
import type { PeriodDto } from './period.dto.js';
import { PeriodRepository } from './period.repository.js';

type PeriodState = PeriodDto['state'];

/** Opens and closes fiscal periods. Postings that are under way finish first. */
@Injectable()
export class SetPeriodState {
  constructor(
    private readonly database: Database,
    private readonly companyRepository: CompanyRepository,
    private readonly periodRepository: PeriodRepository,
  ) {}

  /**
   * @param from the first day of the period
   * @throws Problem 404 when no period starts on it
   */
  async setPeriodState(companyId: string, from: string, state: PeriodState): Promise<void> {
    const day = parseLocalDate(from);
    const isChanged =
      day !== undefined &&
      (await this.whileLocked('periods.state', companyId, (tx) =>
        this.periodRepository.setState(tx, companyId, day, state),
      ));
    if (!isChanged) {
      throw new Problem({
        status: 404,
        type: 'period-not-found',
        detail: `No fiscal period starts on ${from}.`,
      });
    }
  }

  /**
   * Opens or closes all periods of a fiscal year.
   * @throws Problem 404 when the year has no period
   */
  async setYearState(companyId: string, year: number, state: PeriodState): Promise<void> {
    const isChanged =
      year >= 1900 &&
      year <= 9999 &&
      (await this.whileLocked('fiscal-years.state', companyId, (tx) =>
        this.periodRepository.setYearState(tx, companyId, year, state),
      ));
    if (!isChanged) {
      throw new Problem({
        status: 404,
        type: 'fiscal-year-not-found',
        detail: `The company has no period in fiscal year ${year.toString()}.`,
      });
    }
  }

  private async whileLocked(label: string, companyId: string, work: (tx: Tx) => Promise<boolean>): Promise<boolean> {
    return this.database.inTransaction(label, async (tx) => {
      await this.companyRepository.lock(tx, companyId);
      return work(tx);
    });
  }
}
