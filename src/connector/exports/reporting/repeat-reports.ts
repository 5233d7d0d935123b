// Repeats reports that the platform has accepted and lost.
import { Injectable } from '@nestjs/common';
import { AppLogger } from '../../../foundation/logging/app-logger.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { Clock } from '../../../kernel/clock.js';
import { toExportJobId, type InstallationId } from '../../../kernel/ids.js';
import { ITEM_UPDATE_LIMIT, type ReportedItem, type JobEvent } from '../../platform/platform-api.js';
import { JobClosed } from '../run/run-interruptions.js';
import { ReportToPlatform } from './report-to-platform.js';
import { ReportedResultRepository } from './reported-result.repository.js';

/** How long a job may take to show a final event that the platform has accepted: a second one would be one too many. */
const VERDICT_SHOWS_MS = 60_000;

@Injectable()
export class RepeatReports {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly reportedResultRepository: ReportedResultRepository,
    private readonly reportToPlatform: ReportToPlatform,
    private readonly clock: Clock,
    private readonly appLogger: AppLogger,
  ) {}

  /**
   * Repeating a result has no other effect.
   * @param ids accounting entries; those without a result are left out
   * @returns by accounting entry, why the platform has not taken its result
   * @throws PlatformRefusal, NoResponse, AuthorizationLost
   */
  async repeatResults(
    installationId: InstallationId,
    jobId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const problems = new Map<string, string>();
    for (let start = 0; start < ids.length; start += ITEM_UPDATE_LIMIT) {
      const chunk = ids.slice(start, start + ITEM_UPDATE_LIMIT);
      const results = await this.tenantDatabase.readOnce('read results', installationId, (tx) =>
        this.reportedResultRepository.results(tx, installationId, jobId, chunk),
      );
      for (const [id, problem] of await this.repeatOnce(installationId, jobId, results)) {
        problems.set(id, problem);
      }
    }
    return problems;
  }

  /** A platform that takes no results of the job at all says the same of each. */
  private async repeatOnce(
    installationId: InstallationId,
    jobId: string,
    results: readonly ReportedItem[],
  ): Promise<Iterable<readonly [string, string]>> {
    try {
      return results.length === 0
        ? []
        : await this.reportToPlatform.sendItemsOnce({ installationId, id: toExportJobId(jobId) }, results);
    } catch (error) {
      if (error instanceof JobClosed) {
        return results.map(({ accountingEntryId }) => [accountingEntryId, error.message] as const);
      }
      throw error;
    }
  }

  /**
   * Sends `started` again to a platform that still has the job as pending: before it accepts no results.
   * @returns false when the platform takes no such event of the job
   * @throws as `ReportToPlatform.sendEvent`, which looks whether the event had its effect where the response does not say so
   */
  async repeatStart(installationId: InstallationId, jobId: string): Promise<boolean> {
    return this.repeatEvent(installationId, jobId, { event: 'started' });
  }

  /**
   * Sends the job's verdict again, if it has one (I10).
   * @returns false as well when it has none
   * @throws as `repeatStart`
   */
  async repeatVerdict(installationId: InstallationId, jobId: string): Promise<boolean> {
    const event = await this.tenantDatabase.readOnce('read verdict', installationId, (tx) =>
      this.reportedResultRepository.verdict(tx, installationId, jobId),
    );
    return event !== undefined && this.repeatEvent(installationId, jobId, event);
  }

  /**
   * Sends the verdicts of jobs again that ended here a while ago and that the platform still shows as open: "accepted" does not
   * mean "done". What it does not take now is logged, and sent again after its next list.
   * @param ids jobs that the platform has just listed as in progress
   */
  async repeatLostVerdicts(installationId: InstallationId, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) {
      return;
    }
    const endedBefore = new Date(this.clock.now().getTime() - VERDICT_SHOWS_MS);
    const lost = await this.tenantDatabase.readOnce('read lost verdicts', installationId, (tx) =>
      this.reportedResultRepository.verdictsOf(tx, installationId, ids, endedBefore),
    );
    for (const { jobId, event } of lost) {
      const err: unknown = await this.repeatEvent(installationId, jobId, event).then(
        () => undefined,
        (error: unknown) => error,
      );
      this.appLogger.of('exports').warn({ installationId, exportJobId: jobId, err }, 'export_job.verdict_repeated');
    }
  }

  private async repeatEvent(installationId: InstallationId, jobId: string, event: JobEvent): Promise<boolean> {
    try {
      await this.reportToPlatform.sendEvent({ installationId, id: toExportJobId(jobId) }, event);
      return true;
    } catch (error) {
      if (error instanceof JobClosed) {
        return false;
      }
      throw error;
    }
  }
}
