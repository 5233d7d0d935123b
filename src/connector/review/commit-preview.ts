import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import { toErpCompanyId, toExportJobId, type CompanyId, type InstallationId } from '../../kernel/ids.js';
import type { ChunkItem } from '../exports/domain/plans/plan-chunk.js';
import { sameContent } from '../exports/domain/plans/stored-item.js';
import { isFinal } from '../exports/domain/state-transitions.js';
import { InstallationReader } from '../installations/installation.reader.js';
import { MappingReader } from '../mapping/mapping.reader.js';
import { changesOf, mappingChanges, type PreviewChange } from './domain/preview-changes.js';
import { LookUpPostedEntries } from './look-up-posted-entries.js';
import { PreviewRepository, type Preview, type PreviewEntry } from './preview.repository.js';
import { PlanWithoutEffect, type DryPlan } from '../exports/items/plan-without-effect.js';
import { QueueReexport } from '../exports/reexport/queue-reexport.js';
import { ReexportReader } from '../exports/reexport/reexport.reader.js';
import type { ReexportView } from '../exports/reexport/reexport.repository.js';
import { SentEntryReader } from '../exports/reporting/sent-entry.reader.js';
import { ExportJobReader } from '../exports/stores/export-job.reader.js';
import type { JobView } from '../exports/stores/export-view.repository.js';

export type CommitPreviewResult =
  | { readonly outcome: 'committed'; readonly reexport: ReexportView }
  | { readonly outcome: 'changed'; readonly changes: readonly PreviewChange[] }
  /**
   * `unsaved`: its rules are in no version · `other-digest`: the caller has seen another one · `nothing-to-post` ·
   * `job-running`: its job is being exported.
   */
  | { readonly outcome: 'unknown' | 'unsaved' | 'other-digest' | 'nothing-to-post' | 'job-running' };

const MAX_ENTRIES = 1_000;

