import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { sha256Hex } from '../../foundation/crypto/sha256.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import type { ErpCompanyId, ExportJobId, InstallationId } from '../../kernel/ids.js';
import type { ExportItem } from '../bookkeeping/item/export-item.js';
import type { ChunkItem } from '../exports/domain/plans/plan-chunk.js';
import { isFinal } from '../exports/domain/state-transitions.js';
import { toStoredItem } from '../exports/domain/plans/stored-item.js';
import { InstallationReader } from '../installations/installation.reader.js';
import type { MappingVersion } from '../mapping/domain/mapping.js';
import type { RuleContent } from '../mapping/domain/rule-fields.js';
import { MappingReader } from '../mapping/mapping.reader.js';
import { previewResult, unreadableResult, type StandingEntry } from './domain/preview-result.js';
import { LookUpPostedEntries } from './look-up-posted-entries.js';
import { PreviewRepository, type Preview, type PreviewEntry } from './preview.repository.js';
import { PlanWithoutEffect, type DryPlan } from '../exports/items/plan-without-effect.js';
import { SentEntryReader } from '../exports/reporting/sent-entry.reader.js';
import { ExportJobReader } from '../exports/stores/export-job.reader.js';

const RETENTION_MS = 24 * 60 * 60 * 1_000;

export interface PreviewRequest {
  /** A job of any state, or items as the platform would send them. */
  readonly of:
    | { readonly jobId: ExportJobId; readonly skip: number; readonly limit: number }
    | { readonly items: readonly ExportItem[] };
  /** Undefined: the newest. */
  readonly mappingVersion: number | undefined;
  /** Instead of the version's own. */
  readonly rules: readonly RuleContent[] | undefined;
  readonly by: string;
}

export type MakePreviewResult =
  | { readonly outcome: 'made'; readonly preview: Preview }
  | { readonly outcome: 'unknown-job' | 'unknown-version' | 'setup-incomplete' };

interface Source {
  readonly source: Preview['source'];
  readonly jobId: ExportJobId | null;
  readonly items: readonly ChunkItem[];
  readonly more: boolean;
}

/** Plans items against a mapping without effect, and keeps what it says for a day. */
@Injectable()
export class MakePreview {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly previewRepository: PreviewRepository,
    private readonly sentEntryReader: SentEntryReader,
    private readonly planWithoutEffect: PlanWithoutEffect,
    private readonly exportJobReader: ExportJobReader,
    private readonly mappingReader: MappingReader,
    private readonly installationReader: InstallationReader,
    private readonly lookUpPostedEntries: LookUpPostedEntries,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws ErpUnavailable, and what asking the platform throws
   */
  async make(installationId: InstallationId, request: PreviewRequest): Promise<MakePreviewResult> {
    const newest = await this.mappingReader.latestSettings(installationId);
    const erpCompanyId = (await this.installationReader.find(installationId))?.erpCompanyId;
    if (newest === undefined || erpCompanyId === undefined) {
      return { outcome: 'setup-incomplete' };
    }
    const version = request.mappingVersion ?? newest.version;
    const mapping = await this.mappingReader.findVersion(installationId, version);
    if (mapping === undefined) {
      return { outcome: 'unknown-version' };
    }
    const source = await this.loadItems(installationId, request.of);
    if (source === undefined) {
      return { outcome: 'unknown-job' };
    }
    const wanted = withRules(mapping, request.rules);
    const entries = await this.plan(installationId, erpCompanyId, wanted, source.items);
    if (entries === undefined) {
      return { outcome: 'setup-incomplete' };
    }
    const createdAt = this.clock.now();
    const decided = [erpCompanyId, version, request.rules ?? null, entries.map(({ digested }) => digested)];
    const preview: Preview = {
      id: randomUUID(),
      exportJobId: source.jobId,
      source: source.source,
      erpCompanyId,
      mappingVersion: version,
      newestVersion: newest.version,
      saved: request.rules === undefined,
      digest: sha256Hex(JSON.stringify(decided)),
      entries: entries.length,
      more: source.more,
      madeBy: request.by,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + RETENTION_MS),
    };
    await this.tenantDatabase.inInstallation('keep preview', installationId, (tx) =>
      this.previewRepository.add(
        tx,
        installationId,
        preview,
        entries.map(({ entry }) => entry),
      ),
    );
    return { outcome: 'made', preview };
  }

  private async loadItems(
    installationId: InstallationId,
    of: PreviewRequest['of'],
  ): Promise<Source | undefined> {
    if ('items' in of) {
      const items = of.items.map((item) => ({ accountingEntryId: item.accountingEntryId, item }));
      return { source: 'provided', jobId: null, items, more: false };
    }
    const job = await this.exportJobReader.job(installationId, of.jobId);
    if (job === undefined) {
      return undefined;
    }
    const { source, items } = await this.sentEntryReader.itemsOfJob(
      installationId,
      of.jobId,
      !isFinal(job.state),
      of.skip,
      of.limit + 1,
    );
    return { source, jobId: of.jobId, items: items.slice(0, of.limit), more: items.length > of.limit };
  }

  private async plan(
    installationId: InstallationId,
    erpCompanyId: ErpCompanyId,
    mapping: MappingVersion,
    items: readonly ChunkItem[],
  ) {
    const plans = await this.planWithoutEffect.plan(erpCompanyId, mapping, items);
    const ids = items.map(({ accountingEntryId }) => accountingEntryId);
    const standing = plans && (await this.lookUpPostedEntries.lookUp(installationId, erpCompanyId, ids));
    return plans?.map((dry, index) => {
      const { accountingEntryId } = dry.entry;
      const known = standing === 'not-looked-up' ? standing : standing?.get(accountingEntryId);
      return {
        entry: entryOf(dry, index + 1, known, mapping.settings.policies.conflicts),
        digested: [accountingEntryId, dry.contentDigest ?? null, dry.planDigest ?? null],
      };
    });
  }
}

/** Unsaved rules get numbers of their own, which the decisions then name: "new-1" is the first of them. */
function withRules(mapping: MappingVersion, rules: readonly RuleContent[] | undefined): MappingVersion {
  if (rules === undefined) {
    return mapping;
  }
  return {
    ...mapping,
    rules: rules.map((rule, index) => ({ ...rule, id: `new-${(index + 1).toString()}` })),
  };
}

function entryOf(
  { entry, plan, contentDigest = '', planDigest }: DryPlan,
  position: number,
  standing: StandingEntry | undefined | 'not-looked-up',
  conflicts: 'fail' | 'reverse-and-repost',
): PreviewEntry {
  const { accountingEntryId } = entry;
  const result =
    plan === undefined
      ? unreadableResult('unreadable' in entry ? entry.unreadable : '')
      : previewResult(plan, contentDigest, standing, conflicts);
  const item = 'item' in entry ? toStoredItem(entry.item) : null;
  return { position, accountingEntryId, item, planDigest: planDigest ?? null, result };
}
