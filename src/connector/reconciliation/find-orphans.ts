// Finds what stands in the ERP under our mark and belongs to nothing that we know of: the ERP's list of the period, page by
// page, against our record.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { isUuid } from '../../kernel/ids.js';
import { localDateIn } from '../../kernel/local-date.js';
import { ErpLedger, ErpNotSearchable, type ListedGroup, type ListedGroups } from '../erp/erp-ledger.js';
import { ExportRecordsService } from '../exports/export-records.service.js';
import { classifyGroup } from './domain/classify-group.js';
import type { RunProgress } from './domain/reconciliation-run.js';
import { ReconciliationRunRepository } from './reconciliation-run.repository.js';
import { RunStopped, type ReconciliationScope } from './reconciliation-scope.js';
import { WriteDifferences, type NewDifference } from './write-differences.js';

@Injectable()
export class FindOrphans {
  constructor(
    private readonly database: TenantDatabase,
    private readonly records: ExportRecordsService,
    private readonly erp: ErpLedger,
    private readonly runs: ReconciliationRunRepository,
    private readonly write: WriteDifferences,
  ) {}

  /**
   * An ERP that cannot be searched (level E0) shows no orphans.
   * @throws RunTakenOver, RunStopped, ErpUnavailable
   */
  async run(scope: ReconciliationScope, progress: RunProgress): Promise<void> {
    let after = progress.erpCursor;
    do {
      if (scope.stopping.aborted) {
        throw new RunStopped('the worker stops');
      }
      const page = await this.page(scope, after);
      await this.compare(scope, page.groups);
      after = page.next;
      const reached = after === undefined ? progress : { ...progress, erpCursor: after };
      await this.database.inInstallation('orphans looked for', scope.run.installationId, (tx) =>
        this.runs.advance(tx, scope.run, {}, reached),
      );
    } while (after !== undefined);
  }

  private async page(scope: ReconciliationScope, after: string | undefined): Promise<ListedGroups> {
    const { from, until } = scope.run.period;
    if (scope.erpCompanyId === undefined) {
      return { groups: [], next: undefined };
    }
    const days = { from: localDateIn(from, 'UTC'), to: localDateIn(until, 'UTC') };
    try {
      return await this.erp.listGroups(scope.erpCompanyId, days, after);
    } catch (error) {
      if (error instanceof ErpNotSearchable) {
        return { groups: [], next: undefined };
      }
      throw error;
    }
  }

  private async compare(scope: ReconciliationScope, groups: readonly ListedGroup[]): Promise<void> {
    const { installationId } = scope.run;
    if (scope.erpCompanyId === undefined) {
      return;
    }
    const ours = groups.filter((group) => group.standing && group.installationId === installationId);
    const ids = ours.flatMap(({ key, accountingEntryId }) => [key, accountingEntryId ?? key]).filter(isUuid);
    const known = await this.records.knownEntries(
      installationId,
      scope.erpCompanyId,
      ids.map((id) => id.toLowerCase()),
    );
    const isKnown = (key: string) => known.has(key.toLowerCase());
    const found = ours.flatMap((group) =>
      classifyGroup(group, installationId, isKnown).map((finding) => ({
        ...orphan(scope, group),
        class: finding.class,
      })),
    );
    await this.write.run(scope, found);
  }
}

function orphan({ erpCompanyId }: ReconciliationScope, group: ListedGroup): NewDifference {
  const { key, accountingEntryId, amountMinor, currency, ...rest } = group;
  const shown = { key, accountingEntryId, amountMinor: amountMinor.toString(), currency, ...rest };
  return {
    class: 'orphan-entry',
    subject: key,
    accountingEntryId:
      accountingEntryId !== undefined && isUuid(accountingEntryId) ? accountingEntryId : undefined,
    exportJobId: undefined,
    erpCompanyId,
    evidence: { platform: null, record: null, erp: shown },
    amount: { currency, minor: amountMinor },
    occurredAt: new Date(`${group.postingDate}T00:00:00Z`),
    repairedAs: undefined,
  };
}
