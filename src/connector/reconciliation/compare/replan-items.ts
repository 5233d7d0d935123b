// Plans the stored items of postings with the mapping version that they were planned with, and holds the lines against the
// recorded ones (invariant I21). Posting dates are not compared: which periods were open then is not on record.
import { Injectable } from '@nestjs/common';
import { toErpCompanyId, type InstallationId } from '../../../kernel/ids.js';
import { PLANNER_VERSION, type PlannedEntry } from '../../bookkeeping/item/posting-plan.js';
import { parsePlan } from '../../exports/domain/plans/stored-plan.js';
import { MappingReader } from '../../mapping/mapping.reader.js';
import type { Certificate } from '../domain/certificate.js';
import { postingText } from '../domain/source-totals.js';
import { comparedEntry } from './load-sources.js';
import { PlanWithoutEffect, type DryPlan } from '../../exports/items/plan-without-effect.js';
import type { PlanRecord } from '../../exports/stores/export-record.js';

/** Of a number of postings, how many items give the same lines again. */
export interface ReplanResult {
  readonly same: number;
  readonly different: number;
  /** Their item, or its mapping version, was not kept. */
  readonly unknown: number;
  /** Planned by an earlier version of the rules: they are not held against today's. */
  readonly earlier: number;
  /** The first one with different lines, and the difference. */
  readonly firstMismatch: string | undefined;
}

@Injectable()
export class ReplanItems {
  constructor(
    private readonly mappingReader: MappingReader,
    private readonly planWithoutEffect: PlanWithoutEffect,
  ) {}

  /** @throws ErpUnavailable */
  async replan(
    installationId: InstallationId,
    { erpCompanyId, mappingVersion }: Certificate,
    records: readonly PlanRecord[],
  ): Promise<ReplanResult> {
    const mapping =
      mappingVersion === null ? undefined : await this.mappingReader.findVersion(installationId, mappingVersion);
    const stored = records.flatMap(({ item, ...record }) => (item === null ? [] : [{ ...record, item }]));
    const kept = stored.filter(({ plan }) => plannerVersionOf(plan) === PLANNER_VERSION);
    const earlier = stored.length - kept.length;
    const plans =
      mapping === undefined || erpCompanyId === null || kept.length === 0
        ? []
        : ((await this.planWithoutEffect.plan(installationId, toErpCompanyId(erpCompanyId), mapping, kept)) ?? []);
    const apart = plans.flatMap((plan, index) => {
      const record = kept[index];
      return record === undefined ? [] : (mismatchWith(record, plan) ?? []);
    });
    return {
      same: plans.length - apart.length,
      different: apart.length,
      unknown: records.length - earlier - plans.length,
      earlier,
      firstMismatch: apart[0],
    };
  }
}

/** The first version was not recorded. */
function plannerVersionOf(plan: string): number {
  return parsePlan(plan)[0]?.plannerVersion ?? 1;
}

/** @returns in what the lines differ; undefined when they are the recorded ones */
function mismatchWith(
  { accountingEntryId, revision, plan }: Omit<PlanRecord, 'item'>,
  again: DryPlan,
): string | undefined {
  const recorded = parsePlan(plan);
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

function onRecordedDays(entries: readonly PlannedEntry[], recorded: readonly PlannedEntry[]): readonly PlannedEntry[] {
  const days = new Map(recorded.map(({ role, postingDate }) => [role, postingDate]));
  return entries.map((entry) => ({ ...entry, postingDate: days.get(entry.role) ?? entry.postingDate }));
}
