// Why one entry is in the books as it is, or what keeps it out, and what it would be today.
import { Injectable } from '@nestjs/common';
import {
  toErpCompanyId,
  toExportJobId,
  type AccountingEntryId,
  type ExportJobId,
  type InstallationId,
} from '../../kernel/ids.js';
import { message, type Message } from '../../kernel/message.js';
import type { ExportItem } from '../bookkeeping/item/export-item.js';
import type { Issue } from '../bookkeeping/item/issues.js';
import type { MappingRule } from '../bookkeeping/accounts/rule-index.js';
import { diffPlans, planAsJson, type PlanDifference } from '../exports/domain/plans/plan-diff.js';
import { failureOf, type ChunkItem } from '../exports/domain/plans/plan-chunk.js';
import { isFinal } from '../exports/domain/state-transitions.js';
import { InboxReader, type InboxRow } from '../exports/issues/inbox.reader.js';
import { InstallationReader } from '../installations/installation.reader.js';
import { MappingReader } from '../mapping/mapping.reader.js';
import type { VersionRecord } from '../mapping/domain/mapping.js';
import type { RuleChange, SettingChange } from '../mapping/domain/mapping-diff.js';
import { decidedBy, touches } from './domain/decided-by.js';
import { PlanWithoutEffect } from '../exports/items/plan-without-effect.js';
import { SentEntryReader } from '../exports/reporting/sent-entry.reader.js';
import type { ListedEntry, SentEntry } from '../exports/reporting/sent-entry.reader.js';
import { ExportJobReader } from '../exports/stores/export-job.reader.js';
import { unlessUnreachable } from './unless-unreachable.js';

/** A save after the entry's version that changed something which had decided it. */
export interface LaterChange {
  readonly version: VersionRecord;
  readonly settings: readonly SettingChange[];
  readonly rules: readonly RuleChange[];
}

export type CurrentPlan =
  | {
      /** `posts`: nothing of it was sent so far. */
      readonly outcome: 'same' | 'different' | 'posts';
      /** `stored`: planned from what is stored of the item; `platform`: from what the platform says now. */
      readonly source: 'platform' | 'stored';
      readonly mappingVersion: number;
      readonly entries: readonly unknown[];
      readonly differences: readonly PlanDifference[];
    }
  | {
      /** Once its vendor is created, which an export does first: which number that gets is not known before. */
      readonly outcome: 'posts-with-new-vendor';
      readonly source: 'platform' | 'stored';
      readonly mappingVersion: number;
      readonly vendor: Message;
    }
  | {
      readonly outcome: 'fails';
      readonly source: 'platform' | 'stored';
      readonly failureType: string;
      /** In English. */
      readonly reason: string;
      readonly messages: readonly Message[];
      readonly issues: readonly Issue[];
    }
  /** Nothing is stored of the item, or its settings no longer exist; with a reason: the ERP cannot be asked now. */
  | { readonly outcome: 'not-known'; readonly reason: Message | undefined };

export interface Explanation {
  readonly accountingEntryId: string;
  /** The newest thing that was sent to the ERP; undefined: nothing was. */
  readonly record: SentEntry | undefined;
  /** The newest export job that has it as an item, unless it is of the record's. */
  readonly listed: ListedEntry | undefined;
  /** Open issues that it fails because of. */
  readonly blockedBy: readonly InboxRow[];
  /** Undefined where nothing of it was stored. */
  readonly item: ExportItem | undefined;
  readonly version: VersionRecord | undefined;
  /** The rules that decided something of it, as they were then. */
  readonly rules: readonly MappingRule[];
  readonly laterChanges: readonly LaterChange[];
  /** Whether there are more saves since than were looked at. */
  readonly moreVersions: boolean;
  readonly today: CurrentPlan;
}

/** Above every version there can be. */
const HIGHEST_VERSION = 2_147_483_647;
/** Saves that are looked at, the newest first. */
const MAX_VERSIONS = 50;

@Injectable()
export class ExplainEntry {
  constructor(
    private readonly sentEntryReader: SentEntryReader,
    private readonly planWithoutEffect: PlanWithoutEffect,
    private readonly exportJobReader: ExportJobReader,
    private readonly mappingReader: MappingReader,
    private readonly inboxReader: InboxReader,
    private readonly installationReader: InstallationReader,
  ) {}

