// Compares a chunk of accounting entries of one job in all three sources. A suspected discrepancy is compared a second time
// under the company's lease, when no export can be half-way; only that result is recorded or repaired.
import { Injectable } from '@nestjs/common';
import { classifyEntry } from '../domain/classify-entry.js';
import type { DiscrepancyFinding, Repair } from '../domain/discrepancy-class.js';
import { amountOf, amountOfItem, evidenceOf } from '../domain/evidence.js';
import type { JobTotals } from '../domain/job-totals.js';
import type { ComparedSources } from '../domain/compared-sources.js';
import { LoadSources, type PlatformChunk, type PositionedSources } from './load-sources.js';
import { LeaseLost } from '../../runs/lease.js';
import { RunPostponed } from '../../runs/run-interruptions.js';
import type { ReconciliationScope } from './load-reconciliation-scope.js';
import { refusalKey, RepairEntries, type Disagreement, type RepairResult } from './repair-entries.js';
import { RecordDiscrepancies, type NewDiscrepancy } from './record-discrepancies.js';
import { CompanyOwnership } from '../../exports/stores/company-ownership.js';
import { ExportRecordReader } from '../../exports/stores/export-record.reader.js';
import type { JobRecord } from '../../exports/stores/export-record.js';

@Injectable()
export class CompareJobEntries {
  constructor(
    private readonly loadSources: LoadSources,
    private readonly companyOwnership: CompanyOwnership,
    private readonly exportRecordReader: ExportRecordReader,
    private readonly repairEntries: RepairEntries,
    private readonly recordDiscrepancies: RecordDiscrepancies,
  ) {}

  /**
   * @param totals receives the exported entries without a discrepancy; the others have a discrepancy of their own
   * @returns the positions in the job of the entries that the record has
   * @throws RunPostponed when there are discrepancies and another worker owns the company
   * @throws ErpUnavailable, LeaseLost
   */
  async compareAndRepair(
    scope: ReconciliationScope,
    job: JobRecord,
    platform: PlatformChunk,
    totals: JobTotals,
  ): Promise<readonly number[]> {
    const entries = await this.loadEntries(scope, job, platform);
    const suspected = disagreementsIn(scope, job, entries);
    const suspects = new Set<ComparedSources>(suspected.map((disagreement) => disagreement.sources));
    for (const { total } of entries.filter((entry) => isExported(entry) && !suspects.has(entry))) {
      if (total !== undefined) {
        totals.add(total);
      }
    }
    if (suspected.length > 0) {
      await this.repairAndRecord(scope, job, restrictedTo(platform, suspected));
    }
    return entries.flatMap(({ position }) => position ?? []);
  }

  private async loadEntries(
    scope: ReconciliationScope,
    job: JobRecord,
    platform: PlatformChunk,
  ): Promise<readonly PositionedSources[]> {
    const entries = await this.loadSources.load(scope, job, platform);
    const unseen = entries.filter(({ erp, record }) => erp.kind === 'not-verifiable' && record.isNewest);
    await this.recordDiscrepancies.keepUnverifiable(
      scope,
      job.id,
      unseen.map(({ accountingEntryId }) => accountingEntryId),
    );
    return entries;
  }

  private async findDisagreements(
    scope: ReconciliationScope,
    job: JobRecord,
    platform: PlatformChunk,
  ): Promise<readonly Disagreement[]> {
    return disagreementsIn(scope, job, await this.loadEntries(scope, job, platform));
  }

  private async repairAndRecord(scope: ReconciliationScope, job: JobRecord, platform: PlatformChunk): Promise<void> {
    const { installationId, companyId } = scope.run;
    const settled = await this.companyOwnership
      .whileOwner(installationId, companyId, async (lease, assertOwner) => {
        const before = await this.findDisagreements(scope, job, platform);
        const { reportedAgain, refusals } = await this.repairEntries.repair(scope, lease, assertOwner, job, before);
        if (before.every(({ findings }) => findings.every(({ repair }) => repair === undefined))) {
          await this.recordDiscrepancies.record(
            scope,
            await this.withItemAmounts(scope, job, openDiscrepancies(job, before, refusals)),
          );
          return;
        }
        const after = await this.findDisagreements(scope, job, withRepeatedReports(platform, reportedAgain));
        const found = [...repairedDiscrepancies(job, before, after), ...openDiscrepancies(job, after, refusals)];
        await this.recordDiscrepancies.record(scope, await this.withItemAmounts(scope, job, found));
      })
      .catch((error: unknown) => {
        if (error instanceof LeaseLost && error.lease !== scope.run) {
          return undefined;
        }
        throw error;
      });
    if (settled === undefined) {
      throw new RunPostponed('an export of the company is under way');
    }
  }

