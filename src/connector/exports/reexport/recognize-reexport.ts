import { Injectable } from '@nestjs/common';
import { toExportJobId } from '../../../kernel/ids.js';
import { InstallationsService } from '../../installations/installations.service.js';
import { PlatformApi } from '../../platform/platform-api.js';
import type { ExportJob } from '../domain/export-job.js';
import { ExportStores } from '../stores/export-stores.js';
import { ReexportRepository, type Pinned } from './reexport.repository.js';

/** Whether a job was asked for here, and what it is then pinned to: it may post only what somebody has previewed. */
@Injectable()
export class RecognizeReexport {
  constructor(
    private readonly stores: ExportStores,
    private readonly reexports: ReexportRepository,
    private readonly installations: InstallationsService,
    private readonly platform: PlatformApi,
  ) {}

  /**
   * A job that was asked for here, and of which the platform's answer was lost, is known again by its items.
   * @returns undefined when nothing was previewed for it
   * @throws PlatformRefusal, NoAnswer, AuthorizationLost when its items have to be looked at and cannot
   */
  async run(job: ExportJob): Promise<Pinned | undefined> {
    const { pinned, lost } = await this.stores.open('find pin of job', job.installationId, async (tx) => ({
      pinned: await this.reexports.pinnedOf(tx, job),
      lost: await this.reexports.findLost(tx, job),
    }));
    if (pinned !== undefined || lost === undefined || !(await this.hasExactly(job, lost.entryIds))) {
      return pinned;
    }
    return this.stores.open('find lost job', job.installationId, async (tx) => {
      await this.reexports.created(tx, job.installationId, lost.id, toExportJobId(job.id));
      return this.reexports.pinnedOf(tx, job);
    });
  }

  private async hasExactly(job: ExportJob, ids: readonly string[]): Promise<boolean> {
    const missing = new Set(ids);
    const auth = this.installations.authorization(job.installationId);
    for await (const items of this.platform.jobItemPages(auth, job.id)) {
      if (!items.every(({ accountingEntryId }) => missing.delete(accountingEntryId))) {
        return false;
      }
    }
    return missing.size === 0;
  }
}
