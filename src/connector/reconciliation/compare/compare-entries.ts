// Holds a chunk of accounting entries of one job against each other on all three sides. What looks like a difference is
// looked at a second time as the company's owner, when no export can be half-way; only that is written down or mended.
import { Injectable } from '@nestjs/common';
import { ErpLedger, ErpUnavailable } from '../../erp/erp-ledger.js';
import {
  ExportRecordsService,
  LeaseLost,
  type CompanyLease,
  type JobRecord,
} from '../../exports/stores/export-records.service.js';
import { classifyEntry } from '../domain/classify-entry.js';
import type { Finding, Repair } from '../domain/difference-class.js';
import { amountOf, amountOfItem, evidenceOf } from '../domain/evidence.js';
import type { JobTotals } from '../domain/job-totals.js';
import { isStanding, type ThreeSides } from '../domain/three-sides.js';
import { LoadSides, type PlatformChunk } from './load-sides.js';
import { RunMustWait, type ReconciliationScope } from './reconciliation-scope.js';
import { WriteDifferences, type NewDifference } from './write-differences.js';

interface Disagreement {
  readonly sides: ThreeSides;
  readonly findings: readonly Finding[];
}

interface Mended {
  /** What the platform has been told again. */
  readonly told: readonly ThreeSides[];
  /** By accounting entry, why the ERP has not settled it. */
  readonly refusals: ReadonlyMap<string, string>;
}

const WHAT_TO_DO =
  'Mend that in the accounting system, or match the two there by hand: every comparison tries again.';

@Injectable()
export class CompareEntries {
  constructor(
    private readonly load: LoadSides,
    private readonly records: ExportRecordsService,
    private readonly erp: ErpLedger,
    private readonly write: WriteDifferences,
  ) {}

  /**
   * @param totals get what was exported and is as it should be: of the rest its own difference tells
   * @returns the positions in the job of those that we have in it
   * @throws RunMustWait when there are differences and somebody works on the company
   * @throws ErpUnavailable, RunTakenOver
   */
  async run(
    scope: ReconciliationScope,
    job: JobRecord,
    platform: PlatformChunk,
    totals: JobTotals,
  ): Promise<readonly number[]> {
    const sides = await this.load.run(scope, job, platform);
    const suspected = disagreementsIn(scope, sides);
    const suspects = new Set<ThreeSides>(suspected.map((disagreement) => disagreement.sides));
    for (const each of sides.filter((side) => isExported(side) && !suspects.has(side))) {
      if (each.total !== undefined) {
        totals.add(each.total);
      }
    }
    if (suspected.length > 0) {
      await this.settle(scope, job, only(platform, suspected));
    }
    return sides.flatMap(({ position }) => position ?? []);
  }

  private async disagreements(
    scope: ReconciliationScope,
    job: JobRecord,
    platform: PlatformChunk,
  ): Promise<readonly Disagreement[]> {
    return disagreementsIn(scope, await this.load.run(scope, job, platform));
  }

  private async settle(scope: ReconciliationScope, job: JobRecord, platform: PlatformChunk): Promise<void> {
    const { installationId, companyId } = scope.run;
    const settled = await this.records
      .asOwner(installationId, companyId, async (lease) => {
        const before = await this.disagreements(scope, job, platform);
        const { told, refusals } = await this.repair(scope, lease, job, before);
        if (before.every(({ findings }) => findings.every(({ repair }) => repair === undefined))) {
          await this.write.run(scope, await this.valued(scope, job, open(job, before, refusals)));
          return;
        }
        const after = await this.disagreements(scope, job, retold(platform, told));
        const found = [...repaired(job, before, after), ...open(job, after, refusals)];
        await this.write.run(scope, await this.valued(scope, job, found));
      })
      .catch((error: unknown) => {
        if (error instanceof LeaseLost) {
          return undefined;
        }
        throw error;
      });
    if (settled === undefined) {
      throw new RunMustWait('an export of the company is under way');
    }
  }

  /** What was neither planned nor stands in the books has the amount that the platform gave it. */
  private async valued(
    { run }: ReconciliationScope,
    { id }: JobRecord,
    found: readonly NewDifference[],
  ): Promise<readonly NewDifference[]> {
    const without = found.filter(({ amount }) => amount === undefined).map(({ subject }) => subject);
    if (without.length === 0) {
      return found;
    }
    const amounts = await this.records.itemAmounts(run.installationId, id, without);
    return found.map((each) => ({ ...each, amount: each.amount ?? amountOfItem(amounts.get(each.subject)) }));
  }

  private async repair(
    scope: ReconciliationScope,
    lease: CompanyLease,
    job: JobRecord,
    before: readonly Disagreement[],
  ): Promise<Mended> {
    const wanting = (wanted: Repair) =>
      before
        .filter(({ findings }) => findings.some(({ repair }) => repair === wanted))
        .map(({ sides }) => sides);
    const unknown = wanting('look-up');
    if (unknown.length > 0) {
      await this.records.lookUp(
        lease,
        job.id,
        unknown.map(({ accountingEntryId }) => accountingEntryId),
      );
    }
    const unrecorded = wanting('adopt').flatMap(bookedOf);
    if (unrecorded.length > 0) {
      await this.records.adopt(lease, job.id, new Map(unrecorded));
    }
    const untold = wanting('report-again');
    if (untold.length > 0) {
      await this.records.reportAgain(
        lease,
        job.id,
        untold.map(({ accountingEntryId }) => accountingEntryId),
      );
    }
    return { told: untold, refusals: await this.settleInErp(scope, job, wanting('settle')) };
  }