  /** An entry that was neither planned nor is in the books has the amount that the platform gave it. */
  private async withItemAmounts(
    { run }: ReconciliationScope,
    { id }: JobRecord,
    found: readonly NewDiscrepancy[],
  ): Promise<readonly NewDiscrepancy[]> {
    const without = found.filter(({ amount }) => amount === undefined).map(({ subject }) => subject);
    if (without.length === 0) {
      return found;
    }
    const amounts = await this.exportRecordReader.itemAmounts(run.installationId, id, without);
    return found.map((each) => ({ ...each, amount: each.amount ?? amountOfItem(amounts.get(each.subject)) }));
  }
}

/** Reported as exported by this job, and the ERP shows it. */
function isExported({ record, erp }: ComparedSources): boolean {
  const { item, posting, isNewest } = record;
  return isNewest && item?.state === 'successful' && posting?.state === 'posted' && erp.kind === 'groups';
}

/** The lists of the linked company say nothing about entries in another one. */
function disagreementsIn(
  { erpCompanyId, codes }: ReconciliationScope,
  job: JobRecord,
  entries: readonly ComparedSources[],
): readonly Disagreement[] {
  const known = job.erpCompanyId === erpCompanyId ? codes : undefined;
  return entries
    .map((each) => ({ sources: each, findings: classifyEntry(each, known) }))
    .filter(({ findings }) => findings.length > 0);
}

function restrictedTo(platform: PlatformChunk, some: readonly Disagreement[]): PlatformChunk {
  const ids = some.map(({ sources }) => sources.accountingEntryId);
  return { ...platform, items: new Map(ids.map((id) => [id, platform.items.get(id)])) };
}

/** A single item cannot be read again, so the result that the platform has just accepted is assumed. */
function withRepeatedReports(platform: PlatformChunk, repeated: readonly ComparedSources[]): PlatformChunk {
  const items = new Map(platform.items);
  for (const { accountingEntryId, record } of repeated) {
    items.set(accountingEntryId, {
      status: record.item?.state ?? 'pending',
      externalId: record.item?.externalId,
    });
  }
  return { ...platform, items };
}

function openDiscrepancies(
  job: JobRecord,
  disagreements: readonly Disagreement[],
  refusals: RepairResult['refusals'],
): readonly NewDiscrepancy[] {
  return disagreements.flatMap(({ sources, findings }) =>
    findings.map((finding) => {
      const discrepancy = discrepancyOf(job, sources, finding, undefined);
      const refusal = finding.repair && refusals.get(refusalKey(finding.repair, sources.accountingEntryId));
      return refusal === undefined ? discrepancy : { ...discrepancy, evidence: { ...discrepancy.evidence, refusal } };
    }),
  );
}

function repairedDiscrepancies(
  job: JobRecord,
  before: readonly Disagreement[],
  after: readonly Disagreement[],
): readonly NewDiscrepancy[] {
  const left = new Set(
    after.flatMap(({ sources, findings }) =>
      findings.map((finding) => `${sources.accountingEntryId} ${finding.class}`),
    ),
  );
  return before.flatMap(({ sources, findings }) =>
    findings
      .filter((finding) => finding.repair !== undefined && !left.has(`${sources.accountingEntryId} ${finding.class}`))
      .map((finding) => discrepancyOf(job, sources, finding, finding.repair)),
  );
}

function discrepancyOf(
  job: JobRecord,
  sources: ComparedSources,
  finding: DiscrepancyFinding,
  repairedAs: Repair | undefined,
): NewDiscrepancy {
  return {
    class: finding.class,
    subject: sources.accountingEntryId,
    accountingEntryId: sources.accountingEntryId,
    exportJobId: job.id,
    erpCompanyId: job.erpCompanyId,
    evidence: evidenceOf(sources),
    amount: amountOf(sources),
    occurredAt: job.createdAt,
    repairedAs,
  };
}
