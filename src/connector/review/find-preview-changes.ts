import { Injectable } from '@nestjs/common';
import { toErpCompanyId, toExportJobId, type InstallationId } from '../../kernel/ids.js';
import type { ChunkItem } from '../exports/domain/plans/plan-chunk.js';
import { sameContent } from '../exports/domain/plans/stored-item.js';
import { PlanWithoutEffect, type DryPlan } from '../exports/items/plan-without-effect.js';
import { SentEntryReader } from '../exports/reporting/sent-entry.reader.js';
import type { JobView } from '../exports/stores/export-job.reader.js';
import { InstallationReader } from '../installations/installation.reader.js';
import { MappingReader } from '../mapping/mapping.reader.js';
import { changesOf, mappingChanges, type PreviewChange } from './domain/preview-changes.js';
import { LookUpPostedEntries } from './look-up-posted-entries.js';
import type { Preview, PreviewEntry } from './preview.repository.js';

/** Plans a preview again and compares. */
@Injectable()
export class FindPreviewChanges {
  constructor(
    private readonly planWithoutEffect: PlanWithoutEffect,
    private readonly sentEntryReader: SentEntryReader,
    private readonly mappingReader: MappingReader,
    private readonly installationReader: InstallationReader,
    private readonly lookUpPostedEntries: LookUpPostedEntries,
  ) {}

  /**
   * @param job of the preview, as it is now
   * @returns nothing when a commit would post exactly what was previewed
   * @throws ErpUnavailable; what a request to the platform throws
   */
  async find(
    installationId: InstallationId,
    preview: Preview,
    entries: readonly PreviewEntry[],
    job: JobView | undefined,
  ): Promise<readonly PreviewChange[]> {
    const newest = await this.mappingReader.latestSettings(installationId);
    const erpCompanyId = (await this.installationReader.find(installationId))?.erpCompanyId;
    if (newest !== undefined && newest.version !== preview.newestVersion) {
      const diff = await this.mappingReader.compareVersions(installationId, preview.newestVersion, newest.version);
      return mappingChanges(preview.newestVersion, newest.version, diff);
    }
    if (erpCompanyId !== preview.erpCompanyId) {
      const what = { what: 'erp-company', accountingEntryId: null, pointer: null } as const;
      return [{ ...what, before: preview.erpCompanyId, after: erpCompanyId ?? null }];
    }
    const mapping = await this.mappingReader.findVersion(installationId, preview.mappingVersion);
    const items = await this.loadCurrentItems(installationId, preview, entries, job);
    const plans =
      mapping &&
      (await this.planWithoutEffect.plan(installationId, toErpCompanyId(preview.erpCompanyId), mapping, items));
    const byId = new Map<string, DryPlan>((plans ?? []).map((dry) => [dry.entry.accountingEntryId, dry]));
    const ids = entries.map(({ accountingEntryId }) => accountingEntryId);
    const posted = await this.lookUpPostedEntries.lookUp(installationId, erpCompanyId, ids);
    return entries.flatMap((entry) =>
      changesOf(
        entry,
        byId.get(entry.accountingEntryId),
        posted === 'not-looked-up' ? posted : posted.standing.has(entry.accountingEntryId),
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
      ? ((await this.sentEntryReader.openItems(installationId, toExportJobId(job.id), ids)) ?? [])
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
}
