// Sends results and events of a job to the platform.
import { Injectable } from '@nestjs/common';
import { requestedPauseMs } from '../../../foundation/http/client/retry-after.js';
import { AppLogger } from '../../../foundation/logging/app-logger.js';
import { Clock } from '../../../kernel/clock.js';
import { PlatformAccess } from '../../installations/credentials/platform-access.js';
import { PlatformApi, type ReportedItem, type JobEvent } from '../../platform/platform-api.js';
import { InvalidPlatformResponse, isNotFound, isTransient, PlatformRefusal } from '../../platform/platform-error.js';
import { isRetryableSoon, type PlatformAuthorization } from '../../platform/platform-http.js';
import type { ItemUpdateResponse, PlatformExportJob } from '../../platform/platform.schema.js';
import { mayPost } from '../domain/deadline.js';
import { isEndedByOthers, type ExportJob } from '../domain/export-job.js';
import { requesterOf } from '../domain/lanes.js';
import { hasEnded } from '../run/platform-job.js';
import { JobClosed } from '../run/run-interruptions.js';
import { IssueLinks } from './issue-links.js';

/** No further attempt will succeed (P1.6). */
const UNKNOWN_ENTRY = 'ACCOUNTING_ENTRY_DOES_NOT_EXIST';
/** The platform refuses requests for its sake, and takes others, or there is no time for another attempt. */
const REFUSED = 'RESULT_REFUSED';
/** Single results in a row, of a refused request: a platform that takes none of them is not asked about the rest. */
const MAX_REFUSED_IN_A_ROW = 5;
/** For one event or result that the platform does not accept. */
const MAX_ATTEMPTS = 3;
const PAUSE_MS = 1_000;

const STATUS_AFTER: Readonly<Record<JobEvent['event'], string>> = {
  started: 'in_progress',
  completed: 'completed',
  completed_with_errors: 'completed_with_errors',
  failed: 'failed',
};

type ItemError = ItemUpdateResponse['errors'][number];
/** By accounting entry. */
type ItemErrors = ReadonlyMap<string, ItemError>;
/** What is found of the results of a refused request. */
interface RefusalSearch {
  readonly errors: Map<string, ItemError>;
  taken: number;
  refusedInARow: number;
}

type EventfulJob = Pick<ExportJob, 'id' | 'installationId'>;

@Injectable()
export class ReportToPlatform {
  constructor(
    private readonly platformAccess: PlatformAccess,
    private readonly platformApi: PlatformApi,
    private readonly issueLinks: IssueLinks,
    private readonly clock: Clock,
    private readonly appLogger: AppLogger,
  ) {}

  /**
   * A 200 does not mean that every result was accepted: rejected and unmentioned ones are sent again, unless the platform does not
   * know the entry. Results for which the platform refuses a request count as not accepted where it takes others. One that refuses all of
   * them may take them later; once nothing may be posted any more they count as not accepted, too, so that the job has its verdict before
   * it expires.
   * @returns by accounting entry, why the platform finally did not accept the result
   * @throws JobClosed, PlatformRefusal, NoResponse, AuthorizationLost
   */
  async sendItems(job: ExportJob, results: readonly ReportedItem[]): Promise<ReadonlyMap<string, string>> {
    const problems = new Map<string, string>();
    let open = await this.issueLinks.addTo(job.installationId, results);
    for (let attempt = 1; open.length > 0; attempt += 1) {
      const errors = await this.updateInTime(job, open);
      for (const { accountingEntryId } of open) {
        problems.delete(accountingEntryId);
      }
      for (const [id, { type, message }] of errors) {
        problems.set(id, `${type}: ${message}`);
      }
      open = open.filter(({ accountingEntryId }) => {
        const type = errors.get(accountingEntryId)?.type;
        return type !== undefined && type !== UNKNOWN_ENTRY && type !== REFUSED && attempt < MAX_ATTEMPTS;
      });
      if (open.length > 0) {
        await this.clock.sleep(attempt * PAUSE_MS);
      }
    }
    if (problems.size > 0) {
      this.appLogger.of('exports').warn({ exportJobId: job.id, items: [...problems] }, 'export_item.report_refused');
    }
    return problems;
  }

  /**
   * The same once, for results that are reported again: what is rejected now may be sent with the next comparison.
   * @throws as `sendItems`
   */
  async sendItemsOnce(job: EventfulJob, results: readonly ReportedItem[]): Promise<ReadonlyMap<string, string>> {
    const linked = await this.issueLinks.addTo(job.installationId, results);
    const errors = await this.updateItems(job, linked, 'connector');
    return new Map([...errors].map(([id, { type, message }]) => [id, `${type}: ${message}`]));
  }

  /**
   * Sends an event until the platform says that it has it. After an inconclusive response the job is fetched before another attempt.
   * @returns no problems: an event is accepted or it throws
   * @throws JobClosed, PlatformRefusal, NoResponse, InvalidPlatformResponse, AuthorizationLost
   */
  async sendEvent(job: EventfulJob, event: JobEvent): Promise<ReadonlyMap<string, string>> {
    const auth = this.platformAccess.authorizationFor(job.installationId, 'exports');
    for (let attempt = 1; ; attempt += 1) {
      const inconclusive = await this.attemptEvent(auth, job, event);
      if (inconclusive === undefined) {
        return new Map();
      }
      const platformJob = await this.platformApi.getExportJob(auth, job.id);
      if (isAfter(event, platformJob)) {
        return new Map();
      }
      if (hasEnded(platformJob) || isRefused(inconclusive)) {
        // The job was ended otherwise, or its state does not allow the event.
        throw new JobClosed(`the platform says the job is ${platformJob.status}`, { cause: inconclusive });
      }
      if (attempt === MAX_ATTEMPTS) {
        throw inconclusive;
      }
      await this.clock.sleep(Math.max(attempt * PAUSE_MS, requestedPauseMs(inconclusive)));
    }
  }

