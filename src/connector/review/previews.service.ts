import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import type { InstallationId } from '../../kernel/ids.js';
import { CommitPreview, type CommitPreviewResult } from './commit-preview.js';
import { MakePreview, type MakePreviewResult, type PreviewRequest } from './make-preview.js';
import { PreviewRepository, type Preview, type PreviewEntry } from './preview.repository.js';

export type { CommitPreviewResult as CommittedPreview } from './commit-preview.js';
export type { PreviewRequest } from './make-preview.js';
export type { Preview, PreviewEntry } from './preview.repository.js';

/** What an export would do, without doing it; and having exactly that done. */
@Injectable()
export class PreviewsService {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly previewRepository: PreviewRepository,
    private readonly makePreview: MakePreview,
    private readonly commitPreview: CommitPreview,
    private readonly clock: Clock,
  ) {}

  /** @throws ErpUnavailable, and what asking the platform throws */
  async make(installationId: InstallationId, request: PreviewRequest): Promise<MakePreviewResult> {
    return this.makePreview.make(installationId, request);
  }

  /** @returns undefined as well when it has expired */
  async find(installationId: InstallationId, id: string): Promise<Preview | undefined> {
    return this.tenantDatabase.inInstallation('read preview', installationId, (tx) =>
      this.previewRepository.find(tx, installationId, id, this.clock.now()),
    );
  }

  /** In the preview's order, those after a position, which begins at 1. */
  async entries(
    installationId: InstallationId,
    id: string,
    afterPosition: number,
    limit: number,
  ): Promise<readonly PreviewEntry[]> {
    return this.tenantDatabase.inInstallation('read preview entries', installationId, (tx) =>
      this.previewRepository.entries(tx, installationId, id, afterPosition, limit),
    );
  }

  /** @throws ErpUnavailable, and what asking the platform throws */
  async commit(
    installationId: InstallationId,
    id: string,
    digest: string,
    by: string,
  ): Promise<CommitPreviewResult> {
    return this.commitPreview.commit(installationId, id, digest, by);
  }
}
