// Adds a month up, job by job, so that it may be of any size.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { Clock } from '../../../kernel/clock.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { ExportRecordsService, type JobRecord } from '../../exports/stores/export-records.service.js';
import { InstallationsService } from '../../installations/installations.service.js';
import { CloseReportRepository, type OfDifferences } from './close-report.repository.js';
import { AccountTotals, explainedPart, monthIn, type CloseReport } from '../domain/close-report.js';
import { ReconciliationTurnRepository } from '../reconciliation-turn.repository.js';

const JOBS_AT_ONCE = 100;
/** Most differences that are listed. */
const MOST_DIFFERENCES = 1_000;

@Injectable()
export class MakeCloseReport {
  constructor(
    private readonly database: TenantDatabase,
    private readonly installations: InstallationsService,
    private readonly records: ExportRecordsService,
    private readonly turns: ReconciliationTurnRepository,
    private readonly reports: CloseReportRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * @param month `YYYY-MM`
   * @returns undefined when there is no such month
   */
  async run(installationId: InstallationId, month: string): Promise<CloseReport | undefined> {
    const installation = await this.installations.find(installationId);
    const turn = await this.database.inInstallation('read time zone', installationId, (tx) =>
      this.turns.find(tx, installationId),
    );
    const timeZone = turn?.timeZone ?? 'UTC';
    const period = monthIn(month, timeZone);
    if (installation === undefined || period === undefined) {
      return undefined;
    }
    const accounts = new AccountTotals();
    const counts = { jobs: 0, exported: 0, posted: 0, failed: 0, open: 0 };
    for await (const job of this.jobs(installationId, installation.companyId, period)) {
      const items = await this.records.countItems(installationId, job.id);
      const totals = await this.database.inInstallation('add job up', installationId, (tx) =>
        this.reports.totals(tx, installationId, job.id),
      );
      accounts.add(totals);
      counts.jobs += 1;
      counts.exported += items.successful + items.failed + items.pending;
      counts.posted += items.successful;
      counts.failed += items.failed;
      counts.open += items.pending;
    }
    const { jobs, ...items } = counts;
    const found = await this.found(installationId, period);
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
      differences: found.differences.slice(0, MOST_DIFFERENCES),
      differencesCut: found.differences.length > MOST_DIFFERENCES,
      reconciledAt: found.reconciledAt,
    };
  }

  private async found(installationId: InstallationId, period: { readonly from: Date; readonly until: Date }) {
    return this.database.inInstallation('differences of month', installationId, async (tx) => ({
      differences: await this.reports.differences(
        tx,
        installationId,
        period,
        this.clock.now(),
        MOST_DIFFERENCES + 1,
      ),
      amounts: await this.reports.amounts(tx, installationId, period),
      withoutAmount: await this.reports.countWithoutAmount(tx, installationId, period),
      reconciledAt: await this.reports.reconciledAt(tx, installationId, period),
    }));
  }

  private async *jobs(
    installationId: InstallationId,
    companyId: Parameters<ExportRecordsService['jobs']>[1],
    period: { readonly from: Date; readonly until: Date },
  ): AsyncGenerator<JobRecord> {
    let after: JobRecord | undefined;
    for (;;) {
      const page = await this.records.jobs(installationId, companyId, period, after, JOBS_AT_ONCE);
      yield* page;
      after = page.at(-1);
      if (page.length < JOBS_AT_ONCE) {
        return;
      }
    }
  }
}

function explained(
  accounts: AccountTotals,
  amounts: readonly OfDifferences[],
  withoutAmount: number,
): CloseReport['explained'] {
  const posted = accounts.debits();
  const differing = new Map(amounts.map((amount) => [amount.currency, amount]));
  const currencies = [...new Set([...posted.keys(), ...differing.keys()])].toSorted();
  return currencies.map((currency) => {
    const { beyondMinor = 0n, unexplainedMinor = 0n } = differing.get(currency) ?? {};
    const total = (posted.get(currency) ?? 0n) + beyondMinor;
    return explainedPart(currency, total, unexplainedMinor, withoutAmount);
  });
}