  /**
   * @returns undefined when the platform has accepted the event; else an inconclusive error, or a refusal because an earlier attempt
   *   may have been accepted
   */
  private async attemptEvent(
    auth: PlatformAuthorization,
    job: EventfulJob,
    event: JobEvent,
  ): Promise<Error | undefined> {
    try {
      await this.platformApi.sendJobEvent(auth, job.id, event);
      return undefined;
    } catch (error) {
      if (error instanceof Error && (isRetryableSoon(error) || isRefused(error))) {
        return error;
      }
      throw error;
    }
  }

  /**
   * As `updateItems`; a refusal by a platform that has the job open is the error of each result that causes it, if the platform takes
   * others, or nothing may be posted any more.
   */
  private async updateInTime(job: ExportJob, results: readonly ReportedItem[]): Promise<ItemErrors> {
    try {
      return await this.updateItems(job, results, requesterOf(job));
    } catch (error) {
      const refusal = refusalIn(error);
      const hasTime = mayPost(job, this.platformApi.platformNow());
      // The caller asks whether a job is closed that seems to be.
      const mayBeClosed = error instanceof JobClosed && hasTime;
      if (refusal === undefined || mayBeClosed || !(await this.isOpen(job))) {
        throw error;
      }
      const search: RefusalSearch = { errors: new Map(), taken: 0, refusedInARow: 0 };
      await this.findRefused(job, results, refusal, search);
      if (search.taken === 0 && hasTime) {
        throw error;
      }
      return search.errors;
    }
  }

  /** Of results that are refused together, each half is sent by itself, down to the results that are at fault. */
  private async findRefused(
    job: ExportJob,
    results: readonly ReportedItem[],
    refusal: string,
    search: RefusalSearch,
  ): Promise<void> {
    const isGivenUp = () => search.refusedInARow >= MAX_REFUSED_IN_A_ROW;
    if (results.length === 1 || isGivenUp()) {
      search.refusedInARow += 1;
      results.forEach(({ accountingEntryId }) => {
        const error = { accountingEntryId, type: REFUSED, message: refusal };
        search.errors.set(accountingEntryId.toLowerCase(), error);
      });
      return;
    }
    const middle = Math.ceil(results.length / 2);
    for (const half of [results.slice(0, middle), results.slice(middle)]) {
      const response = isGivenUp() ? { refusal } : await this.tryUpdate(job, half);
      if ('refusal' in response) {
        await this.findRefused(job, half, response.refusal, search);
      } else {
        search.taken += half.length;
        search.refusedInARow = 0;
        response.errors.forEach((error, id) => search.errors.set(id, error));
      }
    }
  }

  /** @returns the errors of the response, or why the platform refused the request */
  private async tryUpdate(
    job: ExportJob,
    results: readonly ReportedItem[],
  ): Promise<{ readonly errors: ItemErrors } | { readonly refusal: string }> {
    try {
      return { errors: await this.updateItems(job, results, requesterOf(job)) };
    } catch (error) {
      const refusal = refusalIn(error);
      if (refusal === undefined) {
        throw error;
      }
      return { refusal };
    }
  }

  private async isOpen({ installationId, id }: EventfulJob): Promise<boolean> {
    const auth = this.platformAccess.authorizationFor(installationId, 'exports');
    return !hasEnded(await this.platformApi.getExportJob(auth, id));
  }

  /** @returns the errors of the response, by accounting entry */
  private async updateItems(
    job: EventfulJob,
    results: readonly ReportedItem[],
    requester: PlatformAuthorization['requester'],
  ): Promise<ItemErrors> {
    try {
      const auth = this.platformAccess.authorizationFor(job.installationId, requester);
      const { data, errors } = await this.platformApi.updateJobItems(auth, job.id, results);
      const taken = new Set(data.map(({ accountingEntryId }) => accountingEntryId.toLowerCase()));
      const unmentioned = results.filter(({ accountingEntryId }) => !taken.has(accountingEntryId)).map(toUnmentioned);
      return new Map([...unmentioned, ...errors].map((error) => [error.accountingEntryId.toLowerCase(), error]));
    } catch (error) {
      if (isRefused(error) || isNotFound(error)) {
        throw new JobClosed('the platform takes no more item results for this job', { cause: error });
      }
      throw error;
    }
  }
}

/**
 * @returns the platform's words where it refuses what was sent, or what is wrong with a response that cannot be read; undefined for
 *   a failure that may pass
 */
function refusalIn(error: unknown): string | undefined {
  const cause = error instanceof JobClosed ? error.cause : error;
  const isRefusal = cause instanceof PlatformRefusal && !isTransient(cause) && !isAboutAccess(cause);
  return isRefusal || cause instanceof InvalidPlatformResponse ? cause.message : undefined;
}

function isAboutAccess({ status }: PlatformRefusal): boolean {
  return status === 401 || status === 403;
}

function toUnmentioned({ accountingEntryId }: ReportedItem): ItemError {
  return { accountingEntryId, type: 'NOT_CONFIRMED', message: 'the platform does not mention it' };
}

function isAfter({ event }: JobEvent, { status, failureReasonType }: PlatformExportJob): boolean {
  return status === STATUS_AFTER[event] && !isEndedByOthers(failureReasonType);
}

function isRefused(error: unknown): boolean {
  return error instanceof PlatformRefusal && error.status === 422;
}
