// What would become of entries that have failed, were they exported again now. Nothing is posted.
import { Injectable } from '@nestjs/common';
import type { InstallationId } from '../../kernel/ids.js';
import { issueKey, type Issue } from '../bookkeeping/item/issues.js';
import { FailedEntryReader } from '../exports/issues/failed-entry.reader.js';
import { PlanWithoutEffect, type DryPlan } from '../exports/items/plan-without-effect.js';
import { SentEntryReader } from '../exports/reporting/sent-entry.reader.js';
import { InstallationReader } from '../installations/installation.reader.js';
import { MappingReader } from '../mapping/mapping.reader.js';
import type { BlockingIssue, ReplannedEntries } from './domain/readiness.js';

/** Entries that are looked at, those that failed last. */
const MAX_ENTRIES = 500;
const UNREADABLE: Issue = { kind: 'unreadable', reference: 'entry' };

@Injectable()
export class ReplanFailedEntries {
  constructor(
    private readonly failedEntryReader: FailedEntryReader,
    private readonly sentEntryReader: SentEntryReader,
    private readonly planWithoutEffect: PlanWithoutEffect,
    private readonly mappingReader: MappingReader,
    private readonly installationReader: InstallationReader,
  ) {}

  /**
   * @returns undefined without settings, or without a company of the ERP
   * @throws ErpUnavailable
   */
  async replan(installationId: InstallationId): Promise<ReplannedEntries | undefined> {
    const mapping = await this.mappingReader.latestVersion(installationId);
    const company = (await this.installationReader.find(installationId))?.erpCompanyId;
    if (mapping === undefined || company === undefined) {
      return undefined;
    }
    const failed = await this.failedEntryReader.newest(installationId, MAX_ENTRIES + 1);
    const looked = failed.slice(0, MAX_ENTRIES);
    // Nothing is stored of what could not be read: it fails again until it is changed on the platform.
    const unreadable = looked.filter(isUnreadable);
    const ids = looked.filter((each) => !isUnreadable(each)).map(({ accountingEntryId }) => accountingEntryId);
    const items = ids.length === 0 ? [] : await this.sentEntryReader.newestItems(installationId, ids);
    const plans = items.length === 0 ? [] : await this.planWithoutEffect.plan(installationId, company, mapping, items);
    if (plans === undefined) {
      return undefined;
    }
    const failing = plans.filter(({ plan }) => plan === undefined || plan.outcome === 'fail');
    return {
      willPost: plans.length - failing.length,
      needYou: failing.length + unreadable.length,
      notKnown: ids.length - items.length,
      isTruncated: failed.length > MAX_ENTRIES,
      issues: issuesOf(
        [...failing.map(issuesOfPlan), ...unreadable.map(() => [UNREADABLE])],
        new Set(failed.flatMap(({ issueKeys }) => issueKeys)),
      ),
    };
  }
}

function isUnreadable({ issueKeys }: { readonly issueKeys: readonly string[] }): boolean {
  return issueKeys.includes(issueKey(UNREADABLE));
}

function issuesOfPlan({ plan }: DryPlan): readonly Issue[] {
  return plan?.outcome === 'fail' ? plan.problems.map(({ issue }) => issue) : [UNREADABLE];
}

/** @param failing issues of each entry */
function issuesOf(failing: readonly (readonly Issue[])[], openKeys: ReadonlySet<string>): readonly BlockingIssue[] {
  const counted = new Map<string, BlockingIssue>();
  for (const issues of failing) {
    for (const [key, issue] of new Map(issues.map((each) => [issueKey(each), each]))) {
      const entries = (counted.get(key)?.entries ?? 0) + 1;
      counted.set(key, { issue, entries, key: openKeys.has(key) ? key : undefined });
    }
  }
  return [...counted.values()].sort((one, other) => other.entries - one.entries);
}
