import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { ExportJobId, InstallationId } from '../../../kernel/ids.js';
import { ExportViewRepository, type ItemView, type JobPosition, type JobView } from './export-view.repository.js';

/** Jobs and items as people read them. */
@Injectable()
export class ExportJobReader {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly exportViewRepository: ExportViewRepository,
  ) {}

  /** Newest first. */
  async jobs(
    installationId: InstallationId,
    after: JobPosition | undefined,
    limit: number,
  ): Promise<readonly JobView[]> {
    return this.tenantDatabase.inInstallation('list jobs', installationId, (tx) =>
      this.exportViewRepository.jobs(tx, installationId, after, limit),
    );
  }

  async job(installationId: InstallationId, id: ExportJobId): Promise<JobView | undefined> {
    return this.tenantDatabase.inInstallation('read job', installationId, (tx) =>
      this.exportViewRepository.job(tx, installationId, id),
    );
  }

  /** In the job's order, from the position after `afterPosition`; 0 for the first page. */
  async items(
    installationId: InstallationId,
    jobId: ExportJobId,
    filter: Parameters<ExportViewRepository['items']>[3],
  ): Promise<readonly ItemView[]> {
    return this.tenantDatabase.inInstallation('list items', installationId, (tx) =>
      this.exportViewRepository.items(tx, installationId, jobId, filter),
    );
  }
}
