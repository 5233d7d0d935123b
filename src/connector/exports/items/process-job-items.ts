// All items of a job, in stages that work at the same time, each a bounded piece ahead of the next: the list of what must
// get a result, and the data → plan, intents, ERP, record → report.
import { Injectable } from '@nestjs/common';
import { ErpUnavailable } from '../../erp/erp-ledger.js';
import { PlatformAccess } from '../../installations/credentials/platform-access.js';
import { PlatformApi, type FetchedItem } from '../../platform/platform-api.js';
import { PlatformRefusal } from '../../platform/platform-error.js';
import { erpFailureVerdict } from '../run/check-job.js';
import { budgetAt } from '../domain/deadline.js';
import { requesterOf } from '../domain/lanes.js';
import { ExportChunk } from './export-chunk.js';
import { FailUnfinishedItems } from '../run/fail-unfinished-items.js';
import type { ItemFailure } from '../domain/failure-in-doubt.js';
import type { FailedVerdict } from '../domain/verdict.js';
import type { JobRun } from '../run/job-run.js';
import { finish, readAhead, type Stage } from './read-ahead.js';
import { RelayOutbox } from '../reporting/relay-outbox.js';
import { JobClosed } from '../run/run-interruptions.js';
import { ListJobItems } from './list-job-items.js';

/** Platform refusals of the item data that end the job; another attempt would hear the same. */
const JOB_ENDING_REFUSALS: Readonly<Record<string, FailedVerdict['failureReasonType']>> = {
  MISSING_CONTRA_ACCOUNTS: 'missing_configuration',
  UNSUPPORTED_API_VERSION: 'invalid_configuration',
};

/** How far one stage may be ahead of the next. All 0: page after page, each stage waiting for the others. */
export interface ExportPace {
  /** Pages of items that are fetched and wait to be posted. Those that wait go to the ERP together. */
  readonly pagesAhead: number;
  /** Posted chunks whose results wait to be reported. */
  readonly chunksAhead: number;
}

/** With pages of 100 items at most 500 groups a call, and as many items in memory besides. */
const PACE: ExportPace = { pagesAhead: 5, chunksAhead: 2 };

@Injectable()
export class ProcessJobItems {
  /** Read when a run begins. */
  pace = PACE;

  constructor(
    private readonly listJobItems: ListJobItems,
    private readonly platformApi: PlatformApi,
    private readonly platformAccess: PlatformAccess,
    private readonly exportChunk: ExportChunk,
    private readonly relayOutbox: RelayOutbox,
    private readonly failUnfinishedItems: FailUnfinishedItems,
  ) {}

  /**
   * @returns a verdict when the job must end without the rest of its items; undefined when every item has a result
   * @throws ErpUnavailable while there is time to try again
   */
  async processAll(run: JobRun): Promise<FailedVerdict | undefined> {
    const left = new AbortController();
    const heldBack = new Set<string>();
    const listing = readAhead(
      this.listJobItems.recordAll(until(run, left), this.pace.pagesAhead),
      this.pace.pagesAhead,
    );
    try {
      const ended = await this.exportPages(run, listing, heldBack);
      // Whatever is left gets its result now, so it has to be known what that is.
      await finish(listing);
      if (ended !== undefined) {
        return ended;
      }
    } finally {
      left.abort();
      await listing.return();
    }
    const failure = this.hasTime(run) ? WITHOUT_DATA : OUT_OF_TIME;
    await this.failUnfinishedItems.failItems(run.job, run.lease, failure, heldBack);
    return undefined;
  }

  private async exportPages(
    run: JobRun,
    listing: Stage<unknown>,
    heldBack: Set<string>,
  ): Promise<FailedVerdict | undefined> {
    const stop = new AbortController();
    const stages = until(run, stop);
    const pages = readAhead(this.itemData(run, stop), this.pace.pagesAhead, stages.signal);
    const posted = readAhead(this.postPages(stages, pages, listing, heldBack), this.pace.chunksAhead);
    try {
      while ((await posted.next()).done !== true) {
        await this.relayOutbox.deliverAll(run.job, run.lease);
      }
      return undefined;
    } catch (error) {
      // The other stages end with what they have in hand; the first error is the one that counts.
      stop.abort(error);
      return this.verdictFor(run, stop.signal.reason);
    } finally {
      await posted.return();
    }
  }

  /** Data that was fetched before an error is still exported, unless the job is closed: then nothing more is posted. */
  private async *itemData(run: JobRun, stop: AbortController): Stage<readonly FetchedItem[]> {
    try {
      yield* this.platformApi.exportItemPages(this.auth(run), run.job.id);
    } catch (error) {
      if (error instanceof PlatformRefusal && error.status === 422 && JOB_ENDING_REFUSALS[error.type] === undefined) {
        stop.abort(new JobClosed('the platform gives no more item data for this job', { cause: error }));
      }
      throw error;
    }
  }

  /** Yields whenever results wait to be reported. */
  private async *postPages(
    run: JobRun,
    pages: Stage<readonly (readonly FetchedItem[])[]>,
    listing: Stage<unknown>,
    heldBack: Set<string>,
  ): Stage<void> {
    for await (const fetched of pages) {
      const pending = await this.listJobItems.pendingAmong(run, fetched.flat(), listing);
      run.signal.throwIfAborted();
      if (pending === undefined || !this.hasTime(run)) {
        return;
      }
      if (pending.length > 0) {
        for (const id of await this.exportChunk.planAndPost(run, pending)) {
          heldBack.add(id);
        }
        yield;
      }
    }
  }

  /** @throws whatever does not end the job by itself */
  private verdictFor(run: JobRun, error: unknown): FailedVerdict {
    if (error instanceof ErpUnavailable && !this.hasTime(run)) {
      return erpFailureVerdict(error.failure);
    }
    const failureReasonType = error instanceof PlatformRefusal ? JOB_ENDING_REFUSALS[error.type] : undefined;
    if (error instanceof PlatformRefusal && failureReasonType !== undefined) {
      return { event: 'failed', failureReasonType, failureReason: error.message };
    }
    throw error;
  }

  private hasTime(run: JobRun): boolean {
    return budgetAt(run.job.expiresAt, this.platformApi.platformNow()) === 'post';
  }

  private auth(run: JobRun) {
    return this.platformAccess.authorizationFor(run.job.installationId, requesterOf(run.job));
  }
}

/** The run, ended by `stop` as well. */
function until(run: JobRun, stop: AbortController): JobRun {
  return { ...run, signal: AbortSignal.any([run.signal, stop.signal]) };
}

const OUT_OF_TIME: ItemFailure = {
  failureType: 'accounting_system_timeout',
  failureReason:
    'The hour of this export was over before the entry’s turn came. Export it again; nothing is posted twice.',
};

const WITHOUT_DATA: ItemFailure = {
  failureType: 'unexpected_failure',
  failureReason:
    'The platform listed this entry in the export but gave no data for it. Export it again; if it happens twice, contact support.',
};
