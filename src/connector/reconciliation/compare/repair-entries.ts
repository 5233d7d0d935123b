// Repairs what is provably wrong of a chunk of accounting entries: in our record, at the platform, or in the ERP.
import { Injectable } from '@nestjs/common';
import { ErpConnections } from '../../erp/erp-connections.js';
import { ErpUnavailable } from '../../erp/erp-ledger.js';
import { RepeatReports } from '../../exports/reporting/repeat-reports.js';
import type { CompanyLease } from '../../exports/stores/company-lease.repository.js';
import type { JobRecord } from '../../exports/stores/export-record.js';
import { RepairRecord } from '../../exports/stores/repair-record.js';
import { isStanding, type ComparedSources } from '../domain/compared-sources.js';
import type { DiscrepancyFinding, Repair } from '../domain/discrepancy-class.js';
import type { ReconciliationScope } from './load-reconciliation-scope.js';

export interface Disagreement {
  readonly sources: ComparedSources;
  readonly findings: readonly DiscrepancyFinding[];
}

export interface RepairResult {
  /** Results that the platform has taken now. */
  readonly reportedAgain: readonly ComparedSources[];
  /** Why the platform has not taken its result, or the ERP has not settled it, by repair and accounting entry. */
  readonly refusals: ReadonlyMap<string, string>;
}

const REPORTED_AGAIN_ADVICE =
  'Every comparison reports it again; if the entry is gone from the platform for good, accept the discrepancy with a note.';
const SETTLE_BY_HAND_ADVICE =
  'Resolve that in the accounting system, or match the two entries there by hand: every comparison tries again.';

@Injectable()
export class RepairEntries {
  constructor(
    private readonly repairRecord: RepairRecord,
    private readonly repeatReports: RepeatReports,
    private readonly erpConnections: ErpConnections,
  ) {}

  /** @throws ErpUnavailable, LeaseLost */
  async repair(
    scope: ReconciliationScope,
    lease: CompanyLease,
    assertOwner: () => void,
    job: JobRecord,
    before: readonly Disagreement[],
  ): Promise<RepairResult> {
    const wanting = (wanted: Repair) =>
      before.filter(({ findings }) => findings.some(({ repair }) => repair === wanted)).map(({ sources }) => sources);
    const unknown = idsOf(wanting('look-up'));
    if (unknown.length > 0) {
      await this.repairRecord.lookUp(lease, job.id, unknown);
    }
    const unrecorded = wanting('adopt').flatMap(bookedOf);
    if (unrecorded.length > 0) {
      await this.repairRecord.importPostings(lease, job.id, new Map(unrecorded));
    }
    const unreported = wanting('report-again');
    const problems =
      unreported.length === 0
        ? new Map<string, string>()
        : await this.repeatReports.repeatResults(lease.installationId, job.id, idsOf(unreported));
    const unsettled = await this.settleInErp(scope, assertOwner, job, wanting('settle'));
    return {
      reportedAgain: unreported.filter(({ accountingEntryId }) => !problems.has(accountingEntryId)),
      refusals: new Map([
        ...[...problems].map(
          ([id, problem]) => [refusalKey('report-again', id), `${problem}. ${REPORTED_AGAIN_ADVICE}`] as const,
        ),
        ...[...unsettled].map(([id, refusal]) => [refusalKey('settle', id), refusal] as const),
      ]),
    };
  }

  /** @throws ErpUnavailable when the outcome is unknown */
  private async settleInErp(
    { run, erpCompanyId: linked, realizedFx }: ReconciliationScope,
    assertOwner: () => void,
    { erpCompanyId }: JobRecord,
    unsettled: readonly ComparedSources[],
  ): Promise<ReadonlyMap<string, string>> {
    const keys = idsOf(unsettled);
    const refusals = new Map<string, string>();
    if (erpCompanyId === undefined || keys.length === 0) {
      return refusals;
    }
    const erp = await this.erpConnections.open(run.installationId, erpCompanyId, { assertOwner });
    const outcomes = await erp.settle(keys, erpCompanyId === linked ? realizedFx : undefined);
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.outcome === 'unavailable') {
        throw new ErpUnavailable(outcome.failure);
      }
      if (outcome.outcome === 'refused') {
        refusals.set(keys[index] ?? '', `${outcome.message} ${SETTLE_BY_HAND_ADVICE}`);
      }
    }
    return refusals;
  }
}

/** @returns the key of a refusal: one entry may want both repairs */
export function refusalKey(repair: Repair, accountingEntryId: string): string {
  return `${repair} ${accountingEntryId}`;
}

function idsOf(sources: readonly ComparedSources[]): readonly string[] {
  return sources.map(({ accountingEntryId }) => accountingEntryId);
}

/** The standing entries under a key, as a posting record. */
function bookedOf({ accountingEntryId, erp, record, platform }: ComparedSources) {
  const group = erp.kind === 'groups' ? erp.groups.findLast(({ entries }) => entries.some(isStanding)) : undefined;
  const main = group?.entries.find(({ role }) => role !== 'payment' && role !== 'receipt') ?? group?.entries[0];
  if (group === undefined || main === undefined) {
    return [];
  }
  const { contentDigest, revision } = group;
  // The platform keeps pointing at the entry that was reported to it.
  const reportedId = record.item?.externalId ?? platform.item?.externalId;
  const reported = group.entries.find(({ id }) => id === reportedId) ?? main;
  const entries = group.entries.filter(isStanding);
  const booked = { contentDigest, revision, externalId: reported.id, externalUrl: '', entries };
  return [[accountingEntryId, booked] as const];
}
