import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { toCompanyId, toExportJobId, type InstallationId } from '../../kernel/ids.js';
import { isFinal } from '../exports/domain/state-transitions.js';
import { QueueReexport } from '../exports/reexport/queue-reexport.js';
import type { ReexportRequest, ReexportView } from '../exports/reexport/reexport.repository.js';
import { CompanyOwnership } from '../exports/stores/company-ownership.js';
import { ExportJobReader, type JobView } from '../exports/stores/export-job.reader.js';
import type { PreviewChange } from './domain/preview-changes.js';
import { COMMITTED_ACTIONS } from './domain/preview-result.js';
import { FindPreviewChanges } from './find-preview-changes.js';
import { PreviewReader } from './preview.reader.js';

export type CommitPreviewResult =
  | { readonly outcome: 'committed'; readonly reexport: ReexportView }
  | { readonly outcome: 'changed'; readonly changes: readonly PreviewChange[] }
  /**
   * `unsaved`: its rules are in no version · `other-digest`: the caller has seen another one · `nothing-to-post` ·
   * `job-running`: its job is being exported, or was begun in the meantime.
   */
  | { readonly outcome: 'unknown' | 'unsaved' | 'other-digest' | 'nothing-to-post' | 'job-running' };

const MAX_ENTRIES = 1_000;

/** Has exactly what was previewed posted by a real export, or says what is no longer as it was. */
@Injectable()
export class CommitPreview {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly previewReader: PreviewReader,
    private readonly findPreviewChanges: FindPreviewChanges,
    private readonly exportJobReader: ExportJobReader,
    private readonly queueReexport: QueueReexport,
    private readonly companyOwnership: CompanyOwnership,
  ) {}

  /**
   * What is checked here is checked again when it is posted: the job may post nothing that has another digest.
   * @param digest of the preview, as the caller has seen it
   * @throws ErpUnavailable, and what asking the platform throws
   */
  async commit(installationId: InstallationId, id: string, digest: string, by: string): Promise<CommitPreviewResult> {
    const preview = await this.previewReader.find(installationId, id);
    if (preview === undefined) return { outcome: 'unknown' };
    if (!preview.saved) return { outcome: 'unsaved' };
    if (preview.digest !== digest) return { outcome: 'other-digest' };
    const job =
      preview.exportJobId === null
        ? undefined
        : await this.exportJobReader.job(installationId, toExportJobId(preview.exportJobId));
    if (job !== undefined && job.state !== 'detected' && !isFinal(job.state)) return { outcome: 'job-running' };
    const entries = await this.previewReader.listEntries(installationId, id, 0, MAX_ENTRIES);
    const changes = await this.findPreviewChanges.find(installationId, preview, entries, job);
    if (changes.length > 0) return { outcome: 'changed', changes };
    const toPost = entries.filter(
      ({ result, planDigest }) => planDigest !== null && COMMITTED_ACTIONS.includes(result.action),
    );
    if (toPost.length === 0) return { outcome: 'nothing-to-post' };
    const expected = Object.fromEntries(
      toPost.map(({ accountingEntryId, planDigest }) => [accountingEntryId, planDigest ?? '']),
    );
    const request = {
      preview: { id: preview.id, mappingVersion: preview.mappingVersion, expected },
      entryIds: toPost.map(({ accountingEntryId }) => accountingEntryId),
      likeJobId: preview.exportJobId ?? undefined,
      requestedBy: by,
    };
    return job?.state === 'detected'
      ? this.restrictJob(installationId, job, request)
      : this.queue(installationId, request);
  }

  /** As the company's owner: no worker begins the job before it is restricted to what was previewed. */
  private async restrictJob(
    installationId: InstallationId,
    job: JobView,
    request: ReexportRequest,
  ): Promise<CommitPreviewResult> {
    const exportJobId = toExportJobId(job.id);
    const owned = await this.companyOwnership.whileOwner(installationId, toCompanyId(job.companyId), async () => {
      const current = await this.exportJobReader.job(installationId, exportJobId);
      return current?.state === 'detected' ? this.queue(installationId, { ...request, exportJobId }) : undefined;
    });
    return owned?.result ?? { outcome: 'job-running' };
  }

  private async queue(installationId: InstallationId, request: ReexportRequest): Promise<CommitPreviewResult> {
    const reexport = await this.tenantDatabase.inInstallation('commit preview', installationId, (tx) =>
      this.queueReexport.queue(tx, installationId, request),
    );
    return { outcome: 'committed', reexport };
  }
}
