// Holds a chunk of accounting entries of one job against each other on all three sides. What looks like a difference is
// looked at a second time as the company's owner, when no export can be half-way; only that is written down or mended.
import { Injectable } from '@nestjs/common';
import {
  ExportRecordsService,
  LeaseLost,
  type CompanyLease,
  type JobRecord,
} from '../exports/export-records.service.js';
import { classifyEntry } from './domain/classify-entry.js';
import type { Finding, Repair } from './domain/difference-class.js';
import { amountOf, amountOfItem, evidenceOf } from './domain/evidence.js';
import { isStanding, type ThreeSides } from './domain/three-sides.js';
import { LoadSides, type PlatformChunk } from './load-sides.js';
import { CompanyBusy, type ReconciliationScope } from './reconciliation-scope.js';
import { WriteDifferences, type NewDifference } from './write-differences.js';

interface Disagreement {
  readonly sides: ThreeSides;
  readonly findings: readonly Finding[];
}

@Injectable()
export class CompareEntries {
  constructor(
    private readonly load: LoadSides,
    private readonly records: ExportRecordsService,
    private readonly write: WriteDifferences,
  ) {}

  /**
   * @returns the positions in the job of those that we have in it
   * @throws CompanyBusy when there are differences and somebody works on the company
   * @throws ErpUnavailable, RunTakenOver
   */
  async run(scope: ReconciliationScope, job: JobRecord, platform: PlatformChunk): Promise<readonly number[]> {
    const sides = await this.load.run(scope, job, platform);
    const suspected = disagreementsIn(scope, sides);
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
        const told = await this.repair(lease, job, before);
        if (before.every(({ findings }) => findings.every(({ repair }) => repair === undefined))) {
          await this.write.run(scope, await this.valued(scope, job, open(job, before)));
          return;
        }
        const after = await this.disagreements(scope, job, retold(platform, told));
        const found = [...repaired(job, before, after), ...open(job, after)];
        await this.write.run(scope, await this.valued(scope, job, found));
      })
      .catch((error: unknown) => {
        if (error instanceof LeaseLost) {
          return undefined;
        }
        throw error;
      });
    if (settled === undefined) {
      throw new CompanyBusy('an export of the company is under way');
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

  /** @returns what the platform has been told again */
  private async repair(
    lease: CompanyLease,
    job: JobRecord,
    before: readonly Disagreement[],
  ): Promise<readonly ThreeSides[]> {
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
    return untold;
  }
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
function bookedOf({ accountingEntryId, erp, record }: ThreeSides) {
  const group =
    erp.kind === 'groups' ? erp.groups.findLast(({ entries }) => entries.some(isStanding)) : undefined;
  const main =
    group?.entries.find(({ role }) => role !== 'payment' && role !== 'receipt') ?? group?.entries[0];
  if (group === undefined || main === undefined) {
    return [];
  }
  const { contentDigest, revision } = group;
  // The entry that the platform was told of is the one it keeps pointing at.
  const told = group.entries.find(({ id }) => id === record.item?.externalId) ?? main;
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

function open(job: JobRecord, disagreements: readonly Disagreement[]): readonly NewDifference[] {
  return disagreements.flatMap(({ sides, findings }) =>
    findings.map((finding) => differenceOf(job, sides, finding, undefined)),
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
