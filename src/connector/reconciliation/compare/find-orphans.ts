// Finds entries in the ERP that carry the connector's mark and are unknown to its record: the ERP's list of the period,
// page by page, is compared with the record.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { isUuid, type ErpCompanyId } from '../../../kernel/ids.js';
import { ErpConnections } from '../../erp/erp-connections.js';
import type { ListedGroup, ListedGroups } from '../../erp/erp-books.js';
import { ErpNotSearchable } from '../../erp/erp-ledger.js';
import { DiscrepancyRepository } from './discrepancy.repository.js';
import { classifyGroup } from '../domain/classify-group.js';
import { beginOfDay, searchedDays, type RunProgress } from '../domain/reconciliation-run.js';
import { AdvanceRun } from '../advance-run.js';
import { RunStopped } from '../../runs/run-interruptions.js';
import type { ReconciliationScope } from './load-reconciliation-scope.js';
import { RecordDiscrepancies, type NewDiscrepancy } from './record-discrepancies.js';
import { ExportRecordReader } from '../../exports/stores/export-record.reader.js';

@Injectable()
export class FindOrphans {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly exportRecordReader: ExportRecordReader,
    private readonly erpConnections: ErpConnections,
    private readonly advanceRun: AdvanceRun,
    private readonly discrepancyRepository: DiscrepancyRepository,
    private readonly recordDiscrepancies: RecordDiscrepancies,
  ) {}

  /**
   * Searches the linked ERP company, and those that jobs of the period were posted to. An ERP that cannot be
   * searched (level `none`) shows no orphans.
   * @throws LeaseLost, RunStopped, ErpUnavailable
   */
  async findOrphans(scope: ReconciliationScope, progress: RunProgress): Promise<void> {
    const { installationId, companyId, period } = scope.run;
    const posted = await this.exportRecordReader.erpCompanies(installationId, companyId, period);
    const companies = [...new Set([...posted, scope.erpCompanyId ?? []].flat())].toSorted();
    const reached = progress.erpCompanyId;
    for (const company of companies.filter((each) => reached === undefined || each >= reached)) {
      const from = company === reached ? progress : { ...progress, erpCursor: undefined };
      await this.searchErpCompany(scope, company, from);
    }
  }

  private async searchErpCompany(
    scope: ReconciliationScope,
    erpCompanyId: ErpCompanyId,
    progress: RunProgress,
  ): Promise<void> {
    let after = progress.erpCursor;
    do {
      if (scope.stopping.aborted) {
        throw new RunStopped('the worker stops');
      }
      const page = await this.page(scope, erpCompanyId, after);
      await this.compare(scope, erpCompanyId, page.groups);
      after = page.next;
      const reached = { ...progress, erpCompanyId, erpCursor: after };
      await this.advanceRun.advance(scope.run, {}, reached);
    } while (after !== undefined);
  }

  private async page(
    scope: ReconciliationScope,
    erpCompanyId: ErpCompanyId,
    after: string | undefined,
  ): Promise<ListedGroups> {
    try {
      const erp = await this.erpConnections.open(scope.run.installationId, erpCompanyId);
      return await erp.listGroups(searchedDays(scope.run.period), after);
    } catch (error) {
      if (error instanceof ErpNotSearchable) {
        return { groups: [], next: undefined };
      }
      throw error;
    }
  }

  private async compare(
    scope: ReconciliationScope,
    erpCompanyId: ErpCompanyId,
    groups: readonly ListedGroup[],
  ): Promise<void> {
    const { installationId } = scope.run;
    const ours = groups.filter((group) => group.standing && group.installationId === installationId);
    const ids = ours
      .flatMap(({ key, accountingEntryId }) => [key, accountingEntryId ?? key])
      .filter(isUuid)
      .map((id) => id.toLowerCase());
    const recorded = await this.exportRecordReader.knownEntries(installationId, erpCompanyId, ids);
    // These have a discrepancy of their own, and exporting them again resolves both.
    const listed = await this.tenantDatabase.readOnce('entries without record', installationId, (tx) =>
      this.discrepancyRepository.listedWithoutRecord(tx, scope.run, ids),
    );
    const known = new Set([...recorded, ...listed]);
    const isKnown = (key: string) => known.has(key.toLowerCase());
    const found = ours.flatMap((group) =>
      classifyGroup(group, installationId, isKnown).map((finding) => ({
        ...orphan(erpCompanyId, group),
        class: finding.class,
      })),
    );
    await this.recordDiscrepancies.record(scope, found);
  }
}

function orphan(erpCompanyId: ErpCompanyId, group: ListedGroup): NewDiscrepancy {
  const { key, accountingEntryId, amountMinor, currency, ...rest } = group;
  const shown = { key, accountingEntryId, amountMinor: amountMinor.toString(), currency, ...rest };
  return {
    class: 'orphan-entry',
    subject: key,
    accountingEntryId: accountingEntryId !== undefined && isUuid(accountingEntryId) ? accountingEntryId : undefined,
    exportJobId: undefined,
    erpCompanyId,
    evidence: { platform: null, record: null, erp: shown },
    amount: { currency, minor: amountMinor },
    occurredAt: beginOfDay(group.postingDate),
    repairedAs: undefined,
  };
}
