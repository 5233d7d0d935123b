// The platform's list of a job's items with their results. A first run needs only the items' data; a later run records the list
// while it fetches and posts, to leave out items that have a result.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { AccountingEntryId } from '../../../kernel/ids.js';
import { PlatformAccess } from '../../installations/credentials/platform-access.js';
import { PlatformApi } from '../../platform/platform-api.js';
import { isWithoutAnswer } from '../../platform/platform-error.js';
import { mayPost } from '../domain/deadline.js';
import type { ExportJob } from '../domain/export-job.js';
import { requesterOf } from '../domain/lanes.js';
import type { ChunkItem } from '../domain/plans/plan-chunk.js';
import type { JobRun } from '../run/job-run.js';
import { fenced } from '../stores/fenced.js';
import { ExportItemRepository } from '../stores/export-item.repository.js';
import { readAhead, runToEnd, type Stage } from './read-ahead.js';

type ListingRun = Pick<JobRun, 'job' | 'lease'> & { readonly signal?: AbortSignal };

@Injectable()
export class ListJobItems {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly exportItemRepository: ExportItemRepository,
    private readonly platformApi: PlatformApi,
    private readonly platformAccess: PlatformAccess,
  ) {}

  /**
   * Yields after each recorded page. A list shorter than the announced number of items is read once more; if it stays shorter, the
   * verdict says that items are missing.
   * @param pagesAhead fetched pages that may wait to be recorded
   */
  async *recordAll(run: ListingRun, pagesAhead: number): Stage<void> {
    yield* this.recordOnce(run, pagesAhead);
    const { known } = await this.count(run);
    if (known < run.job.numberOfItems) {
      yield* this.recordOnce(run, pagesAhead);
    }
  }

  /**
   * Records the list of a job of which fewer items are known than were announced. Once no ERP write may start, a list that the platform
   * does not give is left: what is known gets its results, and the verdict says that items are missing.
   * @returns whether items have no result
   */
  async recordRest(run: ListingRun): Promise<boolean> {
    const { known, pending } = await this.count(run);
    if (known >= run.job.numberOfItems) {
      return pending > 0;
    }
    try {
      await runToEnd(this.recordAll(run, 1));
    } catch (error) {
      if (!isWithoutAnswer(error) || mayPost(run.job, this.platformApi.platformNow())) {
        throw error;
      }
    }
    return true;
  }

  /** At most `limit` items without a result, in the job's order. */
  async nextPending(job: ExportJob, limit: number): Promise<readonly AccountingEntryId[]> {
    return this.tenantDatabase.readOnce('next pending items', job.installationId, (tx) =>
      this.exportItemRepository.nextPending(tx, job, limit),
    );
  }

  /**
   * The given items that are on the job's list and have no result yet. List and data may be in different order, so an item counts
   * as missing from the list only when the whole list is read.
   * @param listing `recordAll`, read as far as necessary
   * @returns undefined when every item of the job has a result
   */
  async pendingAmong(
    run: ListingRun,
    items: readonly ChunkItem[],
    listing: Stage<unknown>,
  ): Promise<readonly ChunkItem[] | undefined> {
    const byId = new Map(items.map((item) => [item.accountingEntryId, item]));
    for (;;) {
      const { done: isComplete = false } = await listing.next();
      const found = await this.findListed(run, [...byId.keys()], isComplete);
      if (found.isOver) {
        return undefined;
      }
      if (isComplete || found.count === byId.size) {
        return [...byId.values()].filter(({ accountingEntryId }) => found.pending.has(accountingEntryId));
      }
    }
  }

  private async count({ job }: ListingRun) {
    return this.tenantDatabase.readOnce('count items', job.installationId, (tx) =>
      this.exportItemRepository.count(tx, job),
    );
  }

  private async findListed({ job }: ListingRun, ids: readonly string[], isComplete: boolean) {
    return this.tenantDatabase.inInstallation('find listed items', job.installationId, async (tx) => {
      const listed = await this.exportItemRepository.findListed(tx, job, ids);
      const isOver = isComplete && listed.pending.size === 0 && !(await this.exportItemRepository.hasPending(tx, job));
      return { ...listed, isOver };
    });
  }

  private async *recordOnce(run: ListingRun, pagesAhead: number): Stage<void> {
    const auth = this.platformAccess.authorizationFor(run.job.installationId, requesterOf(run.job));
    const pages = this.platformApi.jobItemPages(auth, run.job.id);
    for await (const fetched of readAhead(pages, pagesAhead, run.signal)) {
      const items = fetched.flat();
      await fenced(this.tenantDatabase, 'record listed items', run.lease, (tx) =>
        this.exportItemRepository.addListed(tx, run.job, items),
      );
      yield;
    }
  }
}
