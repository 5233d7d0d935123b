// Gives each item of a job a result.
import { Injectable } from '@nestjs/common';
import { message } from '../../../kernel/message.js';
import { PlatformApi } from '../../platform/platform-api.js';
import { mayPost } from '../domain/deadline.js';
import type { ExportJob } from '../domain/export-job.js';
import { reasonOf, type ItemFailure } from '../domain/item-failure.js';
import type { FailedVerdict } from '../domain/verdict.js';
import { FailUnfinishedItems } from '../run/fail-unfinished-items.js';
import type { JobRun } from '../run/job-run.js';
import { ExportInStages, type ExportedItems, type Selection } from './export-in-stages.js';
import { ListJobItems } from './list-job-items.js';
import { readAhead, runToEnd } from './read-ahead.js';

@Injectable()
export class ProcessJobItems {
  constructor(
    private readonly listJobItems: ListJobItems,
    private readonly exportInStages: ExportInStages,
    private readonly failUnfinishedItems: FailUnfinishedItems,
    private readonly platformApi: PlatformApi,
  ) {}

  /**
   * @param isFirstRun no item can have a result yet
   * @returns a verdict when the job must end without the rest of its items; undefined when every item has a result
   * @throws ErpUnavailable while there is time to try again
   */
  async processAll(run: JobRun, isFirstRun: boolean): Promise<FailedVerdict | undefined> {
    const { verdict, heldBack } = isFirstRun
      ? await this.exportInStages.exportAll(run, eachOnce(run.job))
      : await this.exportListed(run);
    if (verdict !== undefined) {
      return verdict;
    }
    const hasTime = mayPost(run.job, this.platformApi.platformNow());
    const failure = hasTime ? WITHOUT_DATA : OUT_OF_TIME;
    await this.failUnfinishedItems.failItems(run.job, run.lease, failure, heldBack);
    return undefined;
  }

  private async exportListed(run: JobRun): Promise<ExportedItems> {
    const left = new AbortController();
    const { pagesAhead } = this.exportInStages.paceOf(run);
    const listing = readAhead(
      this.listJobItems.recordAll({ ...run, signal: AbortSignal.any([run.signal, left.signal]) }, pagesAhead),
      pagesAhead,
    );
    try {
      const fresh = eachOnce(run.job);
      const select: Selection = async (items) =>
        this.listJobItems.pendingAmong(run, (await fresh(items)) ?? [], listing);
      const exported = await this.exportInStages.exportAll(run, select);
      await runToEnd(listing);
      return exported;
    } finally {
      left.abort();
      await listing.return();
    }
  }
}

/** Leaves out items of earlier pages. Once as many are known as were announced, a page without new ones ends the job. */
function eachOnce({ numberOfItems }: ExportJob): Selection {
  const seen = new Set<string>();
  return (items) => {
    const fresh = new Map(
      items.flatMap((item) => (seen.has(item.accountingEntryId) ? [] : [[item.accountingEntryId, item] as const])),
    );
    fresh.forEach((_, id) => seen.add(id));
    const isOver = fresh.size === 0 && seen.size >= numberOfItems;
    return Promise.resolve(isOver ? undefined : [...fresh.values()]);
  };
}

const OUT_OF_TIME: ItemFailure = {
  failureType: 'accounting_system_timeout',
  ...reasonOf(message('reason.out-of-time')),
};

const WITHOUT_DATA: ItemFailure = {
  failureType: 'unexpected_failure',
  ...reasonOf(message('reason.without-data')),
};