/** Has exactly what was previewed posted by a real export, or says what is no longer as it was. */
@Injectable()
export class CommitPreview {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly previewRepository: PreviewRepository,
    private readonly planWithoutEffect: PlanWithoutEffect,
    private readonly sentEntryReader: SentEntryReader,
    private readonly exportJobReader: ExportJobReader,
    private readonly queueReexport: QueueReexport,
    private readonly reexportReader: ReexportReader,
    private readonly mappingReader: MappingReader,
    private readonly installationReader: InstallationReader,
    private readonly lookUpPostedEntries: LookUpPostedEntries,
    private readonly clock: Clock,
  ) {}

  /**
   * What is checked here is checked again when it is posted: the job may post nothing that has another digest.
   * @param digest of the preview, as the caller has seen it
   * @throws ErpUnavailable, and what asking the platform throws
   */
  async commit(
    installationId: InstallationId,
    id: string,
    digest: string,
    by: string,
  ): Promise<CommitPreviewResult> {
    const found = await this.tenantDatabase.inInstallation('read preview', installationId, async (tx) => {
      const preview = await this.previewRepository.find(tx, installationId, id, this.clock.now());
      return (
        preview && {
          preview,
          entries: await this.previewRepository.entries(tx, installationId, id, 0, MAX_ENTRIES),
        }
      );
    });
    if (found === undefined) return { outcome: 'unknown' };
    const { preview, entries } = found;
    if (!preview.saved) return { outcome: 'unsaved' };
    if (preview.digest !== digest) return { outcome: 'other-digest' };
    const job =
      preview.exportJobId === null
        ? undefined
        : await this.exportJobReader.job(installationId, toExportJobId(preview.exportJobId));
    if (job !== undefined && job.state !== 'detected' && !isFinal(job.state))
      return { outcome: 'job-running' };
    const changes = await this.findChanges(installationId, preview, entries, job);
    if (changes.length > 0) return { outcome: 'changed', changes };
    const installation = await this.installationReader.find(installationId);
    const toPost = entries.filter(
      ({ result, planDigest }) => planDigest !== null && POSTING.has(result.action),
    );
    return toPost.length === 0 || installation === undefined
      ? { outcome: 'nothing-to-post' }
      : this.request(installationId, installation.companyId, preview, toPost, job, by);
  }

  private async findChanges(
    installationId: InstallationId,
    preview: Preview,
    entries: readonly PreviewEntry[],
    job: JobView | undefined,
  ): Promise<readonly PreviewChange[]> {
    const newest = await this.mappingReader.latestSettings(installationId);
    const erpCompanyId = (await this.installationReader.find(installationId))?.erpCompanyId;
    if (newest !== undefined && newest.version !== preview.newestVersion) {
      const diff = await this.mappingReader.compareVersions(
        installationId,
        preview.newestVersion,
        newest.version,
      );
      return mappingChanges(preview.newestVersion, newest.version, diff);
    }
    if (erpCompanyId !== preview.erpCompanyId) {
      const what = { what: 'erp-company', accountingEntryId: null, pointer: null } as const;
      return [{ ...what, before: preview.erpCompanyId, after: erpCompanyId ?? null }];
    }
    const mapping = await this.mappingReader.findVersion(installationId, preview.mappingVersion);
    const items = await this.loadCurrentItems(installationId, preview, entries, job);
    const plans =
      mapping && (await this.planWithoutEffect.plan(toErpCompanyId(preview.erpCompanyId), mapping, items));
    const byId = new Map<string, DryPlan>((plans ?? []).map((dry) => [dry.entry.accountingEntryId, dry]));
    const ids = entries.map(({ accountingEntryId }) => accountingEntryId);
    const standing = await this.lookUpPostedEntries.lookUp(installationId, erpCompanyId, ids);
    return entries.flatMap((entry) =>
      changesOf(
        entry,
        byId.get(entry.accountingEntryId),
        standing === 'not-looked-up' ? 'not-looked-up' : standing.has(entry.accountingEntryId),
      ),
    );
  }

  /** As the platform has them if it still says, else as they were exported last, else as they were handed in. */
  private async loadCurrentItems(
    installationId: InstallationId,
    preview: Preview,
    entries: readonly PreviewEntry[],
    job: JobView | undefined,
  ): Promise<readonly ChunkItem[]> {
    const ids = entries.map(({ accountingEntryId }) => accountingEntryId);
    const previewed = new Map(entries.map((entry) => [entry.accountingEntryId, entry.item]));
    const isOpen = job?.state === 'detected';
    const newest = isOpen
      ? (
          await this.sentEntryReader.itemsOfJob(
            installationId,
            toExportJobId(job.id),
            true,
            0,
            job.numberOfItems,
          )
        ).items
      : await this.sentEntryReader.newestItems(installationId, ids);
    const byId = new Map(newest.map((entry) => [entry.accountingEntryId, entry]));
    return ids.flatMap((accountingEntryId): readonly ChunkItem[] => {
      const item = previewed.get(accountingEntryId);
      const now = byId.get(accountingEntryId);
      // What was handed in may be newer than what was exported: the export itself compares it with the platform's.
      const isNewer = preview.source === 'provided' && item != null;
      if (now !== undefined && !(isNewer && 'item' in now && !sameContent(now.item, item))) return [now];
      return item == null ? [] : [{ accountingEntryId, item }];
    });
  }

  private async request(
    installationId: InstallationId,
    companyId: CompanyId,
    preview: Preview,
    toPost: readonly PreviewEntry[],
    job: JobView | undefined,
    by: string,
  ): Promise<CommitPreviewResult> {
    const expected = Object.fromEntries(
      toPost.map(({ accountingEntryId, planDigest }) => [accountingEntryId, planDigest ?? '']),
    );
    const id = await this.tenantDatabase.inInstallation('commit preview', installationId, (tx) =>
      this.queueReexport.queue(tx, installationId, {
        companyId,
        issueKey: undefined,
        previewId: preview.id,
        pinned: { mappingVersion: preview.mappingVersion, expected },
        entryIds: toPost.map(({ accountingEntryId }) => accountingEntryId),
        likeJobId: preview.exportJobId ?? undefined,
        exportJobId: job?.state === 'detected' ? toExportJobId(job.id) : undefined,
        requestedBy: by,
      }),
    );
    const reexport = await this.reexportReader.find(installationId, id);
    return reexport === undefined ? { outcome: 'unknown' } : { outcome: 'committed', reexport };
  }
}

const POSTING: ReadonlySet<string> = new Set(['post', 'reverse-and-repost']);
