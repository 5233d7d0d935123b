// Adds a month up, job by job, so that it may be of any size.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { Clock } from '../../../kernel/clock.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { InstallationReader } from '../../installations/installation.reader.js';
import { CloseReportRepository, type DiscrepancyAmounts } from './close-report.repository.js';
import { AccountTotalAccumulator, explainedPart, monthIn, type CloseReport } from '../domain/close-report.js';
import { ReconciliationScheduleRepository } from '../reconciliation-schedule.repository.js';
import { ExportRecordReader } from '../../exports/stores/export-record.reader.js';
import type { JobRecord } from '../../exports/stores/export-record.reader.js';

const JOBS_AT_ONCE = 100;
/** Most discrepancies that are listed. */
const MAX_DISCREPANCIES = 1_000;

@Injectable()
export class CompileCloseReport {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly installationReader: InstallationReader,
    private readonly exportRecordReader: ExportRecordReader,
    private readonly reconciliationScheduleRepository: ReconciliationScheduleRepository,
    private readonly closeReportRepository: CloseReportRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * @param month `YYYY-MM`
   * @returns undefined for an invalid month
   */
  async compile(installationId: InstallationId, month: string): Promise<CloseReport | undefined> {
    const installation = await this.installationReader.find(installationId);
    const turn = await this.tenantDatabase.inInstallation('read time zone', installationId, (tx) =>
      this.reconciliationScheduleRepository.find(tx, installationId),
    );
    const timeZone = turn?.timeZone ?? 'UTC';
    const period = monthIn(month, timeZone);
    if (installation === undefined || period === undefined) {
      return undefined;
    }
    const accounts = new AccountTotalAccumulator();
    const counts = { jobs: 0, exported: 0, posted: 0, failed: 0, open: 0 };
    for await (const job of this.jobs(installationId, installation.companyId, period)) {
      const items = await this.exportRecordReader.countItems(installationId, job.id);
      const totals = await this.tenantDatabase.inInstallation('add job up', installationId, (tx) =>
        this.closeReportRepository.totals(tx, installationId, job.id),
      );
      accounts.add(totals);
      counts.jobs += 1;
      counts.exported += items.successful + items.failed + items.pending;
      counts.posted += items.successful;
      counts.failed += items.failed;
      counts.open += items.pending;
    }
    const { jobs, ...items } = counts;
    const found = await this.loadDiscrepancies(installationId, period);
    return {
      month,
      companyName: installation.companyName,
      timeZone,
      madeAt: this.clock.now(),
      jobs,
      items,
      accounts: accounts.sorted(),
      explained: explained(accounts, found.amounts, found.withoutAmount),
      withoutAmount: found.withoutAmount,
      discrepancies: found.discrepancies.slice(0, MAX_DISCREPANCIES),
      discrepanciesTruncated: found.discrepancies.length > MAX_DISCREPANCIES,
      reconciledAt: found.reconciledAt,
    };
  }

  private async loadDiscrepancies(
    installationId: InstallationId,
    period: { readonly from: Date; readonly until: Date },
  ) {
    return this.tenantDatabase.inInstallation('discrepancies of month', installationId, async (tx) => ({
      discrepancies: await this.closeReportRepository.listDiscrepancies(
        tx,
        installationId,
        period,
        this.clock.now(),
        MAX_DISCREPANCIES + 1,
      ),
      amounts: await this.closeReportRepository.amounts(tx, installationId, period),
      withoutAmount: await this.closeReportRepository.countWithoutAmount(tx, installationId, period),
      reconciledAt: await this.closeReportRepository.reconciledAt(tx, installationId, period),
    }));
  }

  private async *jobs(
    installationId: InstallationId,
    companyId: Parameters<ExportRecordReader['jobs']>[1],
    period: { readonly from: Date; readonly until: Date },
  ): AsyncGenerator<JobRecord> {
    let after: JobRecord | undefined;
    for (;;) {
      const page = await this.exportRecordReader.jobs(installationId, companyId, period, after, JOBS_AT_ONCE);
      yield* page;
      after = page.at(-1);
      if (page.length < JOBS_AT_ONCE) {
        return;
      }
    }
  }
}

function explained(
  accounts: AccountTotalAccumulator,
  amounts: readonly DiscrepancyAmounts[],
  withoutAmount: number,
): CloseReport['explained'] {
  const posted = accounts.debits();
  const differing = new Map(amounts.map((amount) => [amount.currency, amount]));
  const currencies = [...new Set([...posted.keys(), ...differing.keys()])].toSorted();
  return currencies.map((currency) => {
    const { outsideTotalsMinor = 0n, unexplainedMinor = 0n } = differing.get(currency) ?? {};
    const total = (posted.get(currency) ?? 0n) + outsideTotalsMinor;
    return explainedPart(currency, total, unexplainedMinor, withoutAmount);
  });
}
