import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../foundation/database/transaction.js';
import { Bug } from '../../../kernel/faults.js';
import type { Caller } from '../access/caller.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { CompanyRepository, type Company } from '../companies/company.repository.js';
import { ApiError, notFound } from '../wire/api-error.js';
import { parseUuid } from '../wire/parse-request.js';
import { currenciesWithoutContra } from './domain/contra-accounts.js';
import type { ExportVersion } from './domain/failure-reasons.js';
import type { ExportJob } from './export-job.js';
import { ExportJobRepository } from './export-job.repository.js';

/** The first steps of every operation on exports. */
@Injectable()
export class ExportAccess {
  constructor(
    private readonly exportJobRepository: ExportJobRepository,
    private readonly companyRepository: CompanyRepository,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  /** Lets overdue jobs expire, so that no response depends on the time of the background sweep. */
  async expireDue(tx: Tx): Promise<void> {
    await this.exportJobRepository.expireDue(tx, this.simulatorClock.now());
  }

  /**
   * Locks and returns a job of one of the companies.
   * @param jobId as the caller wrote it
   * @throws ApiError 404 `EXPORT_NOT_FOUND`; 400 when the id is no UUID
   */
  async lockJob(tx: Tx, caller: Pick<Caller, 'companyIds'>, jobId: string): Promise<ExportJob> {
    await this.expireDue(tx);
    const id = parseUuid('jobId', jobId);
    await this.exportJobRepository.lock(tx, id);
    const [job] = await this.exportJobRepository.findByIds(tx, [id]);
    if (job === undefined || !caller.companyIds.includes(job.companyId)) {
      throw notFound('EXPORT_NOT_FOUND', 'Export job not found.');
    }
    return job;
  }

  /** As `company`, for creating a job: only one transaction at a time has it locked. */
  async lockCompany(tx: Tx, companyId: string): Promise<Company> {
    await this.companyRepository.lock(tx, companyId);
    await this.expireDue(tx);
    return this.company(tx, companyId);
  }

  /** @throws Bug when there is no such company */
  async company(tx: Tx, companyId: string): Promise<Company> {
    const [company] = await this.companyRepository.findByIds(tx, [companyId]);
    if (company === undefined) {
      throw new Bug(`no company ${companyId}`);
    }
    return company;
  }

  /**
   * Errors (P0.4): version 2 has no items of customers with several currencies, whatever job runs or not.
   * @throws ApiError 400 `UNSUPPORTED_API_VERSION`
   */
  async assertVersion(tx: Tx, version: ExportVersion, companyIds: readonly string[]): Promise<void> {
    if (version === 'v3') {
      return;
    }
    const companies = await this.companyRepository.findByIds(tx, companyIds);
    if (companies.some(({ multiCurrency }) => multiCurrency)) {
      throw new ApiError(
        400,
        'UNSUPPORTED_API_VERSION',
        'Multi-currency is enabled for this customer: upgrade to Export API v3 or higher.',
      );
    }
  }

  /**
   * Errors (P0.4): version 3 requires contra accounts for all currencies of the items.
   * @throws ApiError 400 `MISSING_CONTRA_ACCOUNTS` that names the currencies
   */
  assertContraAccounts(company: Company, currencies: readonly string[]): void {
    const missing = currenciesWithoutContra(currencies, company.contraAccounts);
    if (missing.length > 0) {
      throw new ApiError(
        400,
        'MISSING_CONTRA_ACCOUNTS',
        `Contra accounts are not fully configured. Map them in Accounting settings for: ${missing.join(', ')}.`,
      );
    }
  }
}
