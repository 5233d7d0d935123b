import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { ErpCompanyId, InstallationId } from '../../../kernel/ids.js';
import type { LocalDate } from '../../../kernel/local-date.js';
import type { ReportedDiscrepancy } from '../domain/month-end.js';
import { stateOf, type MissingEntry, type MissingTotal, type MonthState, type SignOff } from '../domain/month-end.js';
import { ReconciliationScheduleRepository } from '../reconciliation-schedule.repository.js';
import { JobTotalRepository, type MonthCounts, type OwnAccount } from './job-total.repository.js';
import { MissingEntryRepository, type MonthScope } from './missing-entry.repository.js';
import { MonthDiscrepancyRepository } from './month-discrepancy.repository.js';
import { SignOffRepository } from './sign-off.repository.js';

/** Most entries, and most discrepancies, that are listed of a month. */
export const MAX_LISTED = 1_000;
/** Most months that are listed. */
const MAX_MONTHS = 120;

/** Of which company of the ERP, and whether it is the linked one. */
export interface MonthEndCompany {
  readonly id: ErpCompanyId;
  readonly isLinked: boolean;
}

/** What our record has of a month. */
export interface MonthRecord {
  readonly accounts: readonly OwnAccount[];
  readonly entries: MonthCounts;
  /** With one more than is listed, where there are more. */
  readonly missing: readonly MissingEntry[];
  readonly missingTotals: readonly MissingTotal[];
  /** With one more than is listed, where there are more. */
  readonly discrepancies: readonly ReportedDiscrepancy[];
  readonly reconciledAt: Date | undefined;
  readonly signOff: SignOff | undefined;
}

/** A month with something in it: posted, missing or signed. */
export interface MonthView {
  readonly month: string;
  readonly entries: MonthCounts;
  readonly missingEntries: number;
  readonly state: MonthState;
  readonly signOff: SignOff | undefined;
}

const NONE: MonthCounts = { posted: 0, reversed: 0, drafts: 0 };

/** Our side of month ends. */
@Injectable()
export class MonthEndReader {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly jobTotalRepository: JobTotalRepository,
    private readonly missingEntryRepository: MissingEntryRepository,
    private readonly monthDiscrepancyRepository: MonthDiscrepancyRepository,
    private readonly signOffRepository: SignOffRepository,
    private readonly reconciliationScheduleRepository: ReconciliationScheduleRepository,
  ) {}

  /** Companies of the ERP that anything was posted to, in the order of their ids. */
  async erpCompanies(installationId: InstallationId): Promise<readonly ErpCompanyId[]> {
    await this.refresh(installationId);
    return this.tenantDatabase.readOnce('ERP companies of month ends', installationId, (tx) =>
      this.jobTotalRepository.erpCompanies(tx, installationId),
    );
  }

  /** Newest first, at most 120. */
  async list(installationId: InstallationId, company: MonthEndCompany): Promise<readonly MonthView[]> {
    await this.refresh(installationId);
    return this.tenantDatabase.inInstallation('list month ends', installationId, async (tx) => {
      const scope = await this.scopeOf(tx, installationId, company);
      const posted = new Map(
        (await this.jobTotalRepository.months(tx, installationId, company.id)).map(({ month, ...counts }) => [
          month,
          counts,
        ]),
      );
      const missing = await this.missingEntryRepository.countByMonth(tx, scope);
      const signed = await this.signOffRepository.listNewest(tx, installationId, company.id);
      const months = new Set([...posted.keys(), ...missing.keys(), ...signed.keys()]);
      return [...months]
        .toSorted()
        .toReversed()
        .slice(0, MAX_MONTHS)
        .map((month) => ({
          month,
          entries: posted.get(month) ?? NONE,
          missingEntries: missing.get(month) ?? 0,
          state: stateOf(signed.get(month)),
          signOff: signed.get(month),
        }));
    });
  }

  /** @param month `YYYY-MM`, with its days */
  async read(
    installationId: InstallationId,
    company: MonthEndCompany,
    month: string,
    days: { readonly from: LocalDate; readonly to: LocalDate },
    now: Date,
  ): Promise<MonthRecord> {
    await this.refresh(installationId);
    return this.tenantDatabase.inInstallation('read month end', installationId, async (tx) => {
      const scope = await this.scopeOf(tx, installationId, company);
      const months = await this.jobTotalRepository.months(tx, installationId, company.id);
      const { posted, reversed, drafts } = months.find((each) => each.month === month) ?? NONE;
      const signed = await this.signOffRepository.listNewest(tx, installationId, company.id, month);
      return {
        accounts: await this.jobTotalRepository.accounts(tx, installationId, company.id, month),
        entries: { posted, reversed, drafts },
        missing: await this.missingEntryRepository.list(tx, scope, month, MAX_LISTED + 1),
        missingTotals: await this.missingEntryRepository.totals(tx, scope, month),
        discrepancies: await this.monthDiscrepancyRepository.list(tx, scope, month, now, MAX_LISTED + 1),
        reconciledAt: await this.monthDiscrepancyRepository.reconciledAt(tx, scope, days, now),
        signOff: signed.get(month),
      };
    });
  }

  /** One job at a time, so that no transaction is longer than one of them. */
  private async refresh(installationId: InstallationId): Promise<void> {
    const outdated = await this.tenantDatabase.readOnce('outdated totals', installationId, (tx) =>
      this.jobTotalRepository.listOutdated(tx, installationId),
    );
    for (const jobId of outdated) {
      await this.tenantDatabase.inInstallation('add job up', installationId, (tx) =>
        this.jobTotalRepository.addUp(tx, installationId, jobId),
      );
    }
  }

  private async scopeOf(
    tx: Tx,
    installationId: InstallationId,
    { id, isLinked }: MonthEndCompany,
  ): Promise<MonthScope> {
    const schedule = await this.reconciliationScheduleRepository.find(tx, installationId);
    return { installationId, erpCompanyId: id, isLinked, timeZone: schedule?.timeZone ?? 'UTC' };
  }
}