  /**
   * What is stored is there while platform and ERP cannot be asked, too.
   * @returns undefined for an entry that no export had
   */
  async explain(installationId: InstallationId, id: AccountingEntryId): Promise<Explanation | undefined> {
    const record = (await this.sentEntryReader.find(installationId, [id])).get(id);
    const listed = await this.sentEntryReader.newestListing(installationId, id);
    const jobId = listed?.exportJobId ?? record?.exportJobId;
    if (jobId === undefined) {
      return undefined;
    }
    const { source, entry } = await this.loadCurrentItem(installationId, toExportJobId(jobId), id);
    const found = {
      accountingEntryId: id,
      record,
      listed,
      blockedBy: await this.inboxReader.blocking(installationId, id),
      item: entry !== undefined && 'item' in entry ? entry.item : undefined,
      today: await this.planToday(installationId, record, source, entry),
    };
    return record === undefined
      ? { ...found, version: undefined, rules: [], laterChanges: [], moreVersions: false }
      : { ...found, ...(await this.explainRecord(installationId, record)) };
  }

  private async explainRecord(installationId: InstallationId, record: SentEntry) {
    const mapping = await this.mappingReader.findVersion(installationId, record.mappingVersion);
    const decided = decidedBy(record.plan);
    const versions = await this.mappingReader.listRecords(installationId, HIGHEST_VERSION, MAX_VERSIONS + 1);
    const later = versions.filter(({ version }) => version > record.mappingVersion);
    const laterChanges: LaterChange[] = [];
    for (const version of later.slice(0, MAX_VERSIONS)) {
      const [before, after] = [version.version - 1, version.version];
      // Of all the rules, which may be tens of thousands, these few are read for each save.
      const diff = await this.mappingReader.compareVersions(installationId, before, after, decided.ruleIds);
      const settings = (diff?.settings ?? []).filter(({ pointer }) => touches(decided, pointer));
      const rules = diff?.rules ?? [];
      if (settings.length > 0 || rules.length > 0) laterChanges.push({ version, settings, rules });
    }
    return {
      version: await this.mappingReader.findRecord(installationId, record.mappingVersion),
      rules: (mapping?.rules ?? []).filter((rule) => decided.ruleIds.has(rule.id)),
      laterChanges,
      moreVersions: later.length > MAX_VERSIONS,
    };
  }

  private async loadCurrentItem(
    installationId: InstallationId,
    jobId: ExportJobId,
    id: AccountingEntryId,
  ): Promise<{ readonly source: 'platform' | 'stored'; readonly entry: ChunkItem | undefined }> {
    const job = await this.exportJobReader.job(installationId, jobId);
    if (job !== undefined && !isFinal(job.state)) {
      const found = await unlessUnreachable(() => this.sentEntryReader.openItems(installationId, jobId, [id]));
      const [entry] = found ?? [];
      if (entry !== undefined) return { source: 'platform', entry };
    }
    const [entry] = await this.sentEntryReader.newestItems(installationId, [id]);
    return { source: 'stored', entry };
  }

  private async planToday(
    installationId: InstallationId,
    record: SentEntry | undefined,
    source: 'platform' | 'stored',
    entry: ChunkItem | undefined,
  ): Promise<CurrentPlan> {
    const mapping = await this.mappingReader.latestVersion(installationId);
    const company = record
      ? toErpCompanyId(record.erpCompanyId)
      : (await this.installationReader.find(installationId))?.erpCompanyId;
    if (mapping === undefined || entry === undefined || company === undefined) {
      return { outcome: 'not-known', reason: undefined };
    }
    const asked = await unlessUnreachable(async () => {
      const planned = await this.planWithoutEffect.plan(installationId, company, mapping, [entry]);
      return { plan: planned?.[0]?.plan };
    });
    if (asked?.plan === undefined) {
      const reason = asked === undefined ? message('explanation.erp-not-asked') : undefined;
      return { outcome: 'not-known', reason };
    }
    const { plan } = asked;
    switch (plan.outcome) {
      case 'fail': {
        const { failureType, failureReason: reason, messages = [], issues = [] } = failureOf(plan);
        return { outcome: 'fails', source, failureType, reason, messages, issues };
      }
      case 'needs-vendor': {
        const vendor = message('explanation.new-vendor', { name: plan.vendor.name });
        return { outcome: 'posts-with-new-vendor', source, mappingVersion: mapping.version, vendor };
      }
      case 'post': {
        const entries = planAsJson(plan.entries);
        const differences = record ? diffPlans(record.plan, entries) : [];
        const outcome = record === undefined ? 'posts' : differences.length === 0 ? 'same' : 'different';
        return { outcome, source, mappingVersion: mapping.version, entries, differences };
      }
    }
  }
}