  /** @throws ErpUnavailable when the ERP does not say what became of it */
  private async settleInErp(
    { realizedFx }: ReconciliationScope,
    { erpCompanyId }: JobRecord,
    unsettled: readonly ThreeSides[],
  ): Promise<Mended['refusals']> {
    const keys = unsettled.map(({ accountingEntryId }) => accountingEntryId);
    const refusals = new Map<string, string>();
    if (erpCompanyId === undefined || keys.length === 0) {
      return refusals;
    }
    const outcomes = await this.erp.settle(erpCompanyId, keys, realizedFx);
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.outcome === 'unavailable') {
        throw new ErpUnavailable(outcome.failure);
      }
      if (outcome.outcome === 'refused') {
        refusals.set(keys[index] ?? '', `${outcome.message} ${WHAT_TO_DO}`);
      }
    }
    return refusals;
  }
}

/** By this job's word, and the books show what was planned. */
function isExported({ record, erp }: ThreeSides): boolean {
  const { item, posting, isNewest } = record;
  return isNewest && item?.state === 'successful' && posting?.state === 'posted' && erp.kind === 'groups';
}

function disagreementsIn(
  { codes }: ReconciliationScope,
  sides: readonly ThreeSides[],
): readonly Disagreement[] {
  return sides
    .map((each) => ({ sides: each, findings: classifyEntry(each, codes) }))
    .filter(({ findings }) => findings.length > 0);
}

/** What stands under an entry's key, as the record of it. */
function bookedOf({ accountingEntryId, erp, record, platform }: ThreeSides) {
  const group =
    erp.kind === 'groups' ? erp.groups.findLast(({ entries }) => entries.some(isStanding)) : undefined;
  const main =
    group?.entries.find(({ role }) => role !== 'payment' && role !== 'receipt') ?? group?.entries[0];
  if (group === undefined || main === undefined) {
    return [];
  }
  const { contentDigest, revision } = group;
  // The entry that the platform was told of is the one it keeps pointing at.
  const toldId = record.item?.externalId ?? platform.item?.externalId;
  const told = group.entries.find(({ id }) => id === toldId) ?? main;
  const entries = group.entries.filter(isStanding);
  const booked = { contentDigest, revision, externalId: told.id, externalUrl: '', entries };
  return [[accountingEntryId, booked] as const];
}

function only(platform: PlatformChunk, some: readonly Disagreement[]): PlatformChunk {
  const ids = some.map(({ sides }) => sides.accountingEntryId);
  return { ...platform, items: new Map(ids.map((id) => [id, platform.items.get(id)])) };
}

/** A single item cannot be read again, so what the platform has just accepted is taken as said. */
function retold(platform: PlatformChunk, told: readonly ThreeSides[]): PlatformChunk {
  const items = new Map(platform.items);
  for (const { accountingEntryId, record } of told) {
    items.set(accountingEntryId, {
      status: record.item?.state ?? 'pending',
      externalId: record.item?.externalId,
    });
  }
  return { ...platform, items };
}

function open(
  job: JobRecord,
  disagreements: readonly Disagreement[],
  refusals: Mended['refusals'],
): readonly NewDifference[] {
  return disagreements.flatMap(({ sides, findings }) =>
    findings.map((finding) => {
      const difference = differenceOf(job, sides, finding, undefined);
      const refusal = finding.repair === 'settle' ? refusals.get(sides.accountingEntryId) : undefined;
      return refusal === undefined
        ? difference
        : { ...difference, evidence: { ...difference.evidence, refusal } };
    }),
  );
}

function repaired(
  job: JobRecord,
  before: readonly Disagreement[],
  after: readonly Disagreement[],
): readonly NewDifference[] {
  const left = new Set(
    after.flatMap(({ sides, findings }) =>
      findings.map((finding) => `${sides.accountingEntryId} ${finding.class}`),
    ),
  );
  return before.flatMap(({ sides, findings }) =>
    findings
      .filter(
        (finding) => finding.repair !== undefined && !left.has(`${sides.accountingEntryId} ${finding.class}`),
      )
      .map((finding) => differenceOf(job, sides, finding, finding.repair)),
  );
}

function differenceOf(
  job: JobRecord,
  sides: ThreeSides,
  finding: Finding,
  repairedAs: Repair | undefined,
): NewDifference {
  return {
    class: finding.class,
    subject: sides.accountingEntryId,
    accountingEntryId: sides.accountingEntryId,
    exportJobId: job.id,
    erpCompanyId: job.erpCompanyId,
    evidence: evidenceOf(sides),
    amount: amountOf(sides),
    occurredAt: job.createdAt,
    repairedAs,
  };
}
