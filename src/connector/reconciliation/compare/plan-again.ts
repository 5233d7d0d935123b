// Plans the stored items of postings with the mapping version that they were planned with, and holds the lines against the
// recorded ones (invariant I21). Posting dates are not compared: which periods were open then is not on record.
import { Injectable } from '@nestjs/common';
import { toErpCompanyId, type InstallationId } from '../../../kernel/ids.js';
import type { PlannedEntry } from '../../bookkeeping/item/item-plan.js';
import { plannedEntries } from '../../exports/domain/plans/stored-plan.js';
import { DryRunService, type DryPlan } from '../../exports/items/dry-run.service.js';
import type { PlanRecord } from '../../exports/stores/export-records.service.js';
import { MappingService } from '../../mapping/mapping.service.js';
import type { Certificate } from '../domain/certificate.js';
import { postingText } from '../domain/side-sum.js';
import { comparedEntry } from './load-sides.js';

/** Of a number of postings, how many items give the same lines again. */
export interface Mapped {
  readonly same: number;
  readonly apart: number;
  /** Their item, or its mapping version, was not kept. */
  readonly unknown: number;
  /** The first whose lines are others now, and how. */
  readonly firstApart: string | undefined;
}

@Injectable()
export class PlanAgain {
  constructor(
    private readonly mappings: MappingService,
    private readonly dryRun: DryRunService,
  ) {}

  /** @throws ErpUnavailable */
  async run(
    installationId: InstallationId,
    { erpCompanyId, mappingVersion }: Certificate,
    records: readonly PlanRecord[],
  ): Promise<Mapped> {
    const mapping =
      mappingVersion === null ? undefined : await this.mappings.find(installationId, mappingVersion);
    const kept = records.flatMap(({ item, ...record }) => (item === null ? [] : [{ ...record, item }]));
    const plans =
      mapping === undefined || erpCompanyId === null || kept.length === 0
        ? []
        : ((await this.dryRun.plan(toErpCompanyId(erpCompanyId), mapping, kept)) ?? []);
    const apart = plans.flatMap((plan, index) => {
      const record = kept[index];
      return record === undefined ? [] : (apartFrom(record, plan) ?? []);
    });
    return {
      same: plans.length - apart.length,
      apart: apart.length,
      unknown: records.length - plans.length,
      firstApart: apart[0],
    };
  }
}

/** @returns in what the lines differ; undefined when they are the recorded ones */
function apartFrom(
  { accountingEntryId, revision, plan }: Omit<PlanRecord, 'item'>,
  again: DryPlan,
): string | undefined {
  const recorded = plannedEntries(plan);
  const meant = postingText(accountingEntryId, revision, recorded.map(comparedEntry));
  const name = `entry ${accountingEntryId}, revision ${revision.toString()}`;
  switch (again.plan?.outcome) {
    case 'post': {
      const entries = onRecordedDays(again.plan.entries, recorded);
      const text = postingText(accountingEntryId, revision, entries.map(comparedEntry));
      return text === meant ? undefined : `${name}: recorded ${meant}, mapped again ${text}`;
    }
    case 'fail':
      return `${name}: it cannot be mapped any more: ${again.plan.message}`;
    case 'needs-vendor':
      return `${name}: its vendor "${again.plan.vendor.name}" is not in the accounting system any more`;
    case undefined:
      return `${name}: its item cannot be read`;
  }
}

function onRecordedDays(
  entries: readonly PlannedEntry[],
  recorded: readonly PlannedEntry[],
): readonly PlannedEntry[] {
  const days = new Map(recorded.map(({ role, postingDate }) => [role, postingDate]));
  return entries.map((entry) => ({ ...entry, postingDate: days.get(entry.role) ?? entry.postingDate }));
}
