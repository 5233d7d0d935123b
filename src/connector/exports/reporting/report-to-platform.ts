// Sends results and events of a job to the platform.
import { Injectable } from '@nestjs/common';
import { AppLogger } from '../../../foundation/logging/app-logger.js';
import { Clock } from '../../../kernel/clock.js';
import { PlatformAccess } from '../../installations/credentials/platform-access.js';
import { PlatformApi, type ItemResult, type JobEvent } from '../../platform/platform-api.js';
import { PlatformRefusal } from '../../platform/platform-error.js';
import type { ItemUpdateResponse } from '../../platform/platform.schema.js';
import { isEndedByOthers, type ExportJob } from '../domain/export-job.js';
import { requesterOf } from '../domain/lanes.js';
import { JobClosed } from '../run/run-interruptions.js';

/** The platform will not know the entry at the next attempt either (P1.6). */
const UNKNOWN_ENTRY = 'ACCOUNTING_ENTRY_DOES_NOT_EXIST';
/** Of one result that the platform does not accept. */
const MAX_ATTEMPTS = 3;
const PAUSE_MS = 1_000;

const STATUS_AFTER: Readonly<Record<JobEvent['event'], string>> = {
  started: 'in_progress',
  completed: 'completed',
  completed_with_errors: 'completed_with_errors',
  failed: 'failed',
};

@Injectable()
export class ReportToPlatform {
  constructor(
    private readonly platformAccess: PlatformAccess,
    private readonly platformApi: PlatformApi,
    private readonly clock: Clock,
    private readonly appLogger: AppLogger,
  ) {}

  /**
   * A 200 alone does not mean that every result was accepted: those that were not are sent again, unless the platform does
   * not know the entry at all.
   * @returns by accounting entry, why the platform did not accept the result in the end
   * @throws JobClosed, PlatformRefusal, NoResponse, AuthorizationLost
   */
  async sendItems(job: ExportJob, results: readonly ItemResult[]): Promise<ReadonlyMap<string, string>> {
    const problems = new Map<string, string>();
    let open = results;
    for (let attempt = 1; open.length > 0; attempt += 1) {
      const errors = await this.updateItems(job, open);
      for (const { accountingEntryId } of open) {
        problems.delete(accountingEntryId);
      }
      for (const [id, { type, message }] of errors) {
        problems.set(id, `${type}: ${message}`);
      }
      open = open.filter(({ accountingEntryId }) => {
        const type = errors.get(accountingEntryId)?.type;
        return type !== undefined && type !== UNKNOWN_ENTRY && attempt < MAX_ATTEMPTS;
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
   * @returns no problems: an event is accepted or it throws
   * @throws JobClosed, PlatformRefusal, NoResponse, AuthorizationLost
   */
  async sendEvent(job: ExportJob, event: JobEvent): Promise<ReadonlyMap<string, string>> {
    const auth = this.platformAccess.authorizationFor(job.installationId);
    try {
      await this.platformApi.sendJobEvent(auth, job.id, event);
    } catch (error) {
      if (!(error instanceof PlatformRefusal && error.status === 422)) {
        throw error;
      }
      // Either an earlier attempt was accepted and its response lost, or the job was ended otherwise.
      const { status, failureReasonType } = await this.platformApi.getExportJob(auth, job.id);
      if (status !== STATUS_AFTER[event.event] || isEndedByOthers(failureReasonType)) {
        throw new JobClosed(`the platform says the job is ${status}`, { cause: error });
      }
    }
    return new Map();
  }

  /** @returns the errors of the response, by accounting entry */
  private async updateItems(
    job: ExportJob,
    results: readonly ItemResult[],
  ): Promise<ReadonlyMap<string, ItemUpdateResponse['errors'][number]>> {
    try {
      const auth = this.platformAccess.authorizationFor(job.installationId, requesterOf(job));
      const { errors } = await this.platformApi.updateJobItems(auth, job.id, results);
      return new Map(errors.map((error) => [error.accountingEntryId.toLowerCase(), error]));
    } catch (error) {
      if (error instanceof PlatformRefusal && (error.status === 422 || error.status === 404)) {
        throw new JobClosed('the platform takes no more item results for this job', { cause: error });
      }
      throw error;
    }
  }
}
