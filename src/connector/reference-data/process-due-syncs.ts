// Takes an installation's due runs one after the other, in the order they build upon each other.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { Tx } from '../../foundation/database/transaction.js';
import { AppLogger } from '../../foundation/logging/app-logger.js';
import { Clock } from '../../kernel/clock.js';
import { Bug } from '../../kernel/faults.js';
import type { InstallationId } from '../../kernel/ids.js';
import { AuthorizationLost, PlatformRefusal } from '../platform/platform-error.js';
import type { SyncProblem } from './domain/sync-plan.js';
import { countActions, type SyncLease } from './domain/sync-run.js';
import { countSyncProblems, observeSyncEnd } from './reference-data.metrics.js';
import { RequestSyncs } from './request-syncs.js';
import { ExecuteSync, SyncRequeued } from './execute-sync.js';
import { SyncRecordRepository } from './sync/sync-record.repository.js';
import { SYNC_LEASE_SECONDS, SyncLeaseLost, SyncRunRepository } from './sync-run.repository.js';
import { SyncBlocked } from './sync/sync-scope.js';

const RENEW_MS = (SYNC_LEASE_SECONDS * 1_000) / 4;
const MAX_ATTEMPTS = 20;
const FIRST_PAUSE_SECONDS = 15;
const MAX_PAUSE_SECONDS = 900;

@Injectable()
export class ProcessDueSyncs {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly syncRunRepository: SyncRunRepository,
    private readonly syncRecordRepository: SyncRecordRepository,
    private readonly executeSync: ExecuteSync,
    private readonly requestSyncs: RequestSyncs,
    private readonly clock: Clock,
    private readonly appLogger: AppLogger,
  ) {}

  /** Returns at once when other workers have what is due. */
  async processDue(installationId: InstallationId, stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      const lease = await this.tenantDatabase.inInstallation('claim sync', installationId, (tx) =>
        this.syncRunRepository.claimNext(tx, installationId),
      );
      if (lease === undefined) {
        return;
      }
      const close = await this.attempt(lease, stopping);
      await close().catch(unlessLeaseLost);
    }
  }

  /** @returns what ends the attempt; it comes after the last renewal, which would otherwise take the run again */
  private async attempt(lease: SyncLease, stopping: AbortSignal): Promise<() => Promise<void>> {
    const ended = new AbortController();
    const lost = new AbortController();
    const renewal = this.renewUntilEnded(lease, ended.signal, lost);
    try {
      return await this.runOne(lease, AbortSignal.any([stopping, lost.signal]));
    } finally {
      ended.abort();
      await renewal;
    }
  }

  private async runOne(lease: SyncLease, signal: AbortSignal): Promise<() => Promise<void>> {
    const { installationId, id, kind, attempts } = lease;
    const log = this.appLogger
      .of('reference-data')
      .child({ installationId, runId: id, kind, attempt: attempts });
    try {
      const problems = await this.executeSync.synchronize(lease, signal);
      return async () => {
        await this.finish(lease, problems, undefined);
        log.info('sync.completed');
      };
    } catch (error) {
      if (error instanceof SyncLeaseLost) {
        log.warn('sync.taken_over');
        return () => Promise.resolve();
      }
      if (error instanceof SyncRequeued) {
        log.info('sync.requeued');
        return () => this.release(lease, 0, false);
      }
      log.warn({ err: error }, 'sync.attempt_failed');
      return () => this.afterFailure(lease, error);
    }
  }

  /** What only a person can change ends the run; everything else is tried again, after longer and longer pauses. */
  private async afterFailure(lease: SyncLease, error: unknown): Promise<void> {
    const failure = failureText(error, lease);
    if (failure !== undefined) {
      await this.finish(lease, [], failure);
      return;
    }
    const pause = Math.min(MAX_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2 ** (lease.attempts - 1));
    const asked = error instanceof PlatformRefusal ? (error.retryAfterMs ?? 0) / 1_000 : 0;
    await this.release(lease, Math.max(pause, asked), true);
  }

  private async release(lease: SyncLease, seconds: number, hasFailed: boolean): Promise<void> {
    await this.tenantDatabase.inInstallation('give sync back', lease.installationId, (tx) =>
      this.syncRunRepository.release(tx, lease, seconds, hasFailed),
    );
  }

  private async finish(
    lease: SyncLease,
    problems: readonly SyncProblem[],
    failure: string | undefined,
  ): Promise<void> {
    const seconds = await this.tenantDatabase.inInstallation(
      'finish sync',
      lease.installationId,
      async (tx: Tx) => {
        await this.syncRunRepository.assertHeld(tx, lease);
        await this.syncRecordRepository.addProblems(tx, lease, problems);
        await this.syncRunRepository.addCounts(tx, lease, countActions([], problems.length));
        const ended = await this.syncRunRepository.finish(tx, lease, failure);
        if (ended.again !== undefined) {
          await this.requestSyncs.request(tx, lease, [lease.kind], ended.again);
        }
        return ended.seconds;
      },
    );
    countSyncProblems(lease.kind, problems.length);
    observeSyncEnd(lease.kind, failure === undefined ? 'completed' : 'failed', seconds);
  }

  /** Renews the lease until `ended`; says `lost` when it was taken over or cannot be renewed. */
  private async renewUntilEnded(lease: SyncLease, ended: AbortSignal, lost: AbortController): Promise<void> {
    for (;;) {
      await this.clock.sleep(RENEW_MS, ended).catch(() => undefined);
      if (ended.aborted) {
        return;
      }
      const renewed = await this.tenantDatabase
        .inInstallation('renew sync', lease.installationId, (tx) => this.syncRunRepository.renew(tx, lease))
        .catch(() => false);
      if (!renewed) {
        lost.abort(new SyncLeaseLost(`the lease on sync run ${lease.id} could not be renewed`));
        return;
      }
    }
  }
}

/** The new owner goes on; there is nothing left to do here. */
function unlessLeaseLost(error: unknown): void {
  if (!(error instanceof SyncLeaseLost)) {
    throw error;
  }
}

/** @returns what a person can do about it; undefined when another attempt may do better */
function failureText(error: unknown, { kind, attempts }: SyncLease): string | undefined {
  if (error instanceof SyncBlocked) {
    return error.message;
  }
  if (error instanceof AuthorizationLost) {
    return 'The connection to the platform is no longer authorized: connect the company again.';
  }
  if (error instanceof PlatformRefusal && error.status === 403) {
    return `The platform does not let the connector read or write ${kind}: connect the company again, so that it is asked for the permission.`;
  }
  if (error instanceof Bug) {
    return 'The connector made a mistake of its own: tell its operator the number of this run.';
  }
  return attempts >= MAX_ATTEMPTS
    ? `It could not be finished in ${MAX_ATTEMPTS.toString()} attempts: see whether the platform and the accounting system can be reached, then start it again.`
    : undefined;
}
