import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { toExportJobId } from '../../../kernel/ids.js';
import { PlatformAccess } from '../../installations/credentials/platform-access.js';
import { PlatformApi } from '../../platform/platform-api.js';
import type { ExportJob } from '../domain/export-job.js';
import { ReexportRepository, type PinnedPlan } from './reexport.repository.js';

/** Whether a job was requested here, and the preview it is then pinned to: it may post only what was previewed. */
@Injectable()
export class RecognizeReexport {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly reexportRepository: ReexportRepository,
    private readonly platformAccess: PlatformAccess,
    private readonly platformApi: PlatformApi,
  ) {}

  /**
   * A job that was requested here, and for which the platform's response was lost, is recognized by its items.
   * @returns undefined when nothing was previewed for it
   * @throws PlatformRefusal, NoResponse, AuthorizationLost when its items are needed and cannot be fetched
   */
  async findPinnedPlan(job: ExportJob): Promise<PinnedPlan | undefined> {
    const pinned = await this.tenantDatabase.readOnce('find pin of job', job.installationId, (tx) =>
      this.reexportRepository.findPinnedPlan(tx, job),
    );
    if (pinned !== undefined) {
      return pinned;
    }
    const lost = await this.tenantDatabase.readOnce('find lost requests', job.installationId, (tx) =>
      this.reexportRepository.findUnconfirmed(tx, job),
    );
    for (const { id, entryIds } of lost) {
      if (await this.hasExactly(job, entryIds)) {
        return this.tenantDatabase.inInstallation('find lost job', job.installationId, async (tx) => {
          await this.reexportRepository.linkJob(tx, job.installationId, id, toExportJobId(job.id));
          return this.reexportRepository.findPinnedPlan(tx, job);
        });
      }
    }
    return undefined;
  }

  private async hasExactly(job: ExportJob, ids: readonly string[]): Promise<boolean> {
    const missing = new Set(ids);
    const auth = this.platformAccess.authorizationFor(job.installationId, 'exports');
    for await (const items of this.platformApi.jobItemPages(auth, job.id)) {
      if (!items.every(({ accountingEntryId }) => missing.delete(accountingEntryId))) {
        return false;
      }
    }
    return missing.size === 0;
  }
}
