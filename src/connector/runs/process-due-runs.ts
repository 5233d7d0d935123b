// The due runs of an installation, one after the other: claim, execute under a renewed lease, and decide what comes after.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { requestedPauseMs } from '../../foundation/http/client/retry-after.js';
import { AppLogger } from '../../foundation/logging/app-logger.js';
import type { Logger } from '../../foundation/logging/logger.js';
import { Clock } from '../../kernel/clock.js';
import type { InstallationId } from '../../kernel/ids.js';
import { decideNextRun, USUAL_PATIENCE, type Interruption, type Patience } from './domain/next-run.js';
import { LeaseLost, whileRenewed, type Ownership } from './lease.js';
import type { RunLease } from './domain/run-lease.js';
import type { LeasedRunRepository } from './leased-run.repository.js';
import { RunPostponed, RunStopped } from './run-interruptions.js';

/** What one feature's runs do, and what their errors mean. */
export interface RunFeature<Run extends RunLease, Result> {
  /** Part of the program, in the log. */
  readonly part: string;
  /** In log events and transaction labels. */
  readonly name: string;
  readonly repository: LeasedRunRepository<Run>;
  /** @throws RunStopped, RunPostponed, LeaseLost, and errors that `failureOf` knows or another attempt may not meet */
  executeRun(run: Run, ownership: Ownership): Promise<Result>;
  /** After the last renewal. @throws LeaseLost */
  complete(run: Run, result: Result): Promise<void>;
  /** @returns for an error that no other attempt can get around, what a person has to do */
  failureOf(error: unknown, run: Run): string | undefined;
  /** @returns what a person has to do after the last attempt */
  finalFailureOf(error: unknown, run: Run): string;
  /** Unset: as usual. */
  patienceOf?(run: Run): Patience;
  /** Ends the run as failed. @throws LeaseLost */
  fail(run: Run, failure: string): Promise<void>;
  /** An attempt failed and another one follows. */
  recordInterruption?(): void;
}

@Injectable()
export class ProcessDueRuns {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly clock: Clock,
    private readonly appLogger: AppLogger,
  ) {}

  /**
   * Returns at once when other workers own all due runs.
   * @param stopping fires when the process stops
   */
  async processDue<Run extends RunLease, Result>(
    feature: RunFeature<Run, Result>,
    installationId: InstallationId,
    stopping: AbortSignal,
  ): Promise<void> {
    while (!stopping.aborted) {
      const claimedAtMs = this.clock.monotonicMs();
      const run = await this.tenantDatabase.inInstallation(`claim ${feature.name}`, installationId, (tx) =>
        feature.repository.claimNext(tx, installationId),
      );
      if (run === undefined) {
        return;
      }
      await this.processOne(feature, run, claimedAtMs, stopping);
    }
  }

  private async processOne<Run extends RunLease, Result>(
    feature: RunFeature<Run, Result>,
    run: Run,
    claimedAtMs: number,
    stopping: AbortSignal,
  ): Promise<void> {
    const { installationId, id, kind, attempts } = run;
    const log = this.appLogger.of(feature.part).child({ installationId, runId: id, kind, attempt: attempts });
    try {
      if (attempts > patienceOf(feature, run).maxAttempts) {
        throw new Error('the worker of the last attempt died before it could say how that ended');
      }
      const result = await this.executeRenewed(feature, run, claimedAtMs, stopping);
      await feature.complete(run, result);
      log.info(`${feature.name}.completed`);
    } catch (error) {
      await this.handleInterruption(feature, run, error, log).catch((failure: unknown) => {
        if (!isLost(failure, run)) {
          throw failure;
        }
      });
    }
  }

  private async executeRenewed<Run extends RunLease, Result>(
    feature: RunFeature<Run, Result>,
    run: Run,
    claimedAtMs: number,
    stopping: AbortSignal,
  ): Promise<Result> {
    const { repository, name } = feature;
    const renew = () =>
      this.tenantDatabase.inInstallation(`renew ${name}`, run.installationId, (tx) => repository.renew(tx, run));
    const { leaseSeconds } = repository;
    const renewal = { lease: run, leaseSeconds, claimedAtMs, subject: `run ${run.id}`, renew };
    return whileRenewed(this.clock, renewal, stopping, (ownership) => feature.executeRun(run, ownership));
  }

  private async handleInterruption<Run extends RunLease, Result>(
    feature: RunFeature<Run, Result>,
    run: Run,
    error: unknown,
    log: Logger,
  ): Promise<void> {
    const interruption = classify(feature, run, error);
    const patience = patienceOf(feature, run);
    const next = decideNextRun(interruption, run.attempts, patience);
    if (interruption.kind !== 'error') {
      log.info({ reason: error instanceof Error ? error.message : undefined }, `${feature.name}.${interruption.kind}`);
    }
    switch (next.kind) {
      case 'none':
        return;
      case 'fail': {
        const level = run.attempts >= patience.maxAttempts ? 'error' : 'warn';
        log[level]({ err: error }, `${feature.name}.failed`);
        return feature.fail(run, next.failure);
      }
      case 'release': {
        const { seconds, isFailure } = next;
        if (isFailure) {
          log.warn({ err: error, seconds }, `${feature.name}.interrupted`);
          feature.recordInterruption?.();
        }
        return this.tenantDatabase.inInstallation(`release ${feature.name}`, run.installationId, (tx) =>
          feature.repository.release(tx, run, seconds, isFailure),
        );
      }
    }
  }
}

function patienceOf<Run extends RunLease, Result>(feature: RunFeature<Run, Result>, run: Run): Patience {
  return feature.patienceOf?.(run) ?? USUAL_PATIENCE;
}

function classify<Run extends RunLease, Result>(
  feature: RunFeature<Run, Result>,
  run: Run,
  error: unknown,
): Interruption {
  if (isLost(error, run)) {
    return { kind: 'lease-lost' };
  }
  if (error instanceof RunStopped) {
    return { kind: 'stopped' };
  }
  if (error instanceof RunPostponed) {
    return { kind: 'postponed', seconds: error.seconds };
  }
  return {
    kind: 'error',
    failure: feature.failureOf(error, run),
    finalFailure: feature.finalFailureOf(error, run),
    retryAfterSeconds: requestedPauseMs(error) / 1_000,
  };
}

/** A run may lose the company's lease as well; that is an error like others. */
function isLost(error: unknown, run: RunLease): boolean {
  return error instanceof LeaseLost && error.lease === run;
}
