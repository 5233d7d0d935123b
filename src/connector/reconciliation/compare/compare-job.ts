// Compares one job in all three sources, following the platform's list page by page.
import { Injectable } from '@nestjs/common';
import { isFinal } from '../../exports/domain/state-transitions.js';
import { PlatformAccess } from '../../installations/credentials/platform-access.js';
import { PlatformApi } from '../../platform/platform-api.js';
import { isNotFound } from '../../platform/platform-error.js';
import type { PlatformExportJob } from '../../platform/platform.schema.js';
import { CompareJobAsWhole } from './compare-job-as-whole.js';
import { CompareJobEntries } from './compare-job-entries.js';
import { JobTotals } from '../domain/job-totals.js';
import { PositionSet } from '../domain/position-set.js';
import type { PlatformItem } from '../domain/compared-sources.js';
import { AdvanceRun } from '../advance-run.js';
import { RunStopped } from '../../runs/run-interruptions.js';
import type { ReconciliationScope } from './load-reconciliation-scope.js';
import { ExportRecordReader } from '../../exports/stores/export-record.reader.js';
import type { JobRecord } from '../../exports/stores/export-record.js';

/** Entries that are compared together: as many keys as one request to the ERP takes. */
const CHUNK = 500;

/** State of a comparison, page by page. */
interface Tally {
  readonly seen: PositionSet;
  readonly totals: JobTotals;
}

@Injectable()
export class CompareJob {
  constructor(
    private readonly platformAccess: PlatformAccess,
    private readonly platformApi: PlatformApi,
    private readonly exportRecordReader: ExportRecordReader,
    private readonly compareJobEntries: CompareJobEntries,
    private readonly compareJobAsWhole: CompareJobAsWhole,
    private readonly advanceRun: AdvanceRun,
  ) {}

  /**
   * A job that has not ended in the record is skipped: it is half-written (H14).
   * @throws RunPostponed, RunStopped, LeaseLost, ErpUnavailable, PlatformRefusal, NoResponse
   */
  async compare(scope: ReconciliationScope, job: JobRecord): Promise<void> {
    if (!isFinal(job.state)) {
      return;
    }
    const platformJob = await this.compareJobAsWhole.startIfPending(scope, job, await this.readJob(scope, job));
    const tally = { seen: new PositionSet(job.lastPosition), totals: new JobTotals() };
    if (platformJob !== undefined) {
      await this.compareListed(scope, job, platformJob.status, tally);
    }
    await this.compareRest(scope, job, platformJob?.status, tally);
    // After its items: the platform accepts no more results once it has the verdict.
    await this.compareJobAsWhole.compareJob(scope, job, platformJob, tally.totals);
  }

  private async readJob({ run }: ReconciliationScope, job: JobRecord): Promise<PlatformExportJob | undefined> {
    try {
      return await this.platformApi.getExportJob(this.platformAccess.authorizationFor(run.installationId), job.id);
    } catch (error) {
      if (isNotFound(error)) {
        return undefined;
      }
      throw error;
    }
  }

  private async compareListed(
    scope: ReconciliationScope,
    job: JobRecord,
    jobStatus: string,
    tally: Tally,
  ): Promise<void> {
    const auth = this.platformAccess.authorizationFor(scope.run.installationId);
    let chunk = new Map<string, PlatformItem>();
    for await (const page of this.platformApi.jobItemPages(auth, job.id)) {
      for (const { accountingEntryId, status, externalId } of page) {
        chunk.set(accountingEntryId, { status, externalId: externalId ?? undefined });
      }
      if (chunk.size >= CHUNK) {
        await this.compareChunk(scope, job, jobStatus, chunk, tally);
        chunk = new Map();
      }
    }
    await this.compareChunk(scope, job, jobStatus, chunk, tally);
  }

  /** Items of the record that the platform has not listed. */
  private async compareRest(
    scope: ReconciliationScope,
    job: JobRecord,
    jobStatus: string | undefined,
    tally: Tally,
  ): Promise<void> {
    for (const positions of tally.seen.missing(CHUNK)) {
      const ids = await this.exportRecordReader.idsAt(scope.run.installationId, job.id, positions);
      const items = new Map(ids.map((id) => [id, undefined]));
      await this.compareChunk(scope, job, jobStatus, items, tally);
    }
  }

  private async compareChunk(
    scope: ReconciliationScope,
    job: JobRecord,
    jobStatus: string | undefined,
    items: ReadonlyMap<string, PlatformItem | undefined>,
    { seen, totals }: Tally,
  ): Promise<void> {
    if (scope.stopping.aborted) {
      throw new RunStopped('the worker stops');
    }
    if (items.size === 0) {
      return;
    }
    const positions = await this.compareJobEntries.compareAndRepair(scope, job, { jobStatus, items }, totals);
    for (const position of positions) {
      seen.add(position);
    }
    await this.advanceRun.advance(scope.run, { items: items.size });
  }
}
