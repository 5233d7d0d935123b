import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Bug } from '../../kernel/faults.js';
import type { InstallationId } from '../../kernel/ids.js';
import { message, toStoredText } from '../../kernel/message.js';
import { AuthorizationLost, PlatformRefusal } from '../platform/platform-error.js';
import { USUAL_PATIENCE, type Patience } from '../runs/domain/next-run.js';
import { fencedTransaction, type Ownership } from '../runs/lease.js';
import { ProcessDueRuns, type RunFeature } from '../runs/process-due-runs.js';
import type { SyncProblem } from './domain/sync-plan.js';
import { countActions, type SyncLease, type SyncResult } from './domain/sync-run.js';
import { ExecuteSync } from './execute-sync.js';
import { countSyncProblems, observeSyncEnd } from './reference-data.metrics.js';
import { RequestSyncs } from './request-syncs.js';
import { SyncRecordRepository } from './sync/sync-record.repository.js';
import { SyncBlocked } from './domain/sync-blocked.js';
import { SyncRunRepository, type SyncFailure } from './sync-run.repository.js';

/** A person waits for the numbers: they are written back within a minute of the ERP's recovery, or by the run of the next day. */
const UNTIL_TOMORROW: Patience = { firstSeconds: 5, maxSeconds: 30, maxAttempts: 2_880 };

@Injectable()
export class ProcessDueSyncs implements RunFeature<SyncLease, SyncResult> {
  readonly part = 'reference-data';
  readonly name = 'sync';

  constructor(
    private readonly tenantDatabase: TenantDatabase,
    readonly repository: SyncRunRepository,
    private readonly syncRecordRepository: SyncRecordRepository,
    private readonly executeSync: ExecuteSync,
    private readonly requestSyncs: RequestSyncs,
    private readonly processDueRuns: ProcessDueRuns,
  ) {}

  /**
   * Takes an installation's due runs one after the other, in the order in which they build on each other.
   * @param stopping fires when the process stops
   */
  async processDue(installationId: InstallationId, stopping: AbortSignal): Promise<void> {
    await this.processDueRuns.processDue(this, installationId, stopping);
  }

  async executeRun(run: SyncLease, ownership: Ownership): Promise<SyncResult> {
    return this.executeSync.synchronize(run, ownership);
  }

  async complete(run: SyncLease, { problems, question }: SyncResult): Promise<void> {
    await this.finish(
      run,
      problems,
      question === undefined ? undefined : { state: 'needs_confirmation', text: toStoredText(question) },
    );
  }

  async fail(run: SyncLease, failure: string): Promise<void> {
    await this.finish(run, [], { state: 'failed', text: failure });
  }

  failureOf(error: unknown, { kind }: SyncLease): string | undefined {
    if (error instanceof SyncBlocked) {
      return toStoredText(error.advice);
    }
    if (error instanceof AuthorizationLost) {
      return toStoredText(message('sync.failure.not-authorized'));
    }
    if (error instanceof PlatformRefusal && error.status === 403) {
      return toStoredText(message('sync.failure.not-permitted', { kind: kind === 'vendor-drafts' ? 'vendors' : kind }));
    }
    return error instanceof Bug ? toStoredText(message('sync.failure.internal')) : undefined;
  }

  finalFailureOf(_: unknown, run: SyncLease): string {
    return toStoredText(message('sync.failure.attempts', { count: this.patienceOf(run).maxAttempts }));
  }

  patienceOf({ kind }: SyncLease): Patience {
    return kind === 'vendor-drafts' ? UNTIL_TOMORROW : USUAL_PATIENCE;
  }

  private async finish(
    run: SyncLease,
    problems: readonly SyncProblem[],
    failure: SyncFailure | undefined,
  ): Promise<void> {
    const seconds = await fencedTransaction(this.tenantDatabase, this.repository, 'finish sync', run, async (tx) => {
      await this.syncRecordRepository.addProblems(tx, run, problems);
      await this.repository.addCounts(tx, run, countActions([], problems.length));
      const ended = await this.repository.finish(tx, run, failure);
      if (ended.again !== undefined) {
        // What a person has confirmed for this run is used up with it.
        const isLeft = failure !== undefined || ended.confirmedArchives > run.confirmedArchives;
        const confirmedArchives = isLeft ? ended.confirmedArchives : 0;
        const { isPreview } = run;
        await this.requestSyncs.request(tx, run, [run.kind], ended.again, { isPreview, confirmedArchives });
      }
      return ended.seconds;
    });
    countSyncProblems(run.kind, problems.length);
    observeSyncEnd(run.kind, failure === undefined ? 'completed' : 'failed', seconds);
  }
}
