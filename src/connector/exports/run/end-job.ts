import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { Clock } from '../../../kernel/clock.js';
import { message } from '../../../kernel/message.js';
import { AuthorizationLost } from '../../platform/platform-error.js';
import type { PlatformExportJob } from '../../platform/platform.schema.js';
import type { CompanyLease } from '../stores/company-lease.repository.js';
import { budgetAt } from '../domain/deadline.js';
import { isEndedByOthers, type ExportJob } from '../domain/export-job.js';
import { isFinal, type FinalState } from '../domain/state-transitions.js';
import { failedVerdict, type FailedVerdict } from '../domain/verdict.js';
import { RelayOutbox } from '../reporting/relay-outbox.js';
import { observeJobEnd } from '../exports.metrics.js';
import { fenced } from '../stores/fenced.js';
import { ExportJobRepository } from '../stores/export-job.repository.js';
import { OutboxRepository, type OutboxMessage } from '../reporting/outbox.repository.js';
import { hasEnded, hasExpired, LIFETIME_SECONDS } from './platform-job.js';
import { PlatformJobs } from './platform-jobs.js';

/** Writes the final state of a job. */
@Injectable()
export class EndJob {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly exportJobRepository: ExportJobRepository,
    private readonly outboxRepository: OutboxRepository,
    private readonly relayOutbox: RelayOutbox,
    private readonly platformJobs: PlatformJobs,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends the rest of the outbox, the verdict last, and gives the job its final state.
   * @param verdict given when it is the only message that waits
   * @throws JobClosed, PlatformRefusal, NoResponse, AuthorizationLost, LeaseLost: the job stays open
   */
  async deliverVerdict(job: ExportJob, lease: CompanyLease, verdict: OutboxMessage | undefined): Promise<void> {
    if (verdict?.kind !== 'verdict') {
      await this.relayOutbox.deliverAll(job, lease);
      await this.finish(job, lease, async (tx) => (await this.outboxRepository.findVerdict(tx, job))?.event);
      return;
    }
    const { seq, body } = verdict;
    await this.relayOutbox.send(job, body);
    await this.finish(job, lease, (tx) => {
      this.outboxRepository.markDelivered(tx, job, [seq], this.clock.now());
      return Promise.resolve(body.event === 'started' ? undefined : body.event);
    });
  }

  /** The platform has ended the job: by our verdict, although its response was lost, by expiry, or by a user. */
  async finishClosedByPlatform(
    job: ExportJob,
    lease: CompanyLease,
    platformJob: PlatformExportJob | undefined,
  ): Promise<void> {
    await this.finish(job, lease, async (tx) => {
      const verdict = await this.outboxRepository.findVerdict(tx, job);
      const { status, failureReasonType } = platformJob ?? {};
      if (verdict !== undefined && verdict.event === status && !isEndedByOthers(failureReasonType)) {
        this.outboxRepository.markDelivered(tx, job, [verdict.seq], this.clock.now());
        return verdict.event;
      }
      return platformJob !== undefined && hasExpired(platformJob) ? 'expired' : 'closed_by_platform';
    });
  }

  /**
   * Finishes the job if the platform has ended it.
   * @throws PlatformRefusal, NoResponse, AuthorizationLost
   */
  async finishIfClosed(job: ExportJob, lease: CompanyLease): Promise<boolean> {
    const platformJob = await this.platformJobs.fetch(job);
    const isClosed = platformJob === undefined || hasEnded(platformJob);
    if (isClosed) {
      await this.finishClosedByPlatform(job, lease, platformJob);
    }
    return isClosed;
  }

  /**
   * For a platform that does not respond. Each message it has accepted may have moved the end it last stated, so the job expires
   * here only when an hour has passed since the last one, too.
   * @param error why the last attempt could not send the verdict
   */
  async finishIfExpired(job: ExportJob, lease: CompanyLease, platformNow: Date, error: unknown): Promise<boolean> {
    const lastAction = await this.tenantDatabase.readOnce('last action', job.installationId, (tx) =>
      this.exportJobRepository.lastActionAt(tx, job),
    );
    const latestEnd = Math.max(job.expiresAt.getTime(), (lastAction?.getTime() ?? 0) + LIFETIME_SECONDS * 1_000);
    const isOver = budgetAt(new Date(latestEnd), platformNow) === 'over';
    if (isOver) {
      await this.finish(job, lease, () => Promise.resolve('expired'), undeliveredVerdict(error));
    }
    return isOver;
  }

  private async finish(
    job: ExportJob,
    lease: CompanyLease,
    decide: (tx: Tx) => Promise<FinalState | undefined>,
    failure?: FailedVerdict,
  ): Promise<void> {
    const ended = await fenced(this.tenantDatabase, 'end job', lease, async (tx) => {
      const state = await decide(tx);
      const current = await this.exportJobRepository.find(tx, job.installationId, job.id);
      if (state === undefined || current === undefined || isFinal(current.state)) {
        return undefined;
      }
      const seconds = await this.exportJobRepository.finishLast(tx, job, state, this.clock.now(), failure);
      return { state, seconds };
    });
    if (ended !== undefined) {
      observeJobEnd(ended.state, ended.seconds);
    }
  }
}

/** For the administrator: why the platform did not get the verdict. */
function undeliveredVerdict(error: unknown): FailedVerdict | undefined {
  return error instanceof AuthorizationLost
    ? failedVerdict('authorization_failure', message('reason.job.verdict-not-sent'))
    : undefined;
}
