// Exports a job's items in concurrent stages: fetch data → plan → write intents, post, record → report. Each stage works a
// bounded number of chunks ahead of the next.
import { Injectable } from '@nestjs/common';
import { inSpan } from '../../../foundation/tracing/tracing.js';
import { message } from '../../../kernel/message.js';
import { PlatformAccess } from '../../installations/credentials/platform-access.js';
import { PlatformApi, type FetchedItem } from '../../platform/platform-api.js';
import { PlatformRefusal } from '../../platform/platform-error.js';
import { mayPost } from '../domain/deadline.js';
import { requesterOf } from '../domain/lanes.js';
import type { ChunkItem } from '../domain/plans/plan-chunk.js';
import { failedVerdict, type FailedVerdict } from '../domain/verdict.js';
import { RelayOutbox } from '../reporting/relay-outbox.js';
import type { JobRun } from '../run/job-run.js';
import { JobClosed } from '../run/run-interruptions.js';
import { goesCarefully } from './careful-steps.js';
import { PostChunk, type PostedChunk } from './post-chunk.js';
import { PrepareChunk, type PreparedChunk } from './prepare-chunk.js';
import { flatten, mergeBatches, readAhead, type Stage } from './read-ahead.js';
import { SplitIntoSteps } from './split-into-steps.js';

/** Refusals of the item data that end the job, since the platform would repeat them at every attempt. */
const JOB_ENDING_REFUSALS: Readonly<Record<string, FailedVerdict['failureReasonType']>> = {
  MISSING_CONTRA_ACCOUNTS: 'missing_configuration',
  UNSUPPORTED_API_VERSION: 'invalid_configuration',
};

/** How far each stage may be ahead of the next; 0: it waits for it. */
export interface ExportPace {
  /** Pages of items that are fetched and not yet planned. Waiting pages become one chunk. */
  readonly pagesAhead: number;
  /** Chunks that are planned and wait to be posted. */
  readonly plansAhead: number;
  /** Chunks that are posted while the one before is recorded. */
  readonly postsAhead: number;
  /** Recorded chunks whose results wait to be reported. */
  readonly chunksAhead: number;
}

/** Selects the items that still have to be exported; undefined: the job has none left. */
export type Selection = (items: readonly ChunkItem[]) => Promise<readonly ChunkItem[] | undefined>;

export interface ExportedItems {
  /** Set when the job must end without the rest of its items. */
  readonly verdict: FailedVerdict | undefined;
  /** Items that were processed and have no result. */
  readonly heldBack: ReadonlySet<string>;
}

/** With pages of 100 items a chunk has about 500. Each stage holds one, and one waits in front of it. */
const PACE: ExportPace = { pagesAhead: 5, plansAhead: 1, postsAhead: 1, chunksAhead: 1 };
const ONE_AFTER_THE_OTHER: ExportPace = { pagesAhead: 0, plansAhead: 0, postsAhead: 0, chunksAhead: 0 };

@Injectable()
export class ExportInStages {
  /** Read when a run begins. */
  pace = PACE;

  constructor(
    private readonly platformApi: PlatformApi,
    private readonly platformAccess: PlatformAccess,
    private readonly splitIntoSteps: SplitIntoSteps,
    private readonly prepareChunk: PrepareChunk,
    private readonly postChunk: PostChunk,
    private readonly relayOutbox: RelayOutbox,
  ) {}

  /** Of this run, by how its earlier ones ended. */
  paceOf({ lease }: Pick<JobRun, 'lease'>): ExportPace {
    return goesCarefully(lease) ? ONE_AFTER_THE_OTHER : this.pace;
  }

  /** @throws whatever does not end the job by itself */
  async exportAll(run: JobRun, select: Selection): Promise<ExportedItems> {
    const heldBack = new Set<string>();
    const stop = new AbortController();
    const stoppable = { ...run, signal: AbortSignal.any([run.signal, stop.signal]) };
    const { pagesAhead, plansAhead, postsAhead, chunksAhead } = this.paceOf(run);
    const pages = mergeBatches(readAhead(this.itemData(run, stop), pagesAhead, stoppable.signal), pagesAhead);
    const steps = this.splitIntoSteps.split(stoppable, this.pendingItems(stoppable, pages, select));
    const prepared = readAhead(this.prepareSteps(stoppable, steps), plansAhead);
    const posted = readAhead(this.postPrepared(stoppable, prepared, heldBack), postsAhead);
    const recorded = readAhead(this.recordPosted(posted), chunksAhead);
    try {
      while ((await recorded.next()).done !== true) {
        await this.relayOutbox.deliverAll(run.job, run.lease);
      }
      return { verdict: undefined, heldBack };
    } catch (error) {
      // The other stages finish their current chunk; the first error decides.
      stop.abort(error);
      return { verdict: verdictFor(stop.signal.reason), heldBack };
    } finally {
      await recorded.return();
    }
  }

