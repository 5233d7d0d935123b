// All items of a job: first the list of what must get a result, then the data page by page, each page a chunk.
import { Injectable } from '@nestjs/common';
import { ErpUnavailable } from '../erp/erp-ledger.js';
import { InstallationsService } from '../installations/installations.service.js';
import { PlatformApi } from '../platform/platform-api.js';
import { PlatformRefusal } from '../platform/platform-error.js';
import { erpFailureVerdict } from './check-job.js';
import { budgetAt } from './domain/deadline.js';
import { ExportChunk } from './export-chunk.js';
import { GiveUp, type FailedVerdict, type ItemFailure } from './give-up.js';
import type { JobRun } from './job-run.js';
import { JobClosed, RelayOutbox } from './relay-outbox.js';
import { ExportStores } from './export-stores.js';

/** Platform refusals of the item data that end the job; another attempt would hear the same. */
const ENDING: Readonly<Record<string, FailedVerdict['failureReasonType']>> = {
  MISSING_CONTRA_ACCOUNTS: 'missing_configuration',
  UNSUPPORTED_API_VERSION: 'invalid_configuration',
};

@Injectable()
export class ExportItems {
  constructor(
    private readonly stores: ExportStores,
    private readonly platform: PlatformApi,
    private readonly installations: InstallationsService,
    private readonly chunk: ExportChunk,
    private readonly relay: RelayOutbox,
    private readonly giveUp: GiveUp,
  ) {}

  /**
   * @returns a verdict when the job must end without the rest of its items; undefined when every item has a result
   * @throws ErpUnavailable while there is time to try again
   */
  async run(run: JobRun): Promise<FailedVerdict | undefined> {
    await this.rememberItems(run);
    try {
      const ended = await this.exportPages(run);
      if (ended !== undefined) {
        return ended;
      }
    } catch (error) {
      if (!(error instanceof ErpUnavailable) || this.hasTime(run)) {
        throw error;
      }
      return erpFailureVerdict(error.failure);
    }
    await this.giveUp.items(run.job, run.lease, this.hasTime(run) ? WITHOUT_DATA : OUT_OF_TIME);
    return undefined;
  }

  private async rememberItems(run: JobRun): Promise<void> {
    let position = 1;
    for await (const page of this.platform.jobItemPages(this.auth(run), run.job.id)) {
      run.signal.throwIfAborted();
      const first = position;
      await this.stores.fenced('remember items', run.lease, (tx) =>
        this.stores.items.remember(tx, run.job, page, first),
      );
      position += page.length;
    }
  }

  private async exportPages(run: JobRun): Promise<FailedVerdict | undefined> {
    try {
      for await (const page of this.platform.exportItemPages(this.auth(run), run.job.id)) {
        run.signal.throwIfAborted();
        if (!this.hasTime(run)) {
          return undefined;
        }
        await this.chunk.run(run, page);
        await this.relay.run(run.job, run.lease);
      }
      return undefined;
    } catch (error) {
      return endingRefusal(error);
    }
  }

  private hasTime(run: JobRun): boolean {
    return budgetAt(run.job.expiresAt, this.platform.platformNow()) === 'post';
  }

  private auth(run: JobRun) {
    return this.installations.authorisation(run.job.installationId);
  }
}

/** @throws whatever does not end the job by itself */
function endingRefusal(error: unknown): FailedVerdict {
  if (error instanceof PlatformRefusal) {
    const failureReasonType = ENDING[error.type];
    if (failureReasonType !== undefined) {
      return { event: 'failed', failureReasonType, failureReason: error.message };
    }
    if (error.status === 422) {
      throw new JobClosed('the platform gives no more item data for this job', { cause: error });
    }
  }
  throw error;
}

const OUT_OF_TIME: ItemFailure = {
  failureType: 'accounting_system_timeout',
  failureReason:
    'The hour of this export was over before the entry’s turn came. Export it again; nothing is posted twice.',
};

const WITHOUT_DATA: ItemFailure = {
  failureType: 'unexpected_failure',
  failureReason:
    'The platform listed this entry in the export but gave no data for it. Export it again; if it happens twice, contact support.',
};
