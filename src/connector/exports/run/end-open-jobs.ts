// Before an installation leaves: its open jobs get a verdict while its credential still works.
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { within } from '../../../foundation/clock/within.js';
import { AppLogger } from '../../../foundation/logging/app-logger.js';
import { Clock } from '../../../kernel/clock.js';
import type { CompanyId, InstallationId } from '../../../kernel/ids.js';
import type { CompanyLease } from '../stores/company-lease.repository.js';
import { ExportStores } from '../stores/export-stores.js';
import type { FailedVerdict } from './give-up.js';
import { RunExportJob } from './run-export-job.js';

/** Leaves most of the half minute of an uninstalling (I32) for what comes after it. */
const LIMIT_MS = 10_000;
/** A worker that has the company notices within a quarter of its lease that it is asked for. */
const CLAIM_PAUSE_MS = 200;
/** A company has one open job as a rule. */
const MOST_JOBS = 20;

const UNINSTALLED: FailedVerdict = {
  event: 'failed',
  failureReasonType: 'authorization_failure',
  failureReason:
    'The connector was uninstalled while this export was open. Connect the company again, then export again; what was posted is not posted twice.',
};

@Injectable()
export class EndOpenJobs {
  constructor(
    private readonly stores: ExportStores,
    private readonly one: RunExportJob,
    private readonly clock: Clock,
    private readonly logger: AppLogger,
  ) {}

  /**
   * Takes at most ten seconds, whatever platform and ERP do: a job that could not be told stays open and expires.
   * What was posted is reported as posted.
   */
  async run(installationId: InstallationId, companyId: CompanyId): Promise<void> {
    const over = new AbortController();
    try {
      await within(LIMIT_MS, 'ending open jobs', this.endAll(installationId, companyId, over.signal));
    } catch (error) {
      this.logger.of('exports').warn({ err: error, installationId }, 'export_job.left_open');
    } finally {
      over.abort();
    }
  }

  private async endAll(
    installationId: InstallationId,
    companyId: CompanyId,
    over: AbortSignal,
  ): Promise<void> {
    const findOpen = () =>
      this.stores.open('find open jobs', installationId, (tx) =>
        this.stores.jobs.findOpen(tx, installationId, companyId, MOST_JOBS),
      );
    if ((await findOpen()).length === 0) {
      return;
    }
    const lease = await this.claim(installationId, companyId, over);
    try {
      // Read again: whoever had the company may have ended some.
      for (const job of await findOpen()) {
        await this.one.refuse(job, lease, UNINSTALLED);
      }
    } finally {
      await this.stores.open('release company', installationId, (tx) =>
        this.stores.leases.release(tx, lease),
      );
    }
  }

  /** @throws the signal's reason when a worker does not give the company up before */
  private async claim(
    installationId: InstallationId,
    companyId: CompanyId,
    over: AbortSignal,
  ): Promise<CompanyLease> {
    for (;;) {
      const lease = await this.stores.open('ask for company', installationId, async (tx) => {
        await this.stores.leases.askFor(tx, installationId, companyId);
        return this.stores.leases.claim(tx, installationId, companyId, randomUUID());
      });
      if (lease !== undefined) {
        return lease;
      }
      await this.clock.sleep(CLAIM_PAUSE_MS, over);
    }
  }
}