  /** Data fetched before an error is still exported, unless the job is closed: then nothing more may be posted. */
  private async *itemData(run: JobRun, stop: AbortController): Stage<readonly FetchedItem[]> {
    try {
      yield* this.platformApi.exportItemPages(this.auth(run), run.job.id, run.job.numberOfItems);
    } catch (error) {
      if (error instanceof PlatformRefusal && error.status === 422 && JOB_ENDING_REFUSALS[error.type] === undefined) {
        stop.abort(new JobClosed('the platform gives no more item data for this job', { cause: error }));
      }
      throw error;
    }
  }

  private async *pendingItems(
    run: JobRun,
    pages: Stage<readonly (readonly FetchedItem[])[]>,
    select: Selection,
  ): Stage<readonly ChunkItem[]> {
    for await (const fetched of pages) {
      const pending = await select(fetched.flat());
      run.signal.throwIfAborted();
      if (pending === undefined || !this.hasTime(run)) {
        return;
      }
      if (pending.length > 0) {
        yield pending;
      }
    }
  }

  private async *prepareSteps(run: JobRun, steps: Stage<readonly ChunkItem[]>): Stage<PreparedChunk> {
    for await (const items of steps) {
      run.signal.throwIfAborted();
      if (!this.hasTime(run)) {
        return;
      }
      const attributes = { items: items.length };
      yield await inSpan('prepare chunk', { attributes }, () => this.prepareChunk.prepare(run, items));
    }
  }

  /**
   * Records a chunk while the next one is posted, and always before this stage ends, so that no outcome is left unrecorded.
   * Yields for each chunk a promise of its recording.
   * @param heldBack receives the items that have no result then
   */
  private async *postPrepared(
    run: JobRun,
    prepared: Stage<readonly PreparedChunk[]>,
    heldBack: Set<string>,
  ): Stage<{ readonly recorded: Promise<void> }> {
    let recorded = Promise.resolve();
    try {
      for await (const each of flatten(prepared)) {
        run.signal.throwIfAborted();
        if (!this.hasTime(run)) {
          return;
        }
        let chunk: PreparedChunk | undefined = each;
        while (chunk !== undefined) {
          const posted = await this.postInSpan(run, chunk);
          recorded = this.recordAfter(recorded, run, posted, heldBack);
          // Awaited below: an error of the next chunk must not leave it unhandled.
          recorded.catch(() => undefined);
          if (posted.failure !== undefined || posted.outdated.size > 0) {
            await recorded;
          }
          chunk = await this.prepareOutdated(run, posted);
        }
        yield { recorded };
      }
    } finally {
      await recorded;
    }
  }

  private async postInSpan(run: JobRun, chunk: PreparedChunk): Promise<PostedChunk> {
    return inSpan('post chunk', { attributes: { items: chunk.items.length } }, () => this.postChunk.post(run, chunk));
  }

  /** Items that were refused by outdated master data, planned once more by what is read now. @returns undefined without any */
  private async prepareOutdated(run: JobRun, { chunk, outdated }: PostedChunk): Promise<PreparedChunk | undefined> {
    if (outdated.size === 0) {
      return undefined;
    }
    run.masterData.expireReusedMasterData();
    const items = chunk.items.filter(({ accountingEntryId }) => outdated.has(accountingEntryId));
    return this.prepareChunk.prepare(run, items);
  }

  /** Yields when a chunk is recorded and its results wait to be reported. */
  private async *recordPosted(posted: Stage<readonly { readonly recorded: Promise<void> }[]>): Stage<void> {
    for await (const { recorded } of flatten(posted)) {
      await recorded;
      yield;
    }
  }

  private async recordAfter(
    before: Promise<void>,
    run: JobRun,
    posted: PostedChunk,
    heldBack: Set<string>,
  ): Promise<void> {
    await before;
    const attributes = { items: posted.chunk.items.length };
    for (const id of await inSpan('record chunk', { attributes }, () => this.postChunk.record(run, posted))) {
      heldBack.add(id);
    }
  }

  private hasTime(run: JobRun): boolean {
    return mayPost(run.job, this.platformApi.platformNow());
  }

  private auth(run: JobRun) {
    return this.platformAccess.authorizationFor(run.job.installationId, requesterOf(run.job));
  }
}

/** @throws whatever does not end the job by itself */
function verdictFor(error: unknown): FailedVerdict {
  const failureReasonType = error instanceof PlatformRefusal ? JOB_ENDING_REFUSALS[error.type] : undefined;
  if (error instanceof PlatformRefusal && failureReasonType !== undefined) {
    return failedVerdict(failureReasonType, message('reason.job.platform-refused', { text: error.message }));
  }
  throw error;
}
